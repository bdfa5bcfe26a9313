"""Rows of data as people have them: data frames, dictionaries, arrays with names of columns.

A column is a ground atom.  A cell says that it was seen (1, True), that it was seen not to hold
(0, False), or nothing (NaN, None, NA, an empty cell).
"""

from __future__ import annotations

import dataclasses
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import terms
from .errors import InputError

Floats = npt.NDArray[np.float64]
WORDS = {"1": 1.0, "1.0": 1.0, "true": 1.0, "0": 0.0, "0.0": 0.0, "false": 0.0,
         "": np.nan, "nan": np.nan, "na": np.nan, "<na>": np.nan, "none": np.nan}
COUNT = "#count"
CELLS = "1 (seen) nor 0 (seen not to hold) nor empty"
ROWS = "rows are a data frame, a list of dictionaries, a dictionary of columns, or an array with columns=…"
NULLABLE = ("boolean", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64")


@dataclasses.dataclass(frozen=True)
class Rows:
    """A table: a column of 1, 0 and NaN for each atom."""

    columns: tuple[str, ...]
    values: Floats  #: by row and column
    counts: Optional[Floats]  #: by row: how often it was seen; None: once
    index: Any  #: of the data frame that it came from, or None

    def __len__(self) -> int:
        return len(self.values)


def is_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "iloc")


def _column(name: str, values: Any) -> Floats:
    """A column of cells as numbers; what is neither seen nor not seen is refused."""
    if str(getattr(values, "dtype", "")) in NULLABLE and hasattr(values, "to_numpy"):
        array = values.to_numpy(dtype=np.float64, na_value=np.nan)
    else:
        array = np.asarray(values)
    if array.ndim != 1:
        raise InputError(f"column '{name}' is no column: it has {array.ndim} dimensions")
    if array.dtype.kind not in "biuf":
        array = np.array([_cell(value) for value in array], dtype=np.float64)
    numbers: Floats = array.astype(np.float64, copy=False)
    wrong = ~((numbers == 0) | (numbers == 1) | np.isnan(numbers))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise _wrong(name, place_of(row, getattr(values, "index", None)), np.asarray(values)[row])
    return numbers


def _cell(value: Any) -> float:
    """1, 0, NaN for nothing; infinity: none of them."""
    if isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating)):
        return float(value)
    return WORDS.get(str(value).strip().lower(), np.inf) if value is not None else np.nan


def truth_of(what: str, value: Any) -> Optional[bool]:
    """Whether something was seen to hold or not to hold; None: unknown."""
    number = _cell(value)
    if number in (0, 1):
        return number == 1
    if number == number:
        raise InputError(f"{what}: {_shown(value)} is neither {CELLS}")
    return None


def place_of(row: int, index: Any) -> str:
    """A row by its number and, if that is another one, by its label.

    >>> place_of(1, ["x", "y"]), place_of(1, [0, 1])
    ("row 1 ('y')", 'row 1')
    """
    try:
        label = row if index is None else index[row]
    except (KeyError, IndexError, TypeError):
        label = row
    return f"row {row}" if label is row or label == row else f"row {row} ({label!r})"


def _shown(value: Any) -> str:
    return repr(value.item() if isinstance(value, np.generic) else value)


def _wrong(name: str, place: str, value: Any) -> InputError:
    return InputError(f"column '{name}', {place}: {_shown(value)} is neither {CELLS}")


def _count(values: Any) -> Floats:
    counts = np.asarray(values, dtype=np.float64)
    wrong = ~(np.isfinite(counts) & (counts >= 0))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(f"row {row}: {float(counts[row])!r} is no count")
    return counts


def _unique(names: Iterable[str]) -> None:
    """No two columns about one atom."""
    seen: set[str] = set()
    for name in map(terms.canonical, names):
        if name in seen:
            raise InputError(f"there are two columns '{name}'")
        seen.add(name)


def _chosen(table: Mapping[str, Any], columns: Optional[Sequence[str]]) -> Mapping[str, Any]:
    """The columns that are named; without names, all."""
    missing = [name for name in columns or () if name not in table]
    if missing:
        raise InputError(f"there is no column '{missing[0]}'; there are: {', '.join(table)}")
    return table if columns is None else {name: table[name] for name in columns}


