#!/usr/bin/env python3
"""Checks schema/scenario.schema.json with python3-jsonschema.

usage: schema.py [ROOT]

The schema must be a valid one, every scenario under scenarios/ must pass it, and so must every
scenario in the pages; a few that the program rejects must fail it. It needs the modules jsonschema
and yaml, of this Python or of the system's. On Debian `scripts/setup test` installs them, so their
absence is a failure there; on other systems the exit code is 77, which CTest counts as skipped.
"""

import json
import os
import re
import sys
from pathlib import Path

try:
    import jsonschema
    import yaml
except ImportError as error:
    if sys.executable != "/usr/bin/python3" and Path("/usr/bin/python3").exists():
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    if Path("/etc/debian_version").exists():
        print(f"schema: {error}; run scripts/setup test")
        sys.exit(1)
    print(f"schema: skipped, {error}")
    sys.exit(77)

LEAST = """
motorcade: scenario
time: {end: 60}
models: {car: point}
controllers: {c: {law: platoon, k1: 1}}
platoons: [{leader: {model: car, profile: light}, cars: [{model: car, controller: c}]}]
"""
BAD = [  # what is found in LEAST, what it becomes
    ("time: {end: 60}", "time: {end: 60, stop: 3}"),
    ("time: {end: 60}", "time: {step: 0.1}"),
    ("time: {end: 60}", "time: {end: -3}"),
    ("time: {end: 60}", "time: {end: soon}"),
    ("motorcade: scenario", "motorcade: multibody"),
    ("{car: point}", "{car: pint}"),
    ("{car: point}", "{car: {kind: point, mass: 1}}"),
    ("{car: point}", "{car: {powertrain: {kind: converter, foo: 1}}}"),
    ("{car: point}", "{car: {kind: cosserat, file: a.dat, tyre: {kind: brush, grip: 1}}}"),
    ("{car: point}", "{car: {kind: cosserat, file: a.dat, tyre: {grip: 1}}}"),
    ("{car: point}", "{car: {kind: cosserat, file: a.dat, tyre: {kind: {fx: 0}}}}"),
    ("law: platoon", "law: plattoon"),
    ("k1: 1", "k1: -1"),
    ("k1: 1", "k9: 1"),
    ("k1: 1", "listen: [left]"),
    ("k1: 1", "avoid: {margins: 3}"),
    ("profile: light", "profil: light"),
    ("controller: c}", "controller: c, count: 0}"),
    ("platoons:", "platoon:"),
]


def scenarios_of(root):
    """(name, text) of every shipped scenario and of those in the pages."""
    for path in sorted((root / "scenarios").rglob("*.yaml")):
        yield str(path), path.read_text(encoding="utf-8")
    for page in sorted((root / "docs").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for match in re.finditer(r"^```yaml([^\n]*)\n(.*?)^```", text, re.M | re.S):
            if "wrong" not in match.group(1):  # file=wrong.yaml shows a message
                yield f"{page}:{text.count(chr(10), 0, match.start()) + 1}", match.group(2)


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    schema = json.loads((root / "schema/scenario.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    keys = set(schema["definitions"]["scenario"]["properties"])
    failures, count = [], 0
    for name, text in [("the least scenario", LEAST), *scenarios_of(root)]:
        value = yaml.safe_load(text)
        if isinstance(value, dict) and set(value) <= keys - {"motorcade"}:
            value = {**yaml.safe_load(LEAST), **value}  # a part, as pages show it
        if not isinstance(value, dict) or value.get("motorcade") != "scenario":
            continue
        count += 1
        for error in validator.iter_errors(value):
            place = "/".join(str(p) for p in error.absolute_path)
            failures.append(f"{name}: {place}: {error.message[:200]}")
    for find, replace in BAD:
        assert find in LEAST, find
        if validator.is_valid(yaml.safe_load(LEAST.replace(find, replace, 1))):
            failures.append(f"passes, but should not: {replace}")
    print("\n".join(failures) or f"schema: {count} scenarios pass, {len(BAD)} wrong ones do not")
    sys.exit(1 if failures else 0)


main()
