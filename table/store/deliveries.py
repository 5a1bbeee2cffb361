"""What phones sent: each delivery bears a key made on the phone, and counts once."""

from sqlalchemy.orm import Session

from table.store.schema import DeliveryRecord, TableRecord, session_of


def note(table: TableRecord, key: str, *, device: str) -> bool:
    """Notes that a delivery was taken in; False where one with its key was before.

    The note stands or falls with the transaction in which the delivery does its work.
    """
    session: Session = session_of(table)
    if session.get(DeliveryRecord, (table.id, key)) is not None:
        return False
    session.add(DeliveryRecord(table_id=table.id, key=key, device=device))
    session.flush()
    return True
