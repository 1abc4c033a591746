#!/usr/bin/env python3
"""Builds a vehicle type, a tyre, a joint and a control law outside of the tree, and drives them.

usage: extension.py ROOT BUILD

The library is installed under a new prefix. cart.c (the type), the tyre and the joint of docs/extend.md, the
law of docs/control.md and drive.c (scenarios and a mechanism, and what their motion must be) are compiled against the
installed headers only, without warnings, and linked with the shared and with the static library.
Both programs must succeed.

Prints what fails, with its output; the exit code is then 1.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FLAGS = "-std=c17 -O1 -Wall -Wextra -Wpedantic -Werror".split()


def run(*command, **variables):
    words = [str(word) for word in command]
    environment = {**os.environ, "LC_ALL": "C", **{k: str(v) for k, v in variables.items()}}
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def shown_in(page):
    """{file name: text} of the blocks of a page that are files of users."""
    text = page.read_text(encoding="utf-8")
    return dict(re.findall(r"^```c [^\n]*\boutside=(\S+)\n(.*?)^```$", text, re.S | re.M))


def main(root, build):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prefix, sources = folder / "prefix", folder / "sources"
        run("cmake", "--install", build, "--prefix", prefix)
        libraries = next(prefix.rglob("libmotorcade.so")).parent
        sources.mkdir()
        shown = {**shown_in(root / "docs/extend.md"), **shown_in(root / "docs/control.md")}
        if sorted(shown) != ["joint_planar.c", "law_filtered.c", "tyre_simple.c"]:
            sys.exit(f"the pages show {sorted(shown)}, not a joint, a law and a tyre")
        for file, text in shown.items():
            (sources / file).write_text(text, encoding="utf-8")
        for file in ("cart.c", "drive.c"):
            (sources / file).write_text((root / "tests/extension" / file).read_text(encoding="utf-8"))
        files = sorted(sources.glob("*.c"))
        for package in ("motorcade", "motorcade-static"):
            ask = ["pkg-config", "--cflags", "--libs", package]
            flags = run(*ask, PKG_CONFIG_PATH=libraries / "pkgconfig").split()
            program = folder / package
            run("cc", *FLAGS, *files, "-o", program, *flags, "-lm")
            said = run(program, prefix / "share/motorcade/scenarios", LD_LIBRARY_PATH=libraries)
            print(f"{package}: {said.strip()}")


if __name__ == "__main__":
    main(*(Path(argument).resolve() for argument in sys.argv[1:3]))
