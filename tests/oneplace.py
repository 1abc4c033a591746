#!/usr/bin/env python3
"""Checks that a vehicle type, a tyre, a suspension, a powertrain or a law is known in one place.

usage: oneplace.py [ROOT]      check the tree (default: the one this file is in)
       oneplace.py --self-test check that breaches are found

The kinds are those of the five lists in which they are registered (LISTS). The place of a kind is the
file that defines its row, the files that are named after that one, and for a vehicle type the folder
of its physics. Elsewhere the sources have neither its name as a string, nor one of its C symbols, nor
an #include of its headers; the list has its one word. Tests, docs and comments may name what they
like. An exception that nothing needs is a breach too.

A breach is printed as file:line: what is wrong; the exit code is 1 if there is any.
"""

import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

# What is registered, the macro that is the list, its file, the prefix of a row, and the words that
# stand before a name in code where it is used as one: .law = "platoon", mc_law_find("platoon").
LISTS = [
    ("vehicle type", "VEHICLE_TYPES", "src/vehicles/types.h", "vehicle_", r"kind|type|vehicle"),
    ("tyre", "TYRE_KINDS", "src/parts/tyre.h", "tyre_", r"tyre"),
    ("suspension", "SUSPENSION_KINDS", "src/parts/suspension.h", "suspension_", r"suspension"),
    ("powertrain", "POWERTRAIN_KINDS", "src/parts/powertrain.h", "powertrain_", r"powertrain"),
    ("law", "LAWS", "src/control/laws.c", "law_", r"(?<![a-z])law"),
]

# Names that are ordinary words too: a string counts only where it is used as the name of the kind. Any
# other name counts wherever a string has it as a word.
ORDINARY = {
    "point": "of a mechanism, of a curve; the point car of messages",
    "powertrain": "the key of a model, the command",
    "linear": "a controller given by matrices",
    "none": "nothing",
    "gears": "those of a gear box",
    "converter": "that of torque, in several powertrains",
    "manifold": "that of an engine",
    "platoon": "cars that follow each other",
    "adaptive": "a controller in the title of a scenario",
    "brake": "the pedal",
    "cruise": "the gain of speed tracking of several laws",
    "acc": "a column of DYNAVIS files",
    "fmu": "the command, the key of a controller",
    "direct": "of adaptation: without a model in between",
}

# Another meaning of a name that is not an ordinary word: file, name, its meaning.
HOMONYMS = [
    (f"src/{name}", "multibody", "the first line of the file of a mechanism: motorcade: multibody")
    for name in ("mechanism_file/read.c", "mechanism_file/keys.c", "verify/iftomm.c", "verify/chain.c", "verify/loops.c",
                 "verify/top.c", "verify/euler.c", "concept/print.c")
]

# Folders that may use the C symbols, not the rows and names, of a place that is not theirs.
USERS = [
    ("src/medusa", "src/cosserat", "MEDUSA as published: files and runs of this vehicle alone"),
    ("src/rig", "src/cars", "a powertrain is tried in the car of the report"),
]

STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|`(?:[^`\\]|\\.)*`')
TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|" + STRING.pattern, re.DOTALL)
C_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL)
SOURCES = {".c", ".h", ".ts", ".html"}


@dataclass
class Kind:
    what: str
    name: str  # as scenarios have it
    row: str  # its C symbol
    cue: str  # words before a name
    home: Path  # the file of its row
    files: set  # its place
    neighbours: set = field(default_factory=set)  # of a vehicle type: the files of src/vehicles
    physics: str = ""  # its folder
    symbols: set = field(default_factory=set)  # but the row; and headers, as they are included


def without_comments(text, c):
    """The text with comments blanked, lines kept."""

    def blank(match):
        found = match.group()
        return re.sub(r"[^\n]", " ", found) if found.startswith(("//", "/*")) else found

    return (C_TOKEN if c else TOKEN).sub(blank, text)


def symbols_of(text):
    """The functions and objects that a header declares."""
    text = re.sub(r"^#.*(?:\\\n.*)*", "", without_comments(text, True), flags=re.MULTILINE)
    found = re.findall(r"^(?!static\b|typedef\b)\w[\w *]*?\b(\w+)\([^;{}]*\);", text, re.MULTILINE)
    for line in re.findall(r"^(?:extern const |powertrain_|suspension_|tyre_)\w+ ([\w ,\[\]]+);", text, re.MULTILINE):
        found += re.findall(r"(\w+)(?:\[[^\]]*\])*(?:,|$)", line)
    return {name for name in found if not name.startswith("_")}


def rows_defined(sources):
    """{symbol: file} of the constants that C files define for others."""
    return {name: path for path, text in sources.items() if path.suffix == ".c"
            for name in re.findall(r"^const \w+ (\w+) = ", text, re.MULTILINE)}


def named_after(home, sources):
    """A file and those that begin with its name, but not those that begin with a longer row's."""
    rows = [stem for stem in {p.stem for p in sources if p.parent == home.parent and p.suffix == ".c"
                              and re.search(r"^const (?:law_text|tyre_kind|suspension_kind|powertrain_kind) \w+ = ",
                                            sources[p], re.MULTILINE)}
            if stem.startswith(home.stem + "_")]
    return {p for p in sources if p.parent == home.parent
            and (p.stem == home.stem or p.stem.startswith(home.stem + "_"))
            and not any(p.stem == row or p.stem.startswith(row + "_") for row in rows)}


def read_kind(root, what, row, cue, sources, defined):
    home = defined[row]
    body = sources[home].split(f" {row} = ", 1)[1]
    body = body[: body.index("\n};")]
    name = re.search(r'\.name = "([^"]*)"', body)
    if not name:
        return None
    kind = Kind(what, name.group(1), row, cue, home, named_after(home, sources))
    moves = re.search(r"\.kind = &(\w+)", body)
    if moves and moves.group(1) in defined:
        physics = defined[moves.group(1)].parent
        kind.physics = physics.relative_to(root).as_posix()
        kind.files |= {p for p in sources if p.parent == physics}
        kind.neighbours = {p for p in sources if p.parent == home.parent and p.stem != "types"}
    for path in kind.files:
        if path.suffix == ".h":
            kind.symbols |= symbols_of(sources[path])
            kind.symbols.add(path.relative_to(root / "src").as_posix())
    return kind


def find_kinds(root, sources, messages):
    """The registered kinds with their places."""
    kinds, defined = [], rows_defined(sources)
    for what, macro, list_file, prefix, cue in LISTS:
        text = sources.get(root / list_file, "")
        match = re.search(rf"^#define {macro}\(([^)]*)\)((?:[^\n]*\\\n)*[^\n]*)", text, re.MULTILINE)
        words = re.findall(r"\w+\((\w+)[^)]*\)", match.group(2)) if match else []
        if not words:
            messages.append(f"{root / list_file}:1: no list {macro}")
        for row in (prefix + word for word in words):
            kind = read_kind(root, what, row, cue, sources, defined) if row in defined else None
            if kind:
                kinds.append(kind)
            else:
                messages.append(f"{root / list_file}:1: no file defines {row} with a name")
    return kinds


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def means(kind, text, start, string):
    """Whether a string of a text means the kind."""
    name, inside = re.escape(kind.name), string[1:-1]
    if kind.name not in ORDINARY:
        return re.search(rf"(?<![\w-]){name}(?![\w-])", inside.replace("\\n", " ")) is not None
    as_value = rf"(?:kind|{kind.cue})\W{{1,6}}(?:kind\W{{1,6}})?{name}\b"  # law: NAME, --law NAME
    as_model = rf"models: *{{ *\w+: *{name}\b"
    as_default = rf"\b{name} if left out|\belse {name}\b|^\({name}\)$"
    if kind.name == "none":
        as_default = as_value  # none if left out: nothing is
    if re.search(f"{as_value}|{as_model}|{as_default}", inside):
        return True
    begin = text.rfind("\n", 0, max(0, start - 80)) + 1
    before = STRING.sub("", text[begin:start])
    return inside == kind.name and re.search(kind.cue, re.split(r"[;{}]", before)[-1]) is not None


def names_in(kinds, path, text, root, used):
    """Yields the breaches by name of one file."""
    c = path.suffix in {".c", ".h"}
    plain = without_comments(text, c)
    relative = path.relative_to(root).as_posix()
    for match in (C_TOKEN if c else STRING).finditer(plain):
        if not any(kind.name in match.group() for kind in kinds):
            continue
        line = plain[plain.rfind("\n", 0, match.start()) + 1:match.start()]
        if re.match(r"\s*#\s*include\b|\s*import\b|.*\bfrom $", line):
            continue
        for kind in kinds:
            if kind.name not in match.group() or path in kind.files:
                continue
            if not means(kind, plain, match.start(), match.group()):
                continue
            homonym = next((h for h in HOMONYMS if h[:2] == (relative, kind.name)), None)
            if homonym:
                used.add(homonym)
            else:
                yield (f"{path}:{line_of(plain, match.start())}: names the {kind.what} "
                       f'"{kind.name}"; its place is {kind.home.relative_to(root)}')


def symbols_in(kinds, path, text, root, used):
    """Yields the breaches by C symbol and #include of one file."""
    if path.suffix not in {".c", ".h"}:
        return
    folder = path.parent.relative_to(root).as_posix()
    owners = {}
    for kind in kinds:
        if path in kind.files:
            continue
        owners[kind.row] = kind
        user = next((u for u in USERS if u[:2] == (folder, kind.physics)), None)
        if user and any(name in text for name in kind.symbols):
            used.add(user)
        elif path not in kind.neighbours:
            owners.update(dict.fromkeys(kind.symbols, kind))
    for kind in kinds:  # two types that share a folder share its symbols
        if path in kind.files:
            for name in kind.symbols:
                owners.pop(name, None)
    plain = C_TOKEN.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    found = [(m.start(), m.group()) for m in re.finditer(r"\b[A-Za-z_]\w*", plain)]
    found += [(m.start(1), m.group(1)) for m in
              re.finditer(r'^\s*#\s*include "([^"]*)"', text, re.MULTILINE)]
    for at, name in sorted(found):
        if name in owners:
            yield (f"{path}:{line_of(text, at)}: {name} belongs to the {owners[name].what} "
                   f'"{owners[name].name}"')


def check(root):
    """Returns (number of kinds, list of messages, exceptions that were needed)."""
    sources = {path: path.read_text(encoding="utf-8")
               for top in ("src", "include", "web/src") for path in sorted((root / top).rglob("*"))
               if path.suffix in SOURCES}
    messages, used = [], set()
    kinds = find_kinds(root, sources, messages)
    for path, text in sources.items():
        messages += names_in(kinds, path, text, root, used)
        messages += symbols_in(kinds, path, text, root, used)
    return len(kinds), messages, used


SAMPLE = {
    "src/vehicles/types.h": "#define VEHICLE_TYPES(type, usual) type(point) usual(truck)\n",
    "src/vehicles/types.c": 'VEHICLE_TYPES(ADDRESS, ADDRESS)\n#include "vehicles/types.h"\n',
    "src/vehicles/point.c": "const mc_vehicle_type vehicle_point = {\n"
                            '    .name = "point",\n    .kind = &dot_kind,\n};\n',
    "src/vehicles/truck.c": '#include "lorries/lorry.h"\nconst mc_vehicle_type vehicle_truck = {\n'
                            '    .name = "truck",\n    .kind = &lorry_kind,\n};\n',
    "src/dots/dot.c": "const mc_vehicle_kind dot_kind = {\n};\n",
    "src/lorries/lorry.h": "extern const mc_vehicle_kind lorry_kind;\nint lorry_axles(int trailers);\n",
    "src/lorries/lorry.c": 'const mc_vehicle_kind lorry_kind = {\n    .name = "truck",\n};\n',
    "src/parts/tyre.h": "#define TYRE_KINDS(kind) kind(brush) kind(none)\n",
    "src/parts/tyre_brush.c": 'const tyre_kind tyre_brush = {\n    .name = "brush",\n};\n',
    "src/parts/tyre_brush.h": "tyre_eval brush_eval_plain, brush_eval_avx2;\n",
    "src/parts/tyre_none.c": 'const tyre_kind tyre_none = {\n    .name = "none",\n};\n',
    "src/parts/suspension.h": "#define SUSPENSION_KINDS(kind) kind(leaf)\n",
    "src/parts/suspension_leaf.c": 'const suspension_kind suspension_leaf = {\n    .name = "leaf",\n};\n',
    "src/parts/suspension_leaf.h": "suspension_eval leaf_eval_plain, leaf_eval_avx2;\n",
    "src/parts/powertrain.h": "#define POWERTRAIN_KINDS(kind, chosen) \\\n    chosen(converter, MODEL)\n",
    "src/parts/powertrain_converter.c": "const powertrain_kind powertrain_converter = {\n"
                                        '    .name = "converter",\n};\n',
    "src/control/laws.c": "#define LAWS(law, chosen) law(pid) \\\n    chosen(platoon, STABILITY)\n",
    "src/control/law_pid.c": 'const law_text law_pid = {\n    .name = "pid",\n};\n',
    "src/control/law_platoon.c": 'const law_text law_platoon = {\n    .name = "platoon",\n};\n',
    # What is not a breach: comments, other meanings, words that have a name in them.
    "src/run/run.c": '// law: pid, as "truck"\n#include "run/run.h"\nx = row("none", "platoon");\n'
                     'if (display == "none") say("brushed", "no pedals: trucks");\n',
    "web/src/page.ts": 'const by = "platoon"; // "pid"\nimport { x } from "./truck";\n',
}
# Each: a file, its text, and the place and words the message must have.
PLANTED = [
    ("src/run/a.c", '\nif (strcmp(type->name, "truck") == 0)\n', 'a.c:2: names the vehicle type "truck"'),
    ("src/run/a.c", 'print("kind: truck\\n");', 'a.c:1: names the vehicle type "truck"'),
    ("src/run/a.c", 'if (strcmp(type->name, "point") == 0)', 'names the vehicle type "point"'),
    ("src/run/a.c", 'put("models: {car: point}");', 'names the vehicle type "point"'),
    ("src/run/a.c", 'put("{\\"kind\\": \\"point\\"}");', 'names the vehicle type "point"'),
    ("src/run/a.c", "return &vehicle_truck;", "a.c:1: vehicle_truck belongs to"),
    ("src/run/a.c", "n = lorry_axles(2);", "a.c:1: lorry_axles belongs to the vehicle type"),
    ("src/run/a.c", "b->kind == &lorry_kind", "lorry_kind belongs to the vehicle type"),
    ("src/run/a.c", '#include "lorries/lorry.h"\n', "lorries/lorry.h belongs to the vehicle type"),
    ("src/lorries/lorry.c", 'f("point", vehicle_find("point"));\nconst mc_vehicle_kind lorry_kind = {\n};',
     'lorry.c:1: names the vehicle type "point"'),
    ("src/vehicles/types.c", "return &vehicle_truck;", "types.c:1: vehicle_truck belongs to"),
    ("src/vehicles/point.c", "\nextern x vehicle_truck;\nconst mc_vehicle_type vehicle_point = {\n"
     '    .name = "point",\n    .kind = &dot_kind,\n};\n', "point.c:2: vehicle_truck belongs to"),
    ("src/vehicles/gear.h", '.doc = "law of the tyres; else brush"', 'names the tyre "brush"'),
    ("src/run/a.c", 'tyre_kind_find("none")', 'names the tyre "none"'),
    ("src/run/a.c", 'put("tyre: {kind: none}")', 'names the tyre "none"'),
    ("src/run/a.c", '#include "parts/tyre_brush.h"\n', "parts/tyre_brush.h belongs to the tyre"),
    ("src/parts/tyre_none.c", 'brush_eval_plain(p);\nconst tyre_kind tyre_none = {\n    .name = "none",\n};',
     "tyre_none.c:1: brush_eval_plain belongs to the tyre"),
    ("src/cosserat/a.h", '#include "parts/suspension_leaf.h"\n', "suspension_leaf.h belongs to the suspension"),
    ("src/medusa/a.c", "leaf_eval_plain(p);", "leaf_eval_plain belongs to the suspension"),
    ("src/medusa/a.c", 'if (is("leaf"))', 'names the suspension "leaf"'),
    ("src/scenario/keys.c", '{"kind", "a powertrain; converter if left out"}', 'the powertrain "converter"'),
    ("src/cli/a.c", 'out("  car: {powertrain: converter%s}")', 'the powertrain "converter"'),
    ("include/motorcade/a.h", "extern const x powertrain_converter;", "powertrain_converter belongs to"),
    ("src/linear/a.c", '    .law = "platoon",\n', 'a.c:1: names the law "platoon"'),
    ("src/cli/a.c", 'say("try: motorcade stability --law platoon")', 'names the law "platoon"'),
    ("src/scenario/a.c", 'c->name = "(platoon)";', 'names the law "platoon"'),
    ("src/scenario/a.c", "return &law_pid;", "law_pid belongs to the law"),
    ("src/cli/a.c", 'out("    law: pid\\n")', 'names the law "pid"'),
    ("web/src/form.ts", '\nif (c.law === "platoon") draw();', 'form.ts:2: names the law "platoon"'),
    ("web/src/form.ts", "const usual = 'truck';", 'form.ts:1: names the vehicle type "truck"'),
    ("web/src/form.ts", "const usual = `kind: ${x} brush`;", 'form.ts:1: names the tyre "brush"'),
    ("src/control/laws.c", "#define LAWS(law, chosen) law(pid) law(platoon) law(idm)\n", "defines law_idm"),
    ("src/control/laws.c", "\n", "no list LAWS"),
    ("src/control/law_pid.c", "const law_text law_pid = {\n};\n", "no file defines law_pid with a name"),
]


def messages_with(changed, text):
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {**SAMPLE, changed: text}.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        return check(Path(folder))[1]


def self_test():
    failures = 0
    good = messages_with("src/run/run.h", "\n")
    if good:
        failures += 1
        print("the good tree was rejected:", *good, sep="\n  ")
    for changed, text, expected in PLANTED:
        messages = messages_with(changed, text)
        if not any(expected in message for message in messages):
            failures += 1
            print(f"not found: {expected}", "got:", *messages, sep="\n  ")
    print(f"oneplace: {len(PLANTED)} planted breaches, {failures} failures")
    return failures > 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    count, messages, used = check(root)
    for entry in HOMONYMS + USERS:
        if entry not in used:
            messages.append(f"{__file__}:1: nothing needs the exception {entry[0]}, {entry[1]}")
    print(*messages, sep="\n", end="\n" if messages else "")
    print(f"oneplace: {count} kinds, {len(messages)} breaches")
    return len(messages) > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
