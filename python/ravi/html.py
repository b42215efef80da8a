"""A fit in a notebook. Names and messages are shown as text, whatever they hold."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from ravi.table import Table, html_table

if TYPE_CHECKING:
    from ravi.result import Answer, Fit

_MOST_ROWS = 24
# Dark enough on white, light enough on black, and apart for the color-blind; words say it too.
_COLORS = {"accurate": "#0072b2", "usable": "#009e73"}
_OTHER_COLOR = "#d55e00"


def _parameters(answer: "Answer") -> str:
    columns = answer.parameters
    text = columns["text"]
    cells = [["", *text, "mcse", "digits"]]
    for i, name in enumerate(columns["name"][:_MOST_ROWS]):
        known = (text[key][i] for key in text)
        cells.append([name, *known, f"{columns['mcse'][i]:.2g}", str(columns["digits"][i])])
    left = len(columns["name"]) - _MOST_ROWS
    more = f"<p>... and {left} more in fit.summary()</p>" if left > 0 else ""
    weights = "importance weighted" if answer.weighted else "not weighted"
    return html_table(cells) + more + f"<p><small>{weights}</small></p>"


def _chains(fit: "Fit") -> str:
    columns = [chain.parameters for chain in fit.chains]
    names = columns[0]["name"]
    table = Table(names, {f"chain {j + 1}": np.asarray(c["mean"]) for j, c in enumerate(columns)})
    return "<p>Means of each chain on its own:</p>" + table._repr_html_()


def fit_html(fit: "Fit") -> str:
    """Verdict, findings with advice, and the table."""
    color = _COLORS.get(fit.verdict, _OTHER_COLOR)
    text = (
        f"<p><b>{escape(fit.model)}</b>: <b style='color:{color}'>{escape(fit.verdict)}</b>"
        f" - {escape(fit.meaning)}</p>"
    )
    if fit.findings:
        items = "".join(
            f"<li><b>{escape(f.severity)} {escape(f.code)}</b>: {escape(f.message)}"
            f"<br>&rarr; {escape(f.advice)}</li>"
            for f in fit.findings
        )
        text += f"<ul>{items}</ul>"
    if fit.answer is not None:
        text += _parameters(fit.answer)
    elif fit.chains:
        text += _chains(fit)
    return f"<div>{text}</div>"
