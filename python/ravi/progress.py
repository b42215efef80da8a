"""Where progress is shown: a line that is rewritten in a terminal or a notebook."""

from __future__ import annotations

import shutil
import sys
from typing import Optional

_CLEAR_LINE = "\x1b[2K"  # what the engine writes after \r to empty the line


def _in_notebook() -> bool:
    """Whether this is a kernel of Jupyter, whose stderr is shown below the cell."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and hasattr(shell, "kernel")


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


class Display:
    """progress: True, False, or None for a terminal or a notebook only."""

    def __init__(self, progress: Optional[bool]) -> None:
        self.notebook = _in_notebook()
        self.live = self.notebook or _is_terminal()
        self.progress = self.live if progress is None else bool(progress)
        self.width = 100 if self.notebook else shutil.get_terminal_size((100, 24)).columns

    def write(self, text: str) -> None:
        """Text of the engine, to stderr. A notebook knows no code to empty a line: blanks do it."""
        if sys.stderr is None:
            return
        if self.notebook:
            text = text.replace(_CLEAR_LINE, " " * (self.width - 1) + "\r")
        sys.stderr.write(text)
        sys.stderr.flush()
