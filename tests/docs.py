#!/usr/bin/env python3
"""Checks README.md, the other *.md and docs/*.md against the program and the source.

usage: docs.py [ROOT] [--build FOLDER]   check (default: the tree this file is in, ROOT/build)
       docs.py [ROOT] --write            regenerate the tables of the pages
       docs.py --self-test               check that breaches are found

What is checked:
  links      every relative link leads to a file, every #anchor to a heading
  paths      every `src/...`, `tests/...` and so on between backquotes exists; * is a wildcard
  tables     the text between <!-- table NAME --> and <!-- end --> is what the C table says,
             or the glossary of tests/words.py
  page       the fields of frames that web/src names are those of src/record/quantity.c
  words      every option that `motorcade COMMAND -h` prints, every block, heading and tyre law of
             the source is in docs/manual.md between backquotes
  commands   code fences whose first line says more than a language:
    ```sh run            runs; must succeed. All blocks of a page share one shell and one folder,
                         which has copies of scenarios/, models/ and concepts/ and a link build/motorcade;
                         motorcade is on the path; the library is installed for blocks that say
                         pkg-config or find_package
    ```sh run h5py       the same; skipped where no Python with h5py is available; it finds the
                         package motorcade
    ```sh run mpi        the same; skipped where there is no motorcade-mpi
    ```sh run fails=2    must end with that exit code
    ```text expect       what the block before it prints: stdout, with fails= stderr. A line ...
                         stands for any lines, ... within a line for any characters
    ```c file=NAME       is written to NAME in the folder of the page (any language)
    ```c compile         compiles against include/ and src/, warnings are errors
    ```c part=FILE       is in FILE, word for word
Other fences are ignored. A breach is printed as file:line: what is wrong; the exit code is 1 if
there is any.
"""

import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

import words

COMPILE = "cc -std=gnu17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only -xc"
SHELL_LIMIT = 60  # s, for all commands of a page


