#!/usr/bin/env python3
"""Checks that includes point down, as the layer table in docs/design.md says.

usage: layers.py [ROOT]      check the tree (default: the one this file is in)
       layers.py --self-test check that breaches are found

The table is the one whose header is `folder | ... | may include`. A breach is printed as
file:line: what is wrong; the exit code is 1 if there is any.
"""

import re
import sys
import tempfile
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]*)"')
FOLDER = re.compile(r"`(\w+)`")
PUBLIC = "motorcade"  # include/motorcade, open to every layer


def read_table(design):
    """Returns {folder: allowed folders}, and the mistakes in the table itself."""
    table, mistakes = {}, []
    inside = False
    for number, line in enumerate(design.read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and cells[0] == "folder" and cells[-1] == "may include":
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not set(cells[0]) <= set(":-"):
            place = f"{design}:{number}"
            folders, allowed = FOLDER.findall(cells[0]), FOLDER.findall(cells[-1])
            if len(cells) != 3 or len(folders) != 1:
                mistakes.append(f"{place}: expected | `folder` | what | `folders` it may include |")
                continue
            if folders[0] in table:
                mistakes.append(f"{place}: `{folders[0]}` has a row already")
            for name in allowed:
                if name not in table:
                    mistakes.append(f"{place}: `{folders[0]}` allows `{name}`, which is not above")
            table[folders[0]] = set(allowed)
    if not table:
        mistakes.append(f"{design}: no table with the header | folder | ... | may include |")
    return table, mistakes


def breaches_of(path, folder, table):
    """Yields the breaches of one file; folder is PUBLIC for a public header."""
    allowed = {PUBLIC} if folder == PUBLIC else table[folder] | {folder, PUBLIC}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        name = match.group(1)
        target, slash, _ = name.partition("/")
        if not slash or ".." in name.split("/"):
            yield f'{path}:{number}: "{name}": include a header by its folder, "folder/name.h"'
        elif target not in allowed:
            yield (
                f'{path}:{number}: {folder} may not include "{name}"; '
                f"allowed: {', '.join(sorted(allowed))}"
            )


def check(root):
    """Returns (number of files read, list of messages)."""
    design = root / "docs" / "design.md"
    if not design.is_file():
        return 0, [f"{design}: does not exist"]
    table, messages = read_table(design)
    files = [p for top in ("src", "include") for p in sorted((root / top).rglob("*.[ch]"))]
    for path in files:
        parts = path.relative_to(root).parts
        folder = PUBLIC if parts[0] == "include" else parts[1]
        if len(parts) < 3:
            messages.append(f"{path}:1: belongs in a folder of {parts[0]}/")
        elif folder != PUBLIC and folder not in table:
            messages.append(f"{path}:1: the folder {folder} has no row in {design}")
        else:
            messages += breaches_of(path, folder, table)
    if not files:
        messages.append(f"{root}: no C files under src/ or include/")
    return len(files), messages


SAMPLE_TABLE = """
| folder | what lives there | may include |
|---|---|---|
| `base` | errors | nothing |
| `parts` | tyres | `base` |
| `cli` | command | `base` |

| another | table |
|---|---|
| `parts` | not a layer row |
"""
SAMPLE_FILES = {
    "include/motorcade/status.h": "#pragma once\n",
    "include/motorcade/tyre.h": '#include "motorcade/status.h"\n',
    "src/base/error.c": '#include "motorcade/status.h"\n#include <stdio.h>\n',
    "src/parts/tyre.c": '// "cli/main.h"\n#include "base/assert.h"\n#include "parts/tyre.h"\n',
    "src/cli/main.c": '#include "motorcade/tyre.h"\n#include "base/text.h"\n',
}
# Each: what is changed in the good tree, and the place and words the message must have.
PLANTED = [
    ("src/base/error.c", '\n#include "parts/tyre.h"\n', "src/base/error.c:2: base may not"),
    ("src/cli/main.c", '#include "parts/tyre.h"\n', "src/cli/main.c:1: cli may not"),
    ("src/parts/tyre.h", '\n\n  #  include "cli/main.h"\n', "src/parts/tyre.h:3: parts may not"),
    ("src/parts/tyre.c", '#include "tyre.h"\n', "src/parts/tyre.c:1: \"tyre.h\": include a header by"),
    ("src/parts/tyre.c", '#include "parts/../cli/main.h"\n', "src/parts/tyre.c:1: \"parts/../cli"),
    ("include/motorcade/tyre.h", '#include "base/assert.h"\n', "tyre.h:1: motorcade may not"),
    ("src/rigid/body.c", "\n", "src/rigid/body.c:1: the folder rigid has no row"),
    ("src/loose.c", "\n", "src/loose.c:1: belongs in a folder"),
    ("docs/design.md", "no table\n", "design.md: no table"),
    ("docs/design.md", SAMPLE_TABLE.replace("nothing", "`cli`"), "allows `cli`, which is not above"),
    ("docs/design.md", SAMPLE_TABLE.replace("`cli`", "`base`"), "`base` has a row already"),
    ("docs/design.md", SAMPLE_TABLE.replace("`cli`", "cli"), "expected | `folder`"),
]


def messages_with(changed, text):
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {**SAMPLE_FILES, "docs/design.md": SAMPLE_TABLE, changed: text}.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return check(Path(folder))[1]


def self_test():
    failures = 0
    good = messages_with("docs/design.md", SAMPLE_TABLE)
    if good:
        failures += 1
        print("the good tree was refused:", *good, sep="\n  ")
    for changed, text, expected in PLANTED:
        messages = messages_with(changed, text)
        if not any(expected in message for message in messages):
            failures += 1
            print(f"not found: {expected}", "got:", *messages, sep="\n  ")
    with tempfile.TemporaryDirectory() as folder:
        if not check(Path(folder))[1]:
            failures += 1
            print("an empty tree passed")
    print(f"layers: {len(PLANTED)} planted breaches, {failures} failures")
    return failures > 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    count, messages = check(root)
    print(*messages, sep="\n", end="\n" if messages else "")
    print(f"layers: {count} files, {len(messages)} breaches")
    return len(messages) > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
