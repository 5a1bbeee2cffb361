"""The `settebello` command: its subcommands, and without one of them the app."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType

from scoring.errors import ScoringError
from store import Store, default_url
from store.backup import back_up, restore
from store.retention import days_kept
from table import corrections


def main(arguments: Sequence[str] | None = None) -> None:
    """Does what a subcommand says; without one, runs the app until Ctrl-C."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if not given or given[0] not in COMMANDS:
        from screens import launch

        launch.main(given)
        return
    options = _parser().parse_args(given)
    if options.home is not None:
        os.environ["SETTEBELLO_HOME"] = str(options.home.expanduser().resolve())
    try:
        is_well = COMMANDS[options.command](options)
    except ScoringError as error:
        sys.exit(f"settebello: {error}")
    sys.exit(0 if is_well else 1)


def _parser() -> argparse.ArgumentParser:
    """What the subcommands take."""
    parser = argparse.ArgumentParser(prog="settebello")
    home = argparse.ArgumentParser(add_help=False)
    home.add_argument("--home", type=Path, help="folder of the data ($SETTEBELLO_HOME)")
    under = parser.add_subparsers(dest="command", required=True)
    one = under.add_parser("backup", parents=[home], help="write all data into one new file")
    one.add_argument("file", type=Path)
    one = under.add_parser("restore", parents=[home], help="put a backup in place of the data")
    one.add_argument("file", type=Path)
    one = under.add_parser("doctor", parents=[home], help="say what is wrong and what to do")
    one.add_argument("--port", type=int, default=8501, help="port of the app (8501)")
    one = under.add_parser("forget", parents=[home], help="delete photos; hands stay")
    which = one.add_mutually_exclusive_group(required=True)
    which.add_argument("table", nargs="?", help="the code of a table: all of its photos")
    which.add_argument(
        "--old", action="store_true", help="those of all tables past $SETTEBELLO_PHOTO_DAYS"
    )
    which.add_argument("--days", type=int, help="those of all tables that are older")
    one = under.add_parser(
        "corrections", parents=[home], help="write the photos that tables lend, to train on"
    )
    one.add_argument("folder", type=Path)
    return parser


def _backup(options: argparse.Namespace) -> bool:
    schema = back_up(default_url(), options.file)
    size_mb = options.file.stat().st_size / 1e6
    print(f"{options.file}: {size_mb:.1f} MB, whole, schema {schema}")
    return True


def _restore(options: argparse.Namespace) -> bool:
    aside = restore(default_url(), options.file)
    print(f"{options.file} is in place. ", end="")
    print("Nothing was there before." if aside is None else f"What was there is kept in {aside}")
    return True


def _doctor(options: argparse.Namespace) -> bool:
    from screens.doctor import findings, report

    found = list(findings(port=options.port))
    print(report(found))
    return all(one.is_well for one in found)


def _forget(options: argparse.Namespace) -> bool:
    with closing(Store()) as store:
        if options.table is not None:
            count = store.evidence.forget(options.table)
        else:
            days = days_kept() if options.old else options.days
            count = 0 if days is None else _sweep(store, days=days)
        print(f"{count} photos deleted; the hands stand.")
        if not store.evidence.leave_nothing(thoroughly=True):
            print("Others read the database: its files lose the last of it a little later.")
    return True


def _corrections(options: argparse.Namespace) -> bool:
    with closing(Store()) as store:
        lent = corrections.write(store, options.folder)
    told = f"{lent.photos} photos, {lent.cards} cards, {lent.corrected} named by somebody"
    print(f"{options.folder}: {told}")
    return True


def _sweep(store: Store, *, days: int) -> int:
    """Deletes the photos of all tables that are so many days old."""
    before = datetime.now(UTC) - timedelta(days=max(0, days))
    count = 0
    while swept := store.evidence.sweep(before=before):
        count += swept
    return count


COMMANDS: Mapping[str, Callable[[argparse.Namespace], bool]] = MappingProxyType(
    {
        "backup": _backup,
        "restore": _restore,
        "doctor": _doctor,
        "forget": _forget,
        "corrections": _corrections,
    }
)
"""What each subcommand does; it says whether all is well."""

if __name__ == "__main__":
    main()
