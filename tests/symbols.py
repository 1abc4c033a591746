#!/usr/bin/env python3
"""Checks that the libraries export what the public headers declare, and nothing else.

usage: symbols.py INCLUDE... LIBRARY...  INCLUDE: folder with motorcade/*.h; LIBRARY: lib*.a, lib*.so
       symbols.py --self-test            check that breaches are found

A breach is printed as LIBRARY: what is wrong; the exit code is 1 if there is any.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
TYPEDEF = re.compile(r"\btypedef\b[^;{]*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})?[^;]*;", re.S)
FUNCTION = re.compile(r"\b(mc_\w+)\s*\((?!\s*\*)")  # not "mc_status (*member)(...)"
TABLE = re.compile(r"\bextern\s+const\s[^;(]*?\b(mc_\w+)\s*(?:\[[^\]]*\])?\s*;")


def declared_in(text):
    """Names of the functions and tables that the text of a header declares."""
    text = TYPEDEF.sub("", COMMENT.sub("", text))
    return {*FUNCTION.findall(text), *TABLE.findall(text)}


def declared(folder):
    headers = sorted((folder / "motorcade").glob("*.h"))
    return {name for h in headers for name in declared_in(h.read_text(encoding="utf-8"))}


def exported(library):
    """Names that a library defines for others. nm -P: name, type, value, size."""
    dynamic = ["-D"] if ".so" in library.name else ["-g"]
    command = [os.environ.get("NM", "nm"), *dynamic, "-P", "--defined-only", str(library)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {line.split()[0] for line in done.stdout.splitlines() if len(line.split()) > 1}


def breaches(names, public):
    for name in sorted(names - public):
        reason = "no public header declares it" if name.startswith("mc_") else "it lacks mc_"
        yield f"{name} leaves the library: {reason}"
    for name in sorted(public - names):
        yield f"{name} does not leave the library: does its header include motorcade/begin.h?"


SAMPLE = """// mc_in_comment(1);
typedef struct mc_pair { int a; struct { int b; } c; void (*mc_not_this)(int mc_nor); } mc_pair;
typedef void mc_callback(void *context);
extern const mc_pair mc_table[MC_COUNT];
mc_pair *mc_pair_create(const mc_pair *like,
                        mc_callback *report);
"""
PUBLIC = {"mc_table", "mc_pair_create"}


def self_test():
    failures = []
    if declared_in(SAMPLE) != PUBLIC:
        failures.append(f"the sample declares {sorted(declared_in(SAMPLE))}")
    for names, expected in (
        (PUBLIC, []),
        (PUBLIC | {"phi"}, ["phi leaves the library: it lacks mc_"]),
        (PUBLIC | {"mc_own"}, ["mc_own leaves the library: no public header declares it"]),
        ({"mc_table"}, ["mc_pair_create does not leave the library"]),
    ):
        found = list(breaches(names, PUBLIC))
        if len(found) != len(expected) or not all(map(str.startswith, found, expected)):
            failures.append(f"{sorted(names)}: expected {expected}, got {found}")
    print(f"symbols: {len(failures)} failures", *failures, sep="\n  ")
    return len(failures) > 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    folders = [path for path in map(Path, arguments) if path.is_dir()]
    libraries = [path for path in map(Path, arguments) if not path.is_dir()]
    if not folders or not libraries:
        sys.exit(__doc__)
    public, failed = set().union(*map(declared, folders)), False
    for library in libraries:
        names = exported(library)
        messages = list(breaches(names, public))
        failed |= bool(messages)
        print(f"{library.name}: {len(names)} names leave it, {len(messages)} breaches")
        print("".join(f"{library}: {message}\n" for message in messages), end="")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