# ---- C tables ------------------------------------------------------------------------------------

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|[{},]|[^\s{},"]+', re.S)


ROW_MACROS = {"STUDIO_OPTIONS": "studio.h", "CLI_HELP": "options.h", "CLI_DETAIL": "detail.h"}


def brake_row(use, header):
    """What a use of a row of the brakes, BRAKE_RATE_ROW or BRAKE_DELAY_ROW(2.0), stands for."""
    _, names, body = re.search(rf"#define ({use[1]})(?:\(([^()]*)\))?[ \n]+([{{].*)", header).groups()
    for name, value in zip((names or "").split(","), (use[2] or "").split(","), strict=True):
        body = re.sub(rf"\b{name.strip()}\b", value.strip(), body) if name else body
    return body


def with_macros(path):
    """The text of a C file, with the rows in it that macros of src/cli and of the brakes stand for."""
    text = path.read_text(encoding="utf-8")
    brake = path.parents[1] / "parts/brake.h"
    if brake.exists():
        header = brake.read_text(encoding="utf-8").replace("\\\n", " ")
        text = re.sub(r"(?<!define )\b(BRAKE_\w+_ROW)\b(?:\(([^()]*)\))?", lambda m: brake_row(m, header), text)
    for macro, header in ROW_MACROS.items():
        if path.parent.name == "cli" and re.search(rf"\b{macro}\b", text):
            lines = (path.parent / header).read_text(encoding="utf-8").replace("\\\n", " ")
            text = text.replace(macro, re.search(rf"#define {macro}\s+(.*)", lines)[1])
    return text


def c_rows(path, name):
    """The rows of the array `name` in a C file: lists of cells, designators left out."""
    text = with_macros(path)
    start = re.search(r"\b%s\s*\[[^\]]*\]\s*=\s*(?=\{)" % re.escape(name), text)
    if not start:
        raise ValueError(f"{path} has no array {name}")
    rows, cell, depth = [], [], 0
    for token in TOKEN.findall(text, start.end()):
        if token.startswith(("//", "/*")):
            continue
        if token == "{":
            depth += 1
            if depth == 2:
                rows.append([])
        elif token in "},":
            if cell and depth == 2:
                rows[-1].append("".join(cell))
            cell = []
            depth -= token == "}"
            if depth == 0:
                return rows
        elif depth == 2:
            cell.append(token[1:-1] if token[0] == '"' else token)
    raise ValueError(f"{path}: the array {name} does not end")


def number(text):
    """1e+06 and 0.001 as a person writes them."""
    value = float(text)
    short = re.sub(r"e([+-])0*", lambda m: "e" + m[1].strip("+"), f"{value:.10g}")
    if re.fullmatch(r"-?10{5,}", short):
        short = re.sub(r"(?<=1)0+", lambda m: f"e{len(m[0])}", short)
    return short


AXIS = re.compile(r"(?<=, )[xyz]$|(?<= along )[xyz]\b|(?<= the )[xyz](?= axis)")


def grouped(rows):
    """Rows that differ only in their axis become one: [names, doc with "x, y, z", row]."""
    groups = []
    for row in rows:
        found = AXIS.search(row[-1])
        frame = (AXIS.sub("*", row[-1]), row[1:-1])
        if groups and found and groups[-1]["frame"] == frame:
            groups[-1]["names"].append(row[0])
            groups[-1]["axes"].append(found[0])
        else:
            axes = [found[0]] if found else []
            groups.append({"names": [row[0]], "axes": axes, "frame": frame, "row": row})
    for g in groups:
        doc = g["frame"][0].replace("*", ", ".join(g["axes"])) if g["axes"] else g["row"][-1]
        yield " ".join(f"`{name}`" for name in g["names"]), doc, g["row"]


def param_table(root, path, name, first=None, last=None, with_default=True):
    rows = c_rows(root / path, name)
    names = [row[0] for row in rows]
    low = names.index(first) if first else 0
    high = names.index(last) if last else len(rows) - 1
    lines = ["| word | unit | range | meaning |", "|---|---|---|---|"]
    if with_default:
        lines = ["| key | unit | default | range | meaning |", "|---|---|---|---|---|"]
    for words, doc, (_, unit, fallback, least, most, _) in grouped(rows[low : high + 1]):
        default = f"{'' if fallback == 'NAN' else number(fallback)} | " if with_default else ""
        lines.append(f"| {words} | {unit} | {default}{number(least)} .. {number(most)} | {doc} |")
    return lines


def column_table(root, path, name, heading="column"):
    lines = [f"| {heading} | unit | meaning |", "|---|---|---|"]
    for words, doc, row in grouped(r[:3] for r in c_rows(root / path, name)):
        lines.append(f"| {words} | {row[1] or '-'} | {doc} |")
    return lines


def function_table(root):
    """Functions of formulas: those of language.c, then the mathematical ones of function.c."""
    lines = ["| function | value |", "|---|---|"]
    for row in c_rows(root / "src/expr/language.c", "builtins"):
        lines.append("| " + " or ".join(f"`{u}`" for u in row[3].split(" or ")) + f" | {row[4]} |")
    for row in c_rows(root / "src/expr/function.c", "rows"):
        lines.append(f"| `{row[0]}({'a' if row[2] == '1' else 'a, b'})` | {row[5]} |")
    return lines


def base_units(exponents):
    """m kg s as kg m/s^2."""
    length, mass, time = exponents
    powers = [("kg", mass), ("m", length), ("s", time)]

    def side(sign):
        found = [(name, sign * e) for name, e in powers if sign * e > 0]
        return [name + (f"^{e}" if e > 1 else "") for name, e in found]

    above, below = " ".join(side(1)) or "1", side(-1)
    under = f"({' '.join(below)})" if len(below) > 1 else "".join(below)
    return above + ("/" + under if under else "") if below or above != "1" else ""


def unit_table(root):
    lines = ["| unit | in SI | meaning |", "|---|---|---|"]
    for name, above, below, *exponents, doc in c_rows(root / "src/expr/unit.c", "units"):
        top = math.prod(math.pi if f == "PI" else float(f) for f in above.split("*"))
        si = f"{number(str(top / float(below)))} {base_units([int(e) for e in exponents])}"
        lines.append(f"| `{name}` | {si.strip()} | {doc} |")
    return lines


KEYS = "src/mechanism_file/keys.c"
JOINTS = {"0": "all", "TURNING": "hinge, prism", "MOVING": "all but fixed", "TREE": "all", "GRAPH": "none (graph)"}
JOINTS |= {"ROUND": "cylinder, wheel", "PLACED": "box, cylinder, wheel, mesh"}  # kinds of shapes


def joints_of(mask):
    words = ", ".join(re.findall(r"M(?:B|C_SHAPE)_(\w+)", mask)).lower()
    return JOINTS.get(mask) or words + (", graph" if "GRAPH" in mask else "")


def key_table(root, section):
    """Keys of one kind of map of a mechanism file; those of bodies say for which joints they are, those of
    shapes for which kinds."""
    joints = section in ("body", "shape")
    lines = ["| key | unit | meaning |", "|---|---|---|"]
    if joints:
        lines = [f"| key | unit | {'joints' if section == 'body' else 'kinds'} | meaning |", "|---|---|---|---|"]
    for row, name, unit, doc, mask, *_ in c_rows(root / KEYS, "keys"):
        if row == "MULTIBODY_" + section.upper():
            unit = unit.replace("*", " ") or "-"
            lines.append(f"| `{name}` | {unit} | {joints_of(mask) + ' | ' if joints else ''}{doc} |")
    return lines


# ---- scenarios: keys, parameters, laws ----

SCENARIO_KEYS = "src/scenario/keys.c"


def limit(text):
    """A bound of the table of keys: a number or the macro FAR."""
    return number(text.replace("FAR", "1e7"))


def scenario_table(root, section):
    """Keys of one kind of map of a scenario file."""
    lines = ["| key | unit | default | range | meaning |", "|---|---|---|---|---|"]
    for row in c_rows(root / SCENARIO_KEYS, "keys"):
        owner, name, kind, needed, _, unit, fallback, least, most, doc = row
        if owner != "SECTION_" + section.upper():
            continue
        numeric = kind in ("TYPE_NUMBER", "TYPE_WHOLE") and unit
        span = f"{limit(least)} .. {limit(most)}" if numeric else ""
        default = "needed" if needed == "true" else ""
        if numeric and fallback != "NAN":
            default = number(fallback)
        lines.append(f"| `{name}` | {unit.replace('*', ' ')} | {default} | {span} | {doc} |")
    return lines


def terrain_table(root, section):
    """Keys of one kind of map of terrain."""
    lines = ["| key | unit | default | range | meaning |", "|---|---|---|---|---|"]
    for row in c_rows(root / "src/terrain_file/keys.c", "keys"):
        owner, name, form, _, unit, fallback, least, most, doc = row
        if owner != "TERRAIN_" + section.upper():
            continue
        numeric = form in ("TERRAIN_NUMBER", "TERRAIN_WHOLE") and unit
        span = f"{limit(least)} .. {limit(most)}" if numeric else ""
        default = number(fallback) if numeric and fallback != "NAN" else ""
        lines.append(f"| `{name}` | {unit.replace('*', ' ')} | {default} | {span} | {doc} |")
    return lines


def friction_table(root):
    """Friction of surfaces x conditions x tyres; a star where it is chosen."""
    text = (root / "src/parts/friction.c").read_text(encoding="utf-8")
    conditions = ("dry", "wet", "frozen")
    lines = ["| surface | condition | summer | winter | all_terrain | truck |", "|---|---|---|---|---|---|"]
    for name, block in re.findall(r"\[FRICTION_(\w+)\] =\s*\{\{(.*?)\}\},\n", text, re.S):
        for condition, row in zip(conditions, block.split("{")):
            cells = [mu + ("*" if kind == "C" else "") for kind, mu in re.findall(r"\b([TC])\(([\d.]+)\)", row)]
            lines.append(f"| {name.lower()} | {condition} | {' | '.join(cells)} |")
    return lines


STRING = r'"(?:\\.|[^"\\])*"'
SCHEMA = "schema/scenario.schema.json"  # a test compares it with what the program prints


def model_table(root):
    """Keys of a model: those of all vehicle types; their numbers have tables of their own."""
    lines = ["| key | unit | default | range | meaning |", "|---|---|---|---|---|"]
    model = json.loads((root / SCHEMA).read_text(encoding="utf-8"))["definitions"]["model"]
    for name, key in model["properties"].items():
        if any(one.get("type") == "number" for one in key.get("anyOf", [])):
            continue
        doc, _, default = key["description"].partition("; default ")
        span = f"{number(key['minimum'])} .. {number(key['maximum'])}" if default else ""
        lines.append(f"| `{name}` | {'-' if default else ''} | {default} | {span} | {doc} |")
    return lines


def type_table(root):
    """The vehicle types: a row per file of src/vehicles that defines one."""
    lines = ["| kind | what it is |", "|---|---|"]
    listed = (root / "src/vehicles/types.h").read_text(encoding="utf-8").replace("\\\n", "")
    for name in re.findall(r"\b\w+\((\w+)\)", re.search(r"#define VEHICLE_TYPES\([^)]*\)(.*)", listed)[1]):
        text = (root / f"src/vehicles/{name}.c").read_text(encoding="utf-8")
        row = text[text.index(f"mc_vehicle_type vehicle_{name} ="):]
        doc = "".join(s[1:-1] for s in re.findall(STRING, re.search(rf"\.doc =\s*((?:{STRING}\s*)+)", row)[1]))
        lines.append(f"| `{name}` | {doc} |")
    return lines


def concept_table(root, section):
    """Keys of one kind of map of a concept file."""
    lines = ["| key | unit | needed | range | meaning |", "|---|---|---|---|---|"]
    schema = json.loads((root / "schema/concept.schema.json").read_text(encoding="utf-8"))["definitions"][section]
    for name, key in schema["properties"].items():
        doc, _, unit = key["description"].partition(" [")
        span = f"{number(str(key['minimum']))} .. {number(str(key['maximum']))}" if "minimum" in key else ""
        need = "yes" if name in schema.get("required", []) else ""
        lines.append(f"| `{name}` | {unit.rstrip(']').replace('*', ' ') or '-'} | {need} | {span} | {doc} |")
    return lines


def option_table(root, command, folder="cli"):
    lines = ["| option | meaning |", "|---|---|"]
    for letter, name, value, doc, *_ in c_rows(root / f"src/{folder}/{command}.c", "options"):
        value = "" if value == "NULL" else " " + value.strip().replace("|", "\\|")
        short = f"`-{letter[1]}` " if letter != "0" else ""
        words = f"`-{letter[1]}{value}`" if name == "NULL" else f"{short}`--{name}{value}`"
        lines.append(f"| {words} | {doc} |")
    return lines


def law_card(root, name, family="law"):
    """What a user reads about a control law, and its parameters."""
    parts = (root / "src/control/law_parts.h").read_text(encoding="utf-8").replace("\\\n", "")
    text = (root / f"src/control/{family}_{name}.c").read_text(encoding="utf-8")
    for macro, value in re.findall(r"#define (LAW_FREE_PARAMS|LAW_FREE_TEXT)\s+(.*)", parts):
        text = text.replace(macro, value.strip())

    def words(field):
        found = re.search(rf"\.{field} =\s*((?:{STRING}\s*)+)", text)
        return "".join(s[1:-1] for s in re.findall(STRING, found[1]))

    lines = [f"{words('doc')[0].upper()}{words('doc')[1:]}.", ""]
    lines.append(f"- Equation: `{words('equation')}`")
    for field in ("source", "stability", "limits"):
        lines.append(f"- {field.capitalize()}: {words(field).rstrip('.')}.")
    lines += ["", "| parameter | unit | default | range | meaning |", "|---|---|---|---|---|"]
    rows = re.search(r"params\[\] = \{(.*?)\n\};", text, re.S)[1]
    for row in re.findall(r"\{([^{}]*)\}", rows):
        key, unit, doc = (s[1:-1] for s in re.findall(STRING, row))
        default, low, high = (number(n) for n in re.findall(r"(?<=, )[-\d.e]+(?=,)", row))
        lines.append(f"| `{key}` | {unit} | {default} | {low} .. {high} | {doc} |")
    return lines


def powertrain_names(root):
    text = (root / "src/parts/powertrain.h").read_text(encoding="utf-8").replace("\\\n", "")
    return re.findall(r"\b\w+\((\w+)[^)]*\)", re.search(r"#define POWERTRAIN_KINDS\([^)]*\)(.*)", text)[1])


def law_names(root):
    text = (root / "src/control/laws.c").read_text(encoding="utf-8").replace("\\\n", "")
    return re.findall(r"\b\w+\((\w+)[^)]*\)", re.search(r"#define LAWS\([^)]*\)(.*)", text)[1])


def steering_names(root):
    text = (root / "src/control/steerings.c").read_text(encoding="utf-8").replace("\\\n", "")
    return re.findall(r"\blaw\((\w+)\)", re.search(r"#define STEERINGS\(\w+\)(.*)", text)[1])


def law_table(root, names=law_names, family="law"):
    lines = ["| law | what it does |", "|---|---|"]
    for name in names(root):
        lines.append(f"| [{name}](#{name}) | {law_card(root, name, family)[0].rstrip('.')} |")
    return lines


def figure_table(root):
    """Figures of a run, with what they are of the whole run."""
    over = {"OVER_RUN": "itself", "OVER_MAX": "largest", "OVER_MIN": "smallest", "OVER_SUM": "sum",
            "OVER_MEAN": "mean", "OVER_ALL": "all fuel by all distance", "OVER_NONE": "-"}
    lines = ["| figure | unit | of the run | meaning |", "|---|---|---|---|"]
    for name, unit, kind, doc in c_rows(root / "src/measure/figures.c", "mc_figure_table"):
        lines.append(f"| `{name}` | {unit} | {over[kind[len('MC_FIGURE_'):]]} | {doc} |")
    return lines


def frame_fields(root):
    """Names, units and meanings of the fields of frames, in the order of their bits."""
    header = (root / "include/motorcade/quantity.h").read_text(encoding="utf-8")
    words = re.findall(r"^ +MC_FIELD_(\w+)", header, re.M)
    source = root / "src/record/quantity.c"
    rows = {row[0]: row for row in c_rows(source, "mc_field_table")}
    names = dict(re.findall(r'\[MC_FIELD_(\w+)\] = \{"(\w+)"', source.read_text(encoding="utf-8")))
    return [rows[names[word]] for word in words[: words.index("FRAME_COUNT")]]


def quantity_table(root):
    """Quantities of a vehicle, and where each is seen."""
    source = root / "src/record/quantity.c"
    words = dict(re.findall(r'\[MC_FIELD_(\w+)\] = \{"(\w+)"', source.read_text(encoding="utf-8")))
    seen = {"studio": {row[0] for row in frame_fields(root)}}
    for kind, path in (("run", "src/play/source.c"), ("medusa", "src/medusa/run.c")):
        text = (root / path).read_text(encoding="utf-8")
        fields = re.search(r"motion_fields\[\] = \{(.*?)\}", text, re.S)[1]
        seen[kind] = {words[word] for word in re.findall(r"MC_FIELD_(\w+)", fields)}
    seen["run"].add("fuel")  # a channel of vehicles with an engine
    lines = ["| quantity | unit | in | meaning |", "|---|---|---|---|"]
    for name, unit, doc in c_rows(source, "mc_field_table"):
        where = ", ".join(kind for kind in ("run", "medusa", "studio") if name in seen[kind])
        lines.append(f"| `{name}` | {unit} | {where} | {doc} |")
    return lines


def frame_table(root):
    lines = ["| bit | field | unit | meaning |", "|---|---|---|---|"]
    for bit, (name, unit, doc) in enumerate(frame_fields(root)):
        lines.append(f"| {bit} | `{name}` | {unit} | {doc} |")
    return lines


def check_page_fields(root):
    """The page's list of fields against the table it is taken from."""
    path = root / "web/src/wire/protocol.ts"
    if not path.is_file():
        return
    text = path.read_text(encoding="utf-8")
    found = re.search(r"export const FIELDS = \[(.*?)\] as const", text, re.S)
    fields = re.findall(r'"(\w+)"', found[1]) if found else []
    expected = [row[0] for row in frame_fields(root)]
    if fields != expected:
        line = text[: found.start()].count("\n") + 1 if found else 1
        yield f"{path}:{line}: FIELDS are {', '.join(fields)}; expected {', '.join(expected)}"


def identify_table(root):
    """Options of `motorcade identify`: one for each parameter of the bench, then its others."""
    lines = ["| option | unit | default | range | meaning |", "|---|---|---|---|---|"]
    for name, unit, *numbers, doc in c_rows(root / "src/rig/identify.c", "mc_identify_params"):
        default, least, most = map(number, numbers)
        word = name.replace("_", "-")
        lines.append(f"| `--{word}` | {unit} | {default} | {least} .. {most} | {doc} |")
    for letter, name, value, doc, *_ in c_rows(root / "src/cli/identify.c", "others"):
        short = f"`-{letter[1]}` " if letter != "0" else ""
        value = "" if value == "NULL" else " " + value
        lines.append(f"| {short}`--{name}{value}` | | | | {doc} |")
    return lines


def glossary_table(_):
    """What not to write, and what to write instead: the samples of words.py."""
    lines = ["| not | but |", "|---|---|"]
    for _, rather, kinds, sample, _ in words.GLOSSARY.values():
        lines.append(f"| {f'`{sample}`' if kinds == ('names',) else sample} | {rather} |")
    return lines


def coefficient_table(root):
    """Coefficients of tyre property files, by the sections of the file."""
    text = (root / "src/parts/tyre_pac2002.h").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = ["| key | built-in | needed | meaning |", "|---|---|---|---|"]
    needs = {"MAY": "", "ALWAYS": "always", "FX": "with Fx", "FY": "with Fy", "COMBINED": "with combined slip"}
    before = None
    for section, name, value, need, doc in re.findall(
        r'row\((\w+), (\w+), ([^,]+), PAC2002_(\w+),\s*"([^"]*)"\)', text
    ):
        if section != before:
            lines.append(f"| **`[{section}]`** | | | |")
        before = section
        lines.append(f"| `{name}` | {number(value)} | {needs[need]} | {doc} |")
    return lines


SECTIONS = (
    "top parameter input body orientation shape point spring force torque joint constraint state wheel contact limit motor "
    "simulate"
).split()
SCENARIO_SECTIONS = (
    "top time road road_profile grade friction road_line bank road_section ramp ersc contact obstacle profile powertrain "
    "tyre_law controller fallback law steering steering_law estimator estimator_method "
    "parameter state linear platoon leader cars vehicle source event drive record"
).split()
COMMANDS = """convert derive fmu accel simulate kinematics inverse linearize dynavis verify laws stability stability_steering check run report picture
    plot sweep powertrain tyre studio dynavis_calls road manoeuvre concept""".split()
CONCEPT_SECTIONS = """concept material assembly beam section panel component cylinder extrusion mesh tank build_out connection point
    axle link spring damper wheel tyre rack drive simulate road bump""".split()
MODEL, PLATOON = "src/cosserat/model.c", "src/medusa/platoon.c"
CALSPAN, RECORD = "src/parts/tyre_calspan.c", "src/record/tables.c"
TABLES = {  # name in the page: how its lines are made
    "cosserat_point": lambda r: param_table(r, MODEL, "cosserat_params", "MASS", "VOLUME", False),
    "suspension": lambda r: param_table(r, MODEL, "cosserat_params", "L1", "D2", False),
    "tyre": lambda r: param_table(r, MODEL, "cosserat_params", "TYRE", "TYRE", False),
    "contact": lambda r: param_table(r, MODEL, "cosserat_params", "A1", "A3", False),
    "equilibrium": lambda r: param_table(r, MODEL, "cosserat_params", "R3", "D33", False),
    "vehicle": lambda r: param_table(r, PLATOON, "medusa_vehicle_params", with_default=False),
    "calspan": lambda r: param_table(r, CALSPAN, "params"),
    "brush": lambda r: param_table(r, "src/parts/tyre_brush.c", "params"),
    **{
        k: lambda r, k=k: param_table(r, f"src/parts/tyre_{k}.c", "params")
        for k in ("fiala", "tmeasy", "pac89", "pac2002")
    },
    "pac2002_coefficients": coefficient_table,
    "suspension_model": lambda r: param_table(r, "src/parts/suspension_linear.c", "params"),
    "suspension_stiffening": lambda r: param_table(r, "src/parts/suspension_stiffening.c", "params"),
    "contact_model": lambda r: param_table(r, MODEL, "shape_params"),
    "chassis_model": lambda r: param_table(r, "src/cosserat/plastic.c", "plastic_params"),
    "obstacle_params": lambda r: param_table(r, "src/contact/obstacle.c", "obstacle_params"),
    "surface_slope": lambda r: param_table(r, "src/road/shape.c", "slope_params"),
    "surface_waves": lambda r: param_table(r, "src/road/shape.c", "waves_params"),
    "obstacle_place": lambda r: param_table(r, "src/medusa/surroundings.c", "medusa_obstacle_params"),
    "drive_model": lambda r: param_table(r, "src/parts/running_gear.c", "drive_params"),
    "inputs": lambda r: param_table(r, PLATOON, "medusa_input_params", with_default=False),
    "seven_directors": lambda r: param_table(r, "src/cosserat/higher.c", "higher_params"),
    "pose": lambda r: column_table(r, RECORD, "record_pose_columns"),
    "higher": lambda r: column_table(r, "src/medusa/run.c", "higher_columns"),
    "energy": lambda r: column_table(r, RECORD, "record_energy_columns"),
    "vehicles": lambda r: column_table(r, RECORD, "record_vehicle_columns"),
    "impacts": lambda r: column_table(r, RECORD, "record_impact_columns"),
    "events": lambda r: column_table(r, RECORD, "record_event_columns"),
    "collisions": lambda r: column_table(r, "src/measure/collisions.c", "columns"),
    "frame_fields": frame_table,
    "quantities": quantity_table,
    "figures": figure_table,
    "glossary": glossary_table,
    "identify": identify_table,
    "dynavis_items": lambda r: param_table(r, "src/dynavis/params.c", "mc_dynavis_param_rows"),
    "dynavis_cars": lambda r: param_table(
        r, "src/dynavis/models.c", "mc_dynavis_model_rows", with_default=False
    ),
    "functions": function_table,
    "units": unit_table,
    "signals": lambda r: column_table(r, "src/control/signal.c", "law_signals", "name"),
    "estimator_signals": lambda r: column_table(
        r, "src/control/estimators.c", "estimator_signals", "name"
    ),
    "estimator_params": lambda r: param_table(
        r, "src/control/identify.c", "identify_params", "start", "excitation"
    ),
    "avoid": lambda r: param_table(r, "src/control/avoid.c", "avoid_params"),
    "drive": lambda r: param_table(r, "src/parts/running_gear.c", "drive_params"),
    "wheels": lambda r: param_table(r, "src/parts/tyre_vertical.c", "vertical_params"),
    "vehicle_types": type_table,
    "laws": law_table,
    "steering_laws": lambda r: law_table(r, steering_names, "steering"),
    **{
        f"steering_{n}": lambda r, n=n: law_card(r, n, "steering")
        for n in steering_names(Path(__file__).parents[1])
    },
    "steering_signals": lambda r: column_table(
        r, "src/control/steerings.c", "steering_signals", "name"
    ),
    **{
        f"manoeuvre_{k}": lambda r, f=f, k=k: param_table(r, f"src/manoeuvre/{f}.c", f"{k}_params")
        for f, k in (
            ("steady_circle", "circle"), ("steady_circle", "turn"), ("transient", "step"),
            ("transient", "dwell"), ("transient", "hook"), ("split_mu", "split"),
        )
    },
    **{
        f"figures_{k}": lambda r, f=f, k=k: column_table(r, f"src/manoeuvre/{f}.c", f"{k}_figures", "figure")
        for f, k in (
            ("steady_circle", "circle"), ("steady_circle", "turn"), ("transient", "step"),
            ("transient", "dwell"), ("transient", "hook"), ("split_mu", "split"),
        )
    },
    "manoeuvre_3888_1": lambda r: param_table(r, "src/manoeuvre/double_lane_change.c", "params_1"),
    "manoeuvre_3888_2": lambda r: param_table(r, "src/manoeuvre/double_lane_change.c", "params_2"),
    "figures_3888": lambda r: column_table(
        r, "src/manoeuvre/double_lane_change.c", "figures", "figure"
    ),
    "lane_change": lambda r: param_table(r, "src/control/lane_change.c", "lane_change_params"),
    "ersc": lambda r: param_table(r, "src/control/ersc.c", "ersc_params"),
    **{f"law_{n}": lambda r, n=n: law_card(r, n) for n in law_names(Path(__file__).parents[1])},
    **{f"keys_{s}": lambda r, s=s: key_table(r, s) for s in SECTIONS},
    **{f"concept_{s}": lambda r, s=s: concept_table(r, s) for s in CONCEPT_SECTIONS},
    **{f"scenario_{s}": lambda r, s=s: scenario_table(r, s) for s in SCENARIO_SECTIONS},
    **{f"terrain_{s}": lambda r, s=s: terrain_table(r, s) for s in ("top", "feature", "term", "spot")},
    "friction": friction_table,
    "scenario_model": model_table,
    "cars": lambda r: param_table(r, "src/cars/car.c", "car_params"),
    "planar": lambda r: param_table(r, "src/planar/model.c", "planar_params"),
    **{
        k: lambda r, k=k: param_table(r, f"src/parts/powertrain_{k}.c", "params")
        for k in powertrain_names(Path(__file__).parents[1])
    },
    "faults": lambda r: param_table(r, "src/event/kinds.c", "event_rows"),
    "inner": lambda r: param_table(r, "src/control/inner.c", "inner_params"),
    "radio": lambda r: param_table(r, "src/control/link.c", "link_params"),
    "sensor": lambda r: param_table(r, "src/control/link.c", "sensor_params"),
    **{f"options_{c}": lambda r, c=c: option_table(r, c) for c in COMMANDS},
    "options_mpi_run": lambda r: option_table(r, "run", "mpi"),
}
MARK = re.compile(r"<!-- table (\w+) -->\n(.*?)<!-- end -->", re.S)


def table_now(root, name):
    return "\n".join(TABLES[name](root)) + "\n"


def check_tables(root, page):
    text = page.read_text(encoding="utf-8")
    for match in MARK.finditer(text):
        place = f"{page}:{text.count(chr(10), 0, match.start()) + 1}"
        if match.group(1) not in TABLES:
            yield f"{place}: no table is called {match.group(1)}; known: {', '.join(TABLES)}"
        elif match.group(2) != table_now(root, match.group(1)):
            yield f"{place}: table {match.group(1)} is not what the source says: docs.py --write"


def write_tables(root, page):
    old = page.read_text(encoding="utf-8")
    new = MARK.sub(
        lambda m: f"<!-- table {m[1]} -->\n{table_now(root, m[1])}<!-- end -->", old
    )
    if new != old:
        page.write_text(new, encoding="utf-8")
    return new != old


# ---- links, paths, words -------------------------------------------------------------------------

LINK = re.compile(r"\]\(([^()\s]+)\)")
PATH = re.compile(r"`((?:src|tests|include|scripts|scenarios|docs|cmake|bench)/[\w./*-]+)`")


def outside_fences(text):
    """(line number, line) of everything that is not code."""
    fenced = False
    for number_, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number_, line


def anchors_of(page):
    """Headings as GitHub names them."""
    names = set()
    for _, line in outside_fences(page.read_text(encoding="utf-8")):
        if line.startswith("#"):
            title = re.sub(r"[`*]", "", line.lstrip("#").strip()).lower()
            names.add(re.sub(r"[^\w\- ]", "", title).replace(" ", "-"))
    return names


def check_links(root, page):
    for number_, line in outside_fences(page.read_text(encoding="utf-8")):
        for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = (page.parent / name).resolve() if name else page
            if not file.exists():
                yield f"{page}:{number_}: link to {target}: no such file"
            elif anchor and anchor not in anchors_of(file):
                yield f"{page}:{number_}: link to {target}: no such heading"
        for name in PATH.findall(line):
            if not any(root.glob(name.rstrip("/"))):
                yield f"{page}:{number_}: `{name}` does not exist"


def words_of_source(root):
    models = root / "src/medusa/models.c"
    yield from (row[1] for row in c_rows(models, "headings"))
    yield from (row[0] for row in c_rows(models, "blocks"))
    for part in ("tyre", "suspension"):
        listed = (root / f"src/parts/{part}.h").read_text(encoding="utf-8").replace("\\\n", " ")
        yield from re.findall(r"\bkind\((\w+)\)", re.search(r"#define \w+_KINDS\(kind\)(.*)", listed)[1])


def words_of_help(binary):
    top = subprocess.run([binary, "-h"], capture_output=True, text=True, check=True)
    for command in re.findall(r"^  (\w+)  ", top.stdout, re.M):
        text = subprocess.run([binary, command, "-h"], capture_output=True, text=True, check=True)
        yield from re.findall(r"^(-\w)", text.stdout, re.M)
        yield from re.findall(r"(?:^|, )(--[\w-]+)", text.stdout, re.M)


def check_words(root, binary):
    manual = root / "docs" / "manual.md"
    text = manual.read_text(encoding="utf-8")
    quoted = " ".join(re.findall(r"`([^`\n]+)`", text))
    for word in sorted({*words_of_source(root), *words_of_help(binary)}):
        # an option letter may carry its value: `-tx.xx`
        end = "" if re.fullmatch(r"-\w", word) else r"(?![\w-])"
        if not re.search(r"(?<![\w-])" + re.escape(word) + end, quoted):
            yield f"{manual}:1: `{word}` is known to the program and not in the manual"


# ---- commands ------------------------------------------------------------------------------------


class Block:
    def __init__(self, line, info):
        self.line, self.lines = line, []
        words = info.split()
        self.language = words[0] if words else ""
        self.flags = {w.partition("=")[0]: w.partition("=")[2] for w in words[1:]}

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"


def blocks_of(page):
    block = None
    for number_, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if block is not None and line.startswith("```"):
            yield block
            block = None
        elif block is not None:
            block.lines.append(line)
        elif line.startswith("```"):
            block = Block(number_, line[3:])


def line_pattern(line):
    return ".*".join(re.escape(part) for part in line.rstrip().split("..."))


def matches(expected, got):
    """Do the lines match, where a line ... stands for any lines?"""
    pattern = ""
    for line in expected:
        pattern += r"(?:[^\n]*\n)*?" if line.strip() == "..." else line_pattern(line) + r"\n"
    text = "".join(line.rstrip() + "\n" for line in got)
    return re.fullmatch(pattern, text) is not None


def trimmed(lines):
    lines = list(lines)
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


@lru_cache(maxsize=None)
def python_with_h5py():
    for name in (sys.executable, "/usr/bin/python3"):
        try:
            if subprocess.run([name, "-c", "import h5py"], capture_output=True).returncode == 0:
                return name
        except OSError:
            pass
    return None


class Tools:
    """What the commands of all pages find on the path: the program, Python, the library."""

    def __init__(self, root, build, folder):
        self.root, self.build, self.folder = root, build, folder
        self.binary = build / "motorcade"
        self.python = python_with_h5py()
        bin_ = folder / "bin"
        bin_.mkdir()
        for name in ("motorcade", "medusa"):
            (bin_ / name).symlink_to(self.binary)
        self.mpi = (build / "motorcade-mpi").is_file() and shutil.which("mpirun") is not None
        if self.mpi:
            (bin_ / "motorcade-mpi").symlink_to(build / "motorcade-mpi")
        if self.python:
            (bin_ / "python3").write_text(f'#!/bin/sh\nexec "{self.python}" "$@"\n')
            (bin_ / "python3").chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{bin_}:{os.environ['PATH']}", "LC_ALL": "C"}
        self.environment["PYTHONPATH"] = str(root / "python")
        self.environment["PYTHONDONTWRITEBYTECODE"] = "1"
        for name in ("ALLOW_RUN_AS_ROOT", "ALLOW_RUN_AS_ROOT_CONFIRM", "MCA_rmaps_base_oversubscribe"):
            self.environment[f"OMPI_{name}"] = "1"
        self.environment["MOTORCADE_LIBRARY"] = str(build / "libmotorcade.so")

    def install(self):
        """The library below a prefix of its own, where compilers, CMake and programs find it."""
        prefix = self.folder / "prefix"
        if not prefix.exists():
            subprocess.run(
                ["cmake", "--install", self.build, "--prefix", prefix],
                check=True,
                capture_output=True,
            )
            libraries = next(prefix.rglob("libmotorcade.so")).parent
            self.environment["PKG_CONFIG_PATH"] = str(libraries / "pkgconfig")
            self.environment["LD_LIBRARY_PATH"] = str(libraries)
            self.environment["CMAKE_PREFIX_PATH"] = str(prefix)


def page_script(blocks, folder):
    """One shell script of all blocks; each writes its number, then its output, to files."""
    script = ["set -eo pipefail"]
    for k, block in enumerate(blocks):
        script.append(f"echo {k} >'{folder}/now'")
        if "file" in block.flags:
            (folder / f"file{k}").write_text(block.text, encoding="utf-8")
            script.append(f"cp '{folder}/file{k}' '{block.flags['file']}'")
        elif "fails" in block.flags:
            output = f">'{folder}/out{k}' 2>'{folder}/err{k}'"
            script.append(f"code=0; (\n{block.text}) {output} || code=$?")
            script.append(f"[ $code = {block.flags['fails']} ] || exit 100")
        else:
            script.append(f"{{\n{block.text}}} >'{folder}/out{k}' 2>'{folder}/err{k}'")
    return "\n".join(script) + "\n"


def run_page(page, tools):
    """Runs the blocks of a page; yields breaches."""
    blocks = []
    for block in blocks_of(page):
        if block.flags.keys() & {"run", "file", "expect"}:
            blocks.append(block)
    for flag, at_hand, what in (("h5py", tools.python, "Python with h5py"), ("mpi", tools.mpi, "motorcade-mpi")):
        skipped = [b for b in blocks if flag in b.flags and not at_hand]
        blocks = [
            b
            for k, b in enumerate(blocks)
            if b not in skipped and not ("expect" in b.flags and blocks[k - 1] in skipped)
        ]
        if skipped:
            print(f"{page}:{skipped[0].line}: passed over, no {what} at hand")
    if any(re.search("pkg-config|find_package", b.text) for b in blocks):
        tools.install()
    folder = Path(tempfile.mkdtemp(dir=tools.folder))
    work, runs = folder / "work", [b for b in blocks if "expect" not in b.flags]
    (work / "build").mkdir(parents=True)
    (work / "build" / "motorcade").symlink_to(tools.binary)
    for name in ("scenarios", "models", "concepts"):
        if (tools.root / name).is_dir():
            shutil.copytree(tools.root / name, work / name)
    script = page_script(runs, folder)
    environment = {**tools.environment, "HOME": str(work)}
    try:
        done = subprocess.run(
            ["bash", "-c", script], cwd=work, env=environment, timeout=SHELL_LIMIT,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        yield f"{page}:1: its commands take more than {SHELL_LIMIT} s"
        return
    if done.returncode != 0:
        k = int((folder / "now").read_text())
        tail = [f"{page}:{runs[k].line}: the command fails"]
        for name in (f"out{k}", f"err{k}"):
            if (folder / name).exists():
                tail += (folder / name).read_text(errors="replace").splitlines()[-15:]
        yield "\n    ".join(tail + done.stdout.splitlines()[-5:])
        return
    before = None
    for block in blocks:
        if "expect" not in block.flags:
            before = block
        elif before is None or "run" not in before.flags:
            yield f"{page}:{block.line}: nothing runs before this output"
        else:
            name = "err" if "fails" in before.flags else "out"
            got = trimmed((folder / f"{name}{runs.index(before)}").read_text().splitlines())
            if not matches(trimmed(block.lines), got):
                yield "\n    ".join([f"{page}:{block.line}: the program prints something else:", *got])


def check_compile(root, page):
    for block in blocks_of(page):
        if "compile" in block.flags:
            done = subprocess.run(
                [*COMPILE.split(), f"-I{root / 'include'}", f"-I{root / 'src'}", "-"],
                input=block.text, capture_output=True, text=True,
            )  # fmt: skip
            if done.returncode != 0:
                yield f"{page}:{block.line}: does not compile\n{done.stderr}"
        part = block.flags.get("part")
        if part and block.text not in (root / part).read_text(encoding="utf-8"):
            yield f"{page}:{block.line}: is not in {part} as it is shown"


# ---- all -----------------------------------------------------------------------------------------


def pages_of(root):
    readme = root / "README.md"
    others = [page for page in sorted(root.glob("*.md")) if page != readme]
    return [readme, *others, *sorted((root / "docs").glob("*.md"))]


def check(root, build):
    messages = []
    for page in pages_of(root):
        if not page.is_file():
            messages.append(f"{page}: does not exist")
            continue
        messages += [*check_links(root, page), *check_tables(root, page), *check_compile(root, page)]
    if messages:
        return messages
    if not (build / "motorcade").is_file():
        return [f"{build / 'motorcade'} does not exist: build first"]
    messages += check_words(root, build / "motorcade")
    messages += check_page_fields(root)
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(root, build, Path(folder))
        for page in pages_of(root):
            messages += run_page(page, tools)
    return messages


# ---- self-test -----------------------------------------------------------------------------------

GOOD = {
    "README.md": """# Top
[manual](docs/manual.md) and [words](docs/manual.md#all-words), `src/parts/tyre.c`
```sh run
cd scenarios
motorcade say hello
```
```text expect
hel...
```
```txt file=x.txt
kept
```
```sh run
cat x.txt # the folder is still that of the block before
printf 'a\\nb\\nc\\n'
```
```text expect
kept
a
...
c
```
```sh run fails=3
build/motorcade fail || ../build/motorcade fail
```
```text expect
...
no
```
""",
    "docs/manual.md": """# Manual
## All words
`-x` `--extra` `SHAPE` `SHAPE_MODEL` `round`
<!-- table suspension_model -->
| key | unit | default | range | meaning |
|---|---|---|---|---|
| `lift_off` | - | 1 | 0 .. 1 | one, two |
<!-- end -->
<!-- table keys_body -->
| key | unit | joints | meaning |
|---|---|---|---|
| `axis` | - | hinge, prism | which way |
| `mass` | kg m^2 | all | heavy |
| `only` | - | free | one |
<!-- end -->
<!-- table keys_point -->
| key | unit | meaning |
|---|---|---|
| `at` | m | where |
<!-- end -->
<!-- table options_derive -->
| option | meaning |
|---|---|
| `-o` `--output FILE` | where, and what |
| `--loud` | noise |
<!-- end -->
```c compile
#include "parts/tyre.h"
int f(void) { return TYRE; }
```
```c part=src/parts/tyre.c
int g(void);
```
""",
    "src/parts/suspension_linear.c": """
static const mc_param params[COUNT] = {
    [LIFT] = {"lift_off", "-", 1.0, 0.0, 1.0, // a remark
              "one, "
              "two"},
};""",
    "src/medusa/models.c": 'x headings[] = {{A, "SHAPE", "m"}}; blocks[N] = {[T] = {"SHAPE_MODEL", "a"}};',
    "src/parts/tyre.c": "// a tyre\nint g(void);\n",
    "src/parts/tyre.h": "#define TYRE_KINDS(kind) kind(round)\nenum { TYRE = 1 };",
    "src/parts/suspension.h": "#define SUSPENSION_KINDS(kind) kind(round)",
    "include/motorcade/none.h": "",
    "include/motorcade/quantity.h": "    MC_FIELD_V,\n    MC_FIELD_FRAME_COUNT,\n    MC_FIELD_X = 1,\n",
    "src/record/quantity.c": 'x mc_field_table[] = {[MC_FIELD_V] = {"v", "m/s", "fast"}};',
    "web/src/wire/protocol.ts": '// names\nexport const FIELDS = ["v"] as const;',
    "scenarios/one.dat": "",
    "models/one.yaml": "",
    "src/mechanism_file/keys.c": """
static const multibody_key keys[] = {
    {MULTIBODY_BODY, "axis", "", "which way", TURNING},
    {MULTIBODY_BODY, "mass", "kg*m^2", "heavy", 0},
    {MULTIBODY_BODY, "only", "", "one", ON(MB_FREE)},
    {MULTIBODY_POINT, "at", "m", "where", 0},
};""",
    "src/cli/derive.c": """
static const cli_option options[OPTION_COUNT] = {
    [A] = {'o', "output", " FILE", "where, and "
           "what"},
    [B] = {0, "loud", NULL, "noise"},
};""",
    "build/motorcade": """#!/bin/sh
case $1 in
say) echo $2 ;;
fail) echo no >&2; exit 3 ;;
-h) printf 'usage: words\\n\\n  medusa   drive\\n' ;;
medusa) echo '-xN, --extra   words' ;;
esac
""",
}
# Each: file, old text, new text, and the words the message must have.
PLANTED = [
    ("README.md", "docs/manual.md)", "docs/manul.md)", "README.md:2: link to docs/manul.md: no such file"),
    ("README.md", "#all-words", "#some-words", "README.md:2: link to docs/manual.md#some-words: no such heading"),
    ("README.md", "src/parts/tyre.c", "src/parts/tire.c", "README.md:2: `src/parts/tire.c` does not exist"),
    ("README.md", "say hello", "say goodbye", "README.md:7: the program prints something else"),
    ("README.md", "motorcade say hello", "motorcade fail", "README.md:3: the command fails"),
    ("README.md", "fails=3", "fails=2", "README.md:23: the command fails"),
    ("README.md", "\n...\nc\n", "\n...\nd\n", "README.md:17: the program prints something else"),
    ("README.md", "\nno\n", "\nyes\n", "README.md:26: the program prints something else"),
    ("docs/manual.md", "`--extra`", "--extra", "manual.md:1: `--extra` is known"),
    ("docs/manual.md", "`-x`", "x", "manual.md:1: `-x` is known"),
    ("docs/manual.md", "`round`", "round", "manual.md:1: `round` is known"),
    ("docs/manual.md", "`SHAPE`", "", "manual.md:1: `SHAPE` is known"),
    ("docs/manual.md", "0 .. 1", "0 .. 2", "manual.md:4: table suspension_model is not"),
    ("docs/manual.md", "suspension_model", "suspension_mode", "manual.md:4: no table is called"),
    ("docs/manual.md", "return TYRE", "return TYRES", "manual.md:27: does not compile"),
    ("src/mechanism_file/keys.c", "ON(MB_FREE)", "ON(MB_BALL)", "manual.md:9: table keys_body is not"),
    ("src/mechanism_file/keys.c", '"where"', '"why"', "manual.md:16: table keys_point is not"),
    ("src/cli/derive.c", '"loud", NULL', '"loud", "N"', "manual.md:21: table options_derive is not"),
    ("src/parts/suspension_linear.c", '"one, "', '"1, "', "manual.md:4: table suspension_model is not"),
    ("src/parts/tyre.h", "kind(round)", "kind(round) kind(flat)", "manual.md:1: `flat` is known"),
    ("src/parts/suspension.h", "kind(round)", "kind(soft)", "manual.md:1: `soft` is known"),
    ("src/parts/tyre.c", "int g", "int h", "manual.md:31: is not in src/parts/tyre.c as it is shown"),
    ("build/motorcade", "words'", "words'; echo '--more'", "manual.md:1: `--more` is known"),
    ("web/src/wire/protocol.ts", '"v"', '"w"', "protocol.ts:2: FIELDS are w; expected v"),
]  # fmt: skip


def messages_with(changed, old, new):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, content in GOOD.items():
            if name == changed:
                assert old in content, (changed, old)
                content = content.replace(old, new, 1)
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(content, encoding="utf-8")
        (root / "build/motorcade").chmod(0o755)
        return check(root, root / "build")


def self_test():
    failures = 0
    good = messages_with("README.md", "# Top", "# Top")
    if good:
        failures += 1
        print("the good tree was rejected:", *good, sep="\n  ")
    for changed, old, new, expected in PLANTED:
        messages = messages_with(changed, old, new)
        if not any(expected in message for message in messages):
            failures += 1
            print(f"not found: {expected}", "got:", *messages, sep="\n  ")
    print(f"docs: {len(PLANTED)} planted breaches, {failures} failures")
    return failures > 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    write = "--write" in arguments
    arguments = [a for a in arguments if a != "--write"]
    build = None
    if "--build" in arguments[:-1]:
        k = arguments.index("--build")
        build = Path(arguments[k + 1]).resolve()
        del arguments[k : k + 2]
    if len(arguments) > 1 or any(a.startswith("-") for a in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[0] if arguments else Path(__file__).parent.parent).resolve()
    if write:
        changed = [page for page in pages_of(root) if write_tables(root, page)]
        print(*(f"{page}: tables regenerated" for page in changed), sep="\n")
        return 0
    messages = check(root, build or root / "build")
    print(*messages, sep="\n", end="\n" if messages else "")
    print(f"docs: {len(pages_of(root))} pages, {len(messages)} breaches")
    return len(messages) > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
