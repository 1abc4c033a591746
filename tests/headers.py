#!/usr/bin/env python3
"""Checks the public headers: each compiles alone, as C and as C++, and its example compiles.

usage: headers.py INCLUDE...   check; INCLUDE: folder with motorcade/*.h
       headers.py --self-test  check that breaches are found

motorcade/motorcade.h must include all of them except begin.h and end.h, which open and close a header.
The comment at the top of each has a paragraph `Threads: ...`.
The example of a header is the first indented block of the comment at its top that calls an mc_
function. It is compiled as the body of a function, with only its own header, status.h, stdio.h and stdlib.h.
What an example takes for granted is declared in GIVEN. `(...)` in it stands for any condition, a
line `... words ...` for any statement. The exit code is 1 if there is any breach.
"""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

WARNINGS = "-Wall -Wextra -Wpedantic -Werror -fsyntax-only".split()
C = ["cc", "-std=c17", *WARNINGS]
CXX = ["c++", "-std=c++17", *WARNINGS]
# An example may leave what it made unused.
EXAMPLE = [*C, "-Wno-unused", "-Wno-unused-parameter"]
PAIR = ("begin.h", "end.h")
WHOLE = "motorcade.h"

COMMON = "static mc_error error; static mc_status status;"
GIVEN = {  # declarations at file scope; an example may declare the same name for itself
    "collisions.h": "static const mc_world *world;",
    "concept_edit.h": "static const char *old;",
    "concept_live.h": "static const char *text;",
    "figures.h": "static double length[8]; static int front[8]; static mc_figures_row row; static bool more;",
    "linear.h": "static mc_multibody *car; static double y[99];",
    "multibody.h": "static double dy[99];",
    "observe.h": "static const mc_run *run; static double x[8]; static float v[8];",
    "plot.h": "static double t[9], q1[9], q2[9]; enum { n = 9 };",
    "record.h": "static mc_run *run;",
    "replay.h": "void show(double t, const double *x);",
    "road.h": "static const mc_road *road; static double x, y, fz; double sin(double); enum { NAN };",
    "studio.h": "static bool stop(void *c) { return c != NULL; } static void *context;",
    "timeline.h": "static mc_run *run;",
    "joint.h": "void rows(mc_joint *joint);",
    "tyre.h": "mc_tyre_eval eval; static const mc_param params[2];",
    "vehicle_type.h": "extern const mc_vehicle_kind cart_kind; void cart_facts(const void *, mc_vehicle_facts *); "
    "mc_batch *cart_create(const mc_vehicle_start *, int, const mc_vehicle_setup *, mc_error *);",
    "verify.h": "static mc_verify_report *show;",
}


def example_of(text):
    """(line number, lines) of the example; None where a header has none."""
    found, first = [], 0
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("//"):
            break
        if line.startswith("//     "):
            first = first if found else number
            found.append(line[7:])
        elif found:
            if any("mc_" in code for code in found):
                break
            found = []
    return (first, found) if any("mc_" in code for code in found) else None


def example_program(name, first, lines):
    code = "\n".join(lines).replace("(...)", "(more)")
    code = re.sub(r"(?m)^(\s*)\.\.\. .* \.\.\.$", r"\1(void)0;", code)
    return (
        f'#include "motorcade/{name}"\n#include "motorcade/status.h"\n'
        f"#include <stdio.h>\n#include <stdlib.h>\n"
        f"{COMMON}\n{GIVEN.get(name, '')}\n"
        f'int example(void);\nint example(void)\n{{\n#line {first} "{name}"\n{code}\n'
        "    return 0;\n}\n"
    )


def compiles(command, folders, suffix, program):
    """What the compiler says; "" if it accepts the text."""
    done = subprocess.run(
        [*command, *(f"-I{folder}" for folder in folders), f"-x{suffix}", "-"],
        input=program, capture_output=True, text=True,
    )  # fmt: skip
    return done.stderr if done.returncode != 0 else ""


