"""Types of the extension."""

from typing import Any, Callable, Optional, Sequence, Tuple

most_parameters: int

class Core:
    def text(self, width: int, max_parameters: int) -> str: ...
    def json(self) -> str: ...
    def write_json(self, path: str) -> None: ...
    def write_report(self, path: str) -> None: ...
    def write_netcdf(self, path: str) -> None: ...
    def write_outputs(self, folder: str, overwrite: bool) -> list[str]: ...

def fit(
    *,
    name: str,
    data: str,
    reference: str,
    options: Sequence[Tuple[str, str]],
    of_fit: Sequence[str],
    function: Optional[Callable[..., Any]],
    dimension: int,
    names: Sequence[str],
    batched: bool,
    write: Callable[[str], None],
    progress: bool,
    live: bool,
    width: int,
) -> dict[str, Any]: ...
def check(
    *, options: Sequence[Tuple[str, str]], of_fit: Sequence[str], dimension: int
) -> None: ...
def options_help() -> list[Tuple[str, str]]: ...
def version() -> str: ...