def _columns_of(data: Any, columns: Optional[Sequence[str]]) -> Mapping[str, Any]:
    if is_frame(data):
        _unique(map(str, data.columns))
        return _chosen({str(name): data.iloc[:, i] for i, name in enumerate(data.columns)}, columns)
    if isinstance(data, Mapping):
        return _chosen({str(name): values for name, values in data.items()}, columns)
    if not isinstance(data, Iterable):
        raise TypeError(f"{ROWS}, not {data!r}")
    data = list(data)
    if data and not all(isinstance(row, Mapping) for row in data):
        raise TypeError(ROWS)
    names = columns or list(dict.fromkeys(name for row in data for name in row))
    return {str(name): np.array([row.get(name) for row in data], dtype=object) for name in names}


def rows_of(data: Any, columns: Optional[Sequence[str]] = None, count: Union[str, Iterable[float], None] = None) -> Rows:
    """Any kind of rows, checked.

    >>> rows_of([{"a": True, "b(1, 2)": None}, {"a": 0}]).values
    array([[ 1., nan],
           [ 0., nan]])
    """
    index = data.index if is_frame(data) else None
    if isinstance(data, np.ndarray) and data.ndim == 2:
        if columns is None or len(columns) != data.shape[1]:
            raise InputError(f"an array of {data.shape[1]} columns needs columns=…, a name for each")
        _unique(columns)
        if data.dtype == np.float64 and count is None and COUNT not in columns:
            return Rows(tuple(map(terms.canonical, columns)), _checked(data, columns), None, None)
        table: Mapping[str, Any] = {name: data[:, i] for i, name in enumerate(columns)}
    else:
        table = _columns_of(data, columns)
    counts = None
    if isinstance(count, str) or (count is None and COUNT in table):
        name = count if isinstance(count, str) else COUNT
        if name not in table:
            raise InputError(f"there is no column '{name}'; there are: {', '.join(table)}")
        counts = _count(table[name])
        table = {other: values for other, values in table.items() if other != name}
    elif count is not None:
        counts = _count(np.fromiter(count, dtype=np.float64))
    _unique(table)
    arrays = [_column(name, values) for name, values in table.items()]
    height = len(arrays[0]) if arrays else len(data)
    if any(len(array) != height for array in arrays) or (counts is not None and len(counts) != height):
        raise InputError("columns of different lengths")
    values = np.column_stack(arrays) if arrays else np.empty((height, 0))
    return Rows(tuple(map(terms.canonical, table)), values, counts, index)


def _checked(values: Floats, columns: Sequence[str]) -> Floats:
    wrong = ~((values == 0) | (values == 1) | np.isnan(values))
    if wrong.any():
        row, column = np.unravel_index(int(np.argmax(wrong)), values.shape)
        raise _wrong(str(columns[int(column)]), f"row {row}", values[row, column])
    return values


def to_csv(rows: Rows) -> bytes:
    """The table as the library reads it."""
    names = ['"' + name.replace('"', '""') + '"' for name in rows.columns]
    letters = np.where(np.isnan(rows.values), ord(" "), np.where(rows.values == 1, ord("1"), ord("0")))
    cells = np.full((len(rows), 2 * len(names)), ord(","), dtype=np.uint8)
    cells[:, 0::2] = letters
    if rows.counts is None:
        cells[:, -1:] = ord("\n")
        return (",".join(names) + "\n").encode() + cells.tobytes().replace(b" ", b"")
    lines = [line.tobytes().replace(b" ", b"") + repr(float(count)).encode() for line, count in zip(cells, rows.counts)]
    return (",".join([*names, COUNT]) + "\n").encode() + b"\n".join(lines) + b"\n"


def place(rows: Rows, names: Mapping[str, int], what: str) -> list[int]:
    """The number of each column among names, or an error that knows the nearest one."""
    found = []
    for column in rows.columns:
        if column not in names:
            near = terms.nearest(column, names)
            hint = f"; did you mean '{near}'?" if near else ""
            raise InputError(f"column '{column}' is no {what} of the model{hint}")
        found.append(names[column])
    return found