def check_header(path, folders):
    """(messages, whether it has an example)"""
    messages = []
    alone = f'#include "motorcade/{path.name}"\n'
    for command, suffix, language in ((C, "c", "C"), (CXX, "c++", "C++")):
        said = compiles(command, folders, suffix, alone)
        if said:
            messages.append(f"{path}:1: does not compile alone as {language}\n{said}")
    text = path.read_text(encoding="utf-8")
    if path.name != WHOLE and not re.match(r"(//.*\n)*// Threads: ", text):
        messages.append(f"{path}:1: does not say what holds for threads (// Threads: ...)")
    example = example_of(text)
    if example:
        said = compiles(EXAMPLE, folders, "c", example_program(path.name, *example))
        if said:
            messages.append(f"{path}:{example[0]}: the example does not compile\n{said}")
    return messages, example is not None


def check(folders):
    headers = [h for folder in folders for h in sorted((folder / "motorcade").glob("*.h"))]
    headers = [h for h in headers if h.name not in PAIR]
    messages, examples = [], 0
    for path in (h for h in headers if h.name == WHOLE):
        text = path.read_text(encoding="utf-8")
        for name in sorted({h.name for h in headers} - {WHOLE}):
            if f'#include "motorcade/{name}"\n' not in text:
                messages.append(f"{path}:1: does not include {name}")
    if WHOLE not in [h.name for h in headers]:
        messages.append(f"{folders[0]}/motorcade/{WHOLE} does not exist")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for found, example in pool.map(lambda h: check_header(h, folders), headers):
            messages += found
            examples += example
    if not examples:
        messages.append(f"{folders[0]}/motorcade: no header has an example")
    return messages, examples


GOOD = {
    "one.h": """// one.h - one thing.
//
// Words
//     y = f(x)
//
//     mc_one *one = mc_one_create(&error);     // why
//     while (...)
//         mc_one_step(one);
//     if (status != MC_OK) {
//         ... it failed ...
//     }
//
// Threads: one.
#pragma once
#include "motorcade/status.h"
#include <stdbool.h>
#include "motorcade/begin.h"
typedef struct mc_one mc_one;
mc_one *mc_one_create(mc_error *error);
void mc_one_step(mc_one *one);
#include "motorcade/end.h"
""",
    "status.h": """// Threads: any.
#pragma once
typedef enum mc_status { MC_OK } mc_status;
typedef struct mc_error { int code; } mc_error;
""",
    "begin.h": '#ifdef __cplusplus\nextern "C" {\n#endif\n',
    "end.h": "#ifdef __cplusplus\n}\n#endif\n",
    "motorcade.h": '#pragma once\n#include "motorcade/one.h"\n#include "motorcade/status.h"\n',
}
PLANTED = [  # header, old text, new text, the words the message must have
    ("one.h", "", "", None),
    ("one.h", "mc_one_step(one);\n//     if", "mc_one_stop(one);\n//     if", "one.h:6: the example does not"),
    ("one.h", "// why", "", None),
    ("one.h", '"motorcade/status.h"', "<stddef.h>", "one.h:1: does not compile alone as C"),
    ("one.h", "mc_error *error);", "mc_error *class);", "one.h:1: does not compile alone as C++"),
    ("one.h", "     mc_one *one = ", " mc_one *one = ", "one.h:7: the example does not compile"),
    ("one.h", "create(&error);     // why\n", "create(\n// &error);\n", "one.h:6: the example does not"),
    ("one.h", "// Threads: one.\n", "", "one.h:1: does not say what holds for threads"),
    ("motorcade.h", '#include "motorcade/one.h"\n', "", "motorcade.h:1: does not include one.h"),
]  # fmt: skip


def self_test():
    failed = 0
    GIVEN["one.h"] = "static bool more;"
    for changed, old, new, expected in PLANTED:
        assert old in GOOD[changed], old
        with tempfile.TemporaryDirectory() as folder:
            public = Path(folder) / "motorcade"
            public.mkdir()
            for name, text in GOOD.items():
                (public / name).write_text(text.replace(old, new, 1) if name == changed else text)
            messages, _ = check([Path(folder)])
        good = not messages if expected is None else any(expected in m for m in messages)
        if not good:
            failed += 1
            print(f"self-test: {old!r} -> {new!r}: expected {expected!r}, got {messages}")
    print(f"headers: {len(PLANTED)} planted changes, {failed} handled wrongly")
    return failed


def main():
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(1 if self_test() else 0)
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    messages, examples = check([Path(folder).resolve() for folder in sys.argv[1:]])
    for message in messages:
        print(message)
    print(f"headers: {examples} examples, {len(messages)} breaches")
    sys.exit(1 if messages else 0)


if __name__ == "__main__":
    main()
