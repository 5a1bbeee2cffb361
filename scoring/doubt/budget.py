"""A limit on the operations of one judgement, so that it takes no longer than a tap may."""

from __future__ import annotations


class BudgetSpent(Exception):  # noqa: N818  # a signal inside the package, never an error shown
    """More operations were asked for than the budget allows."""


class Budget:
    """So many operations may be made; counting them makes results the same on every machine.

    One operation is one state of the layered graph under one option, about two microseconds.

    >>> budget = Budget(10)
    >>> budget.spend(4)
    >>> budget.left
    6
    >>> budget.spend(7)
    Traceback (most recent call last):
    scoring.doubt.budget.BudgetSpent
    """

    def __init__(self, operations: int) -> None:
        self.left = operations
        """Operations that may still be made."""

    def spend(self, operations: int) -> None:
        """Count operations that are about to be made.

        Raises:
            BudgetSpent: they are more than are left; then none is left for anything else either.
        """
        if operations > self.left:
            self.left = 0
            raise BudgetSpent
        self.left -= operations
