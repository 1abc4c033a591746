#!/usr/bin/env python3
"""Checks the JSON Schemas of scenarios and of mechanisms with python3-jsonschema.

usage: schema.py [ROOT]

Each schema must be a valid one, every file under scenarios/ or models/ must pass it, and so must
those in the pages; a few that the program rejects must fail it. It needs the modules jsonschema
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

SCENARIO = """
motorcade: scenario
time: {end: 60}
models: {car: point}
controllers: {c: {law: platoon, k1: 1}}
platoons: [{leader: {model: car, profile: light}, cars: [{model: car, controller: c}]}]
"""
BAD_SCENARIOS = [  # what is found in SCENARIO, what it becomes
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


MECHANISM = """
motorcade: multibody
parameters: {k: 20 kN/m, c: {value: 3, unit: N*s/m, min: 0}}
inputs: {push: {value: 0, unit: N}}
bodies:
  cart: {joint: prism, axis: x, mass: 3, stiffness: k, start: {travel: 1 mm}}
  arm: {inboard: cart, joint: hinge, axis: [0, 1, 0], mass: 1, com: [0, 0, -1], load: push*0.3 m}
  hub: {inboard: arm, joint: general, free: [tx, ry], held: {tz: -1}, mass: 1, inertia: [1, 1, 1]}
points: {tip: {body: arm, at: [0, 0, -1]}, top: {body: ground, at: [0, 0, 1]}}
springs: {strut: {from: tip, to: top, stiffness: k, length: 2}}
forces: {wind: {point: tip, force: [1, 0, 0], in: body}}
joints:
  pin: {joint: hinge, from: ground, to: hub, axis: y, orientation: [1, 0, 0, 0]}
  rod: {joint: distance, from: tip, to: top, length: 2 m}
constraints: {drive: {position: cart.travel - 0.1*sin(t)}}
keep: [cart.travel]
variables: {twice: 2*cart.travel}
simulate: {end: 1 s}
"""
GRAPH = """
motorcade: multibody
bodies:
  crank: {mass: 1, com: [1, 0, 0], position: [0, 0, 0], orientation: [1, 0, 0, 0]}
  rocker: {mass: 1, com: [1, 0, 0], inertia: [1, 1, 1], axisymmetric: x}
joints:
  a: {joint: hinge, from: ground, to: crank, axis: z, stiffness: 3, start: {angle: 1 deg}}
  b: {joint: ball, from: crank, to: rocker, at: [1, 0, 0]}
cut: [b]
"""
CONCEPT = """
motorcade: concept
assemblies:
  frame:
    material: steel
    beams:
      rail: {polyline: [[1, 0, 0], [2, 0, 0]], section: {kind: tube, radius: 0.1, thickness: 2 mm}, mirror: true}
    components: {engine: {box: [1, 1, 1], mass: 3 kg, role: structural}}
    connections: {welds: {joint: rigid, parts: all}}
axles:
  front: {template: trailing_arm, chassis: frame, hardpoints: {wheel: [0, 1, 0]}, wheel: {radius: 1, width: 1, mass: 1}}
