#!/usr/bin/env python3
"""Makes python/motorcade/tables.py from the tables of the library: names, units, meanings.

usage: python_tables.py LIBRARY            check that the file is what the library says
       python_tables.py LIBRARY --write    write it

Types of names and docstrings come from the same tables as the manual, so they cannot drift.
"""

import ctypes as C
import importlib.util
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEAD = '''"""Fields, figures, control laws, events and parameters: names, units, meanings.

Made by tests/python_tables.py from the tables of the library.

{doc}"""

from __future__ import annotations

from typing import Literal, NamedTuple

nan, inf = float("nan"), float("inf")


class Quantity(NamedTuple):
    """A number with a name."""

    name: str
    unit: str
    doc: str


class Parameter(NamedTuple):
    """A row of a table of parameters; default nan: it must be given."""

    name: str
    unit: str
    default: float
    min: float
    max: float
    doc: str


class Law(NamedTuple):
    """A control law."""

    name: str
    doc: str
    equation: str
    parameters: tuple[Parameter, ...]


'''


def load(library):
    spec = importlib.util.spec_from_file_location("_abi", ROOT / "python/motorcade/_abi.py")
    abi = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(abi)
    lib = C.CDLL(library)
    for name, (result, arguments) in abi.FUNCTIONS.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return abi, lib


def text(value):
    return (value or b"").decode()


def walk(function, item):
    index = 0
    while function(index, C.byref(item)):
        yield item
        index += 1


def parameters(rows, count):
    return [
        (text(r.name), text(r.unit), r.fallback, r.min, r.max, text(r.doc)) for r in rows[:count]
    ]


def rows_text(rows, indent):
    return "".join(f"{indent}Parameter{row!r},\n" for row in rows)


def listing(title, rows):
    """Names, units and meanings as lines of a docstring."""
    lines = [title, ""]
    for name, unit, doc in rows:
        head = f"    {name}" + (f", {unit}" if unit not in ("", "-") else "")
        lines += textwrap.wrap(f"{head}: {doc}", 100, subsequent_indent=" " * 8)
    return "\n".join(lines) + "\n\n"


def table(name, kind, rows):
    body = "".join(f"    {row[0]!r}: {kind}{tuple(row)!r},\n" for row in rows)
    return f"{name}: dict[str, {kind}] = {{\n{body}}}\n"


def make(library):
    abi, lib = load(library)
    fields = (abi.mc_field_info * abi.MC_FIELD_COUNT).in_dll(lib, "mc_field_table")
    fields = [(text(f.name), text(f.unit), text(f.doc)) for f in fields]
    figures = (abi.mc_figure * abi.MC_FIGURE_COUNT).in_dll(lib, "mc_figure_table")
    figures = [(text(f.name), text(f.unit), text(f.doc)) for f in figures]
    laws = [
        (text(l.name), text(l.doc), text(l.equation), parameters(l.params, l.param_count))
        for l in walk(lib.mc_law_at, abi.mc_law())
    ]
    tables = [
        (text(t.name), text(t.title), parameters(t.rows, t.count))
        for t in walk(lib.mc_table_at, abi.mc_table())
    ]
    events, index = [], 0
    while kind := lib.mc_event_kind_at(index):
        k = kind.contents
        value = k.value.contents if k.value else None
        doc = text(value.doc) if value else text(k.begins.does)
        events.append((text(k.name), text(value.unit) if value else "", doc))
        index += 1
    doc = listing("FIELDS: of a vehicle at an instant", fields)
    doc += listing("FIGURES: of a vehicle or of a whole run", figures)
    doc += listing("LAWS: control laws", [(name, "", d) for name, d, _, _ in laws])
    doc += listing("EVENTS: what can happen", events)
    out = HEAD.replace("{doc}", doc.replace("\\", "\\\\"))
    for name, rows in (("Field", fields), ("Figure", figures), ("Law", laws), ("Event", events)):
        words = "".join(f"    {row[0]!r},\n" for row in rows)
        out += f"{name}Name = Literal[\n{words}]\n"
    out += table("FIELDS", "Quantity", fields) + table("FIGURES", "Quantity", figures)
    out += table("EVENTS", "Quantity", events)
    out += "LAWS: dict[str, Law] = {\n"
    for name, law_doc, equation, rows in laws:
        out += f"    {name!r}: Law({name!r}, {law_doc!r}, {equation!r}, (\n"
        out += rows_text(rows, " " * 8) + "    )),\n"
    out += "}\nTABLES: dict[str, tuple[Parameter, ...]] = {\n"
    for name, title, rows in tables:
        out += f"    {name!r}: (  # {title}\n{rows_text(rows, ' ' * 8)}    ),\n"
    return out + "}\n"


def main(arguments):
    path, made = ROOT / "python/motorcade/tables.py", make(arguments[0])
    if "--write" in arguments:
        path.write_text(made, encoding="utf-8")
    elif path.read_text(encoding="utf-8") != made:
        print(f"{path}: not what the library says; tests/python_tables.py LIBRARY --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
