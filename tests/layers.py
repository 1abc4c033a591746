#!/usr/bin/env python3
"""Checks that includes point down, as the layer table in docs/design.md says.

usage: layers.py [ROOT]      check the tree (default: the one this file is in)
       layers.py --self-test check that breaches are found

The table is the one whose header is `folder | ... | may include`. A folder inside another has its own
row, `studio/net`, and is allowed by that name only. The table is tight: an allowance that no file
uses, or a row whose folder is empty, is a breach too. A folder above LINES_MAX lines of C needs the
reason in its row, (large: ...), and only such a folder has one. A breach is printed as file:line: what
is wrong; the exit code is 1 if there is any.
"""

import re
import sys
import tempfile
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]*)"')
FOLDER = re.compile(r"`(\w+(?:/\w+)*)`")
PUBLIC = "motorcade"  # include/motorcade, open to every layer
LINES_MAX = 6500  # of a folder that gives no reason for its size


def read_table(design):
    """Returns {folder: allowed folders}, {folder: place of its row}, the folders that say why they are
    large, and the mistakes in the table."""
    table, places, large, mistakes = {}, {}, set(), []
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
            places[folders[0]] = place
            if "(large: " in cells[1]:
                large.add(folders[0])
    if not table:
        mistakes.append(f"{design}: no table with the header | folder | ... | may include |")
    return table, places, large, mistakes


def breaches_of(path, folder, table, used):
    """Yields the breaches of one file; adds the folders it includes to the set `used`."""
    allowed = {PUBLIC} if folder == PUBLIC else table[folder] | {folder, PUBLIC}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        name = match.group(1)
        parts = name.split("/")
        target = PUBLIC if parts[0] == PUBLIC else "/".join(parts[:-1])
        used.add(target)
        if len(parts) < 2 or set(parts) & {"", ".", ".."}:
            yield f'{path}:{number}: "{name}": include a header by its folder, "folder/name.h"'
        elif target not in allowed:
            yield (
                f'{path}:{number}: {folder} may not include "{name}"; '
                f"allowed: {', '.join(sorted(allowed))}"
            )


def loose_ends(table, places, used):
    """Yields what the table has and the files do not: a row that allows too much says nothing."""
    for folder, allowed in table.items():
        if folder not in used:
            yield f"{places[folder]}: `{folder}` has a row and no file"
            continue
        for name in sorted(allowed & set(table) - used[folder]):
            yield f"{places[folder]}: `{folder}` allows `{name}`, which no file uses"


def sizes(places, large, lines):
    """Yields the folders that are large without a reason, and the reasons of those that are not."""
    for folder, place in places.items():
        if lines.get(folder, 0) > LINES_MAX and folder not in large:
            yield (
                f"{place}: `{folder}` has {lines[folder]} lines; above {LINES_MAX} split it, or say "
                "why not: (large: ...)"
            )
        elif lines.get(folder, 0) <= LINES_MAX and folder in large:
            yield f"{place}: `{folder}` has {lines.get(folder, 0)} lines, which is not large"


def check(root):
    """Returns (number of files read, list of messages)."""
    design = root / "docs" / "design.md"
    if not design.is_file():
        return 0, [f"{design}: does not exist"]
    table, places, large, messages = read_table(design)
    files = [p for top in ("src", "include") for p in sorted((root / top).rglob("*.[ch]"))]
    used = {}  # folder: what its files include
    lines = {}  # folder: lines of its files
    for path in files:
        parts = path.relative_to(root).parts
        folder = PUBLIC if parts[0] == "include" else "/".join(parts[1:-1])
        lines[folder] = lines.get(folder, 0) + path.read_text(encoding="utf-8").count("\n")
        if len(parts) < 3:
            messages.append(f"{path}:1: belongs in a folder of {parts[0]}/")
        elif folder != PUBLIC and folder not in table:
            messages.append(f"{path}:1: the folder {folder} has no row in {design}")
        else:
            messages += breaches_of(path, folder, table, used.setdefault(folder, set()))
    if not files:
        messages.append(f"{root}: no C files under src/ or include/")
    else:
        messages += [*loose_ends(table, places, used), *sizes(places, large, lines)]
    return len(files), messages


SAMPLE_TABLE = """
| folder | what lives there | may include |
|---|---|---|
| `base` | errors | nothing |
| `parts` | tyres | `base` |
| `cli` | command | `base` |
| `web/net` | bytes | `base` |
| `web/hub` | pages | `parts`, `web/net` |
| `web` | all of it | `web/hub` |

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
    "src/web/net/http.c": '#include "web/net/http.h"\n#include "base/text.h"\n',
    "src/web/hub/page.c": '#include "web/net/http.h"\n#include "parts/tyre.h"\n',
    "src/web/start.c": '#include "web/hub/page.h"\n#include "web/start.h"\n',
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
    # A folder inside another is a layer of its own: neither it nor the outer one opens the other.
    ("src/web/net/http.h", '#include "web/hub/page.h"\n', "net/http.h:1: web/net may not"),
    ("src/web/net/http.h", '#include "web/start.h"\n', "net/http.h:1: web/net may not"),
    ("src/web/start.h", '\n#include "web/net/http.h"\n', "src/web/start.h:2: web may not"),
    ("src/web/hub/page.h", '#include "hub/page.h"\n', "hub/page.h:1: web/hub may not"),
    ("src/web/hub/page.h", '#include "web//page.h"\n', "hub/page.h:1: \"web//page.h\": include a"),
    ("src/web/ask/ask.c", "\n", "ask/ask.c:1: the folder web/ask has no row"),
    # The table is tight.
    ("src/cli/main.c", "\n", "design.md:6: `cli` allows `base`, which no file uses"),
    ("src/web/hub/page.c", '#include "parts/tyre.h"\n', "design.md:8: `web/hub` allows `web/net`, which"),
    ("docs/design.md", SAMPLE_TABLE.replace("| `web` |", "| `rigid` | bodies | nothing |\n| `web` |"),
     "design.md:9: `rigid` has a row and no file"),
    ("src/cli/main.c", '#include "base/text.h"\n' * 6501, "design.md:6: `cli` has 6501 lines; above 6500"),
    ("docs/design.md", SAMPLE_TABLE.replace("| errors |", "| errors (large: many) |"),
     "design.md:4: `base` has 2 lines, which is not large"),
    ("docs/design.md", "no table\n", "design.md: no table"),
    ("docs/design.md", SAMPLE_TABLE.replace("nothing", "`cli`"), "allows `cli`, which is not above"),
    ("docs/design.md", SAMPLE_TABLE.replace("| `base` |\n| `web/net`", "| `web/hub` |\n| `web/net`"),
     "`cli` allows `web/hub`, which is not above"),
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
        print("the good tree was rejected:", *good, sep="\n  ")
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
