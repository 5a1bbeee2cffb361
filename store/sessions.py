"""Sessions of the club's organiser that were logged out before they expired."""

from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from store.models import EndedSession, now


def end(session: Session, digest: str, *, expires_at: datetime) -> None:
    """Store that a session has ended, until it expires. Delete those that have expired.

    >>> from datetime import timedelta
    >>> from store import Store
    >>> store = Store("sqlite://")
    >>> with store.writing() as session:
    ...     end(session, "a", expires_at=now() - timedelta(hours=1))
    ...     end(session, "b", expires_at=now() + timedelta(hours=1))
    ...     sorted(ended(session))
    ['b']
    """
    session.execute(delete(EndedSession).where(EndedSession.expires_at <= now()))
    session.merge(EndedSession(digest=digest, expires_at=expires_at))


def ended(session: Session) -> frozenset[str]:
    """Return the digests of the ended sessions that have not expired."""
    query = select(EndedSession.digest).where(EndedSession.expires_at > now())
    return frozenset(session.scalars(query))