"""
BAD_CONCEPTS = [
    ("motorcade: concept", "motorcade: multibody"),
    ("kind: tube", "kind: tub"),
    ("radius: 0.1", "radius: -1"),
    ("mirror: true", "mirror: 3"),
    ("box: [1, 1, 1]", "box: [1, 1]"),
    ("role: structural", "role: heavy"),
    ("joint: rigid", "joint: stiff"),
    ("trailing_arm", "trailing"),
    ("chassis: frame, ", ""),
    (", mass: 1}", "}"),
    ("material: steel", "matrial: steel"),
]
BAD_GRAPHS = [
    ("position: [0, 0, 0]", "at: [0, 0, 0]"),
    ("position: [0, 0, 0]", "inboard: ground"),
    ("position: [0, 0, 0]", "joint: hinge, axis: z, position: [0, 0, 0]"),
    ("at: [1, 0, 0]", "stiffness: 3"),
    ("cut: [b]", "cut: b"),
]
BAD_MECHANISMS = [
    ("motorcade: multibody", "motorcade: scenario"),
    ("parameters:", "paramters:"),
    ("unit: N*s/m", "units: N*s/m"),
    ("value: 3, ", ""),
    ("joint: prism, ", ""),
    ("joint: prism", "joint: prisma"),
    ("joint: prism, axis: x", "joint: prism"),
    ("joint: prism, axis: x", "joint: ball, axis: x"),
    ("axis: [0, 1, 0]", "axis: [0, 1]"),
    ("axis: [0, 1, 0]", "axis: w"),
    ("com: [0, 0, -1]", "com: -1"),
    ("free: [tx, ry], ", ""),
    ("inertia: [1, 1, 1]", "inertia: [1, 1]"),
    ("mass: 3", "mas: 3"),
    ("start: {travel: 1 mm}", "start: 1 mm"),
    ("body: arm, ", ""),
    ("from: tip, to: top, stiffness", "from: tip, stiffness"),
    ("in: body", "in: wheel"),
    ("joint: hinge, from: ground, to: hub, axis: y", "joint: hinge, from: ground, to: hub"),
    ("joint: hinge, from", "joint: hnge, from"),
    ("from: ground, to: hub, axis: y", "from: ground, axis: y"),
    ("orientation: [1, 0, 0, 0]", "orientation: [1, 0, 0]"),
    ("orientation: [1, 0, 0, 0]", "length: 2"),
    (", length: 2 m", ""),
    ("length: 2 m", "length: 2 m, axis: x"),
    ("position: cart", "positions: cart"),
    ("keep: [cart.travel]", "keep: cart.travel"),
    ("end: 1 s", "ends: 1 s"),
]


def files_of(root, folder):
    """(name, text) of every shipped file and of those in the pages."""
    for path in sorted((root / folder).rglob("*.yaml")):
        yield str(path), path.read_text(encoding="utf-8")
    for page in sorted((root / "docs").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for match in re.finditer(r"^```yaml([^\n]*)\n(.*?)^```", text, re.M | re.S):
            if "wrong" not in match.group(1):  # file=wrong.yaml shows a message
                yield f"{page}:{text.count(chr(10), 0, match.start()) + 1}", match.group(2)


def check(root, kind, definition, folder, least, bad, accepted):
    """What is wrong, and how many files pass. A part that a page shows may be one of several kinds: accepted are those
    that were one of the kinds before."""
    schema = json.loads((root / f"schema/{kind}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    keys = set(schema["definitions"][definition]["properties"])
    failures, count = [], 0
    for name, text in [(f"the least {kind}", least), *files_of(root, folder)]:
        value = yaml.safe_load(text)
        part = isinstance(value, dict) and set(value) <= keys - {"motorcade"}
        if part and name in accepted:
            continue
        if part:
            value = {**yaml.safe_load(least), **value}  # a part, as pages show it
        if not isinstance(value, dict) or value.get("motorcade") != kind:
            continue
        count += 1
        accepted.add(name)
        for error in validator.iter_errors(value):
            accepted.discard(name)
            place = "/".join(str(p) for p in error.absolute_path)
            failures.append(f"{name}: {place}: {error.message[:200]}")
    for find, replace in bad:
        assert find in least, find
        if validator.is_valid(yaml.safe_load(least.replace(find, replace, 1))):
            failures.append(f"passes as {kind}, but should not: {replace or 'without ' + find}")
    return failures, count


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    kinds = [
        ("scenario", "scenario", "scenarios", SCENARIO, BAD_SCENARIOS),
        ("multibody", "model", "models", MECHANISM, BAD_MECHANISMS),
        ("multibody", "model", "models", GRAPH, BAD_GRAPHS),
        ("concept", "concept", "concepts", CONCEPT, BAD_CONCEPTS),
    ]
    failures, accepted = [], set()
    for kind, definition, folder, least, bad in kinds:
        found, count = check(root, kind, definition, folder, least, bad, accepted)
        failures += found
        print(f"schema: {count} {folder} pass, {len(bad)} wrong ones do not" if not found else "\n".join(found))
    sys.exit(1 if failures else 0)


main()
