"""A small table for where pandas is not installed."""

from __future__ import annotations

from html import escape
from typing import Any, Dict, Iterator, List, Sequence, Union

import numpy as np


class Table:
    """Named rows and columns of numbers; ``table["mean"]`` is a column, an array.

    >>> table = Table(["mu", "tau"], {"mean": np.array([4.4, 3.6]), "digits": np.array([2, 2])})
    >>> table["mean"][table.index.index("tau")]
    3.6
    """

    def __init__(self, index: Sequence[str], columns: Dict[str, np.ndarray]) -> None:
        self.index: List[str] = list(index)
        self._columns = columns

    @property
    def columns(self) -> List[str]:
        """Names of the columns."""
        return list(self._columns)

    def __getitem__(self, column: str) -> np.ndarray:
        return self._columns[column]

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def row(self, name: str) -> Dict[str, Union[int, float]]:
        """One row by its name."""
        i = self.index.index(name)
        return {key: column[i] for key, column in self._columns.items()}

    def _cells(self, most: int) -> List[List[str]]:
        """Header and rows as text; of more rows than that, the first and the last ones."""
        chosen: List[Any] = list(range(len(self.index)))
        if len(chosen) > most:
            chosen = chosen[: most // 2] + [None] + chosen[-(most // 2) :]
        cells = [["", *self._columns]]
        for i in chosen:
            if i is None:
                cells.append(["..."] * len(cells[0]))
            else:
                cells.append([self.index[i], *(f"{c[i]:.4g}" for c in self._columns.values())])
        return cells

    def __repr__(self) -> str:
        cells = self._cells(most=60)
        widths = [max(len(row[c]) for row in cells) for c in range(len(cells[0]))]
        return "\n".join(
            "  ".join([row[0].ljust(widths[0]), *(x.rjust(w) for x, w in zip(row[1:], widths[1:]))])
            for row in cells
        )

    def _repr_html_(self) -> str:
        return html_table(self._cells(most=60))


def html_table(cells: Sequence[Sequence[str]]) -> str:
    """Header and rows as a table of HTML; whatever the cells say is shown as text."""
    header, *rows = cells
    head = "".join(f"<th>{escape(x)}</th>" for x in header)
    body = "".join(
        f"<tr><th style='text-align:left'>{escape(row[0])}</th>"
        + "".join(f"<td style='text-align:right'>{escape(x)}</td>" for x in row[1:])
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
