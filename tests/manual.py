#!/usr/bin/env python3
"""Checks scripts/manual: a manual page for every command with every option, without a warning of
groff, and completion that bash carries out.

usage: manual.py ROOT BINARY [FURTHER_BINARY ...]
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def pages(share, binary, least):
    def ask(*words):
        return subprocess.run([binary, *words], capture_output=True, text=True, check=True).stdout

    commands = re.findall(r"^  ([\w-]+) ", ask("-h"), re.M)
    program = Path(binary).name
    if len(commands) < least or not (share / f"man/man1/{program}.1").is_file():
        yield f"{program}: only {len(commands)} commands found, or no manual page"
    for command in commands:
        path = share / f"man/man1/{program}-{command}.1"
        if not path.is_file():
            yield f"no manual page of {program} {command}"
            continue
        text = path.read_text(encoding="utf-8").replace("\\-", "-")
        help_ = ask(command, "-h")
        for option in re.findall(r"^(?:-\w[^,\n]*, )?(--[\w-]+)", help_, re.M):
            if f"\\fB{option}\\fR" not in text:
                yield f"{path.name}: no {option}"
        for letter in re.findall(r"^-(\w)", help_, re.M):
            if f"\\fB-{letter}\\fR" not in text:
                yield f"{path.name}: no -{letter}"


def warnings(share):
    if not shutil.which("groff"):
        return
    for path in sorted((share / "man/man1").iterdir()):
        done = subprocess.run(["groff", "-man", "-ww", "-z", path], capture_output=True, text=True)
        if done.stderr:
            yield f"{path.name}: {done.stderr.splitlines()[0]}"


def completion(share):
    file = share / "bash-completion/completions/motorcade"
    for words, expected in (
        ("motorcade swee", "sweep"), ("motorcade run --checkpoint-e", "--checkpoint-every"),
        ("motorcade help identif", "identify"),
    ):
        listed = words.split()
        script = (
            f"source {file}; COMP_WORDS=({words}); COMP_CWORD={len(listed) - 1}; _motorcade; "
            'echo "${COMPREPLY[*]}"'
        )
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
        if done.stdout.strip() != expected:
            yield f"completion of {words!r}: {done.stdout.strip()!r}, expected {expected!r}"
    for shell, name in (("zsh", "zsh/site-functions/_motorcade"), ("fish", "fish/vendor_completions.d/motorcade.fish")):
        if shutil.which(shell):
            done = subprocess.run([shell, "-n", share / name], capture_output=True, text=True)
            if done.returncode:
                yield f"{name}: {done.stderr}"


def main(root, binary, *further):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, f"{root}/scripts/manual", folder, binary, *further], check=True)
        share = Path(folder) / "share"
        found = [*pages(share, binary, 30), *warnings(share), *completion(share)]
        for program in further:
            found += pages(share, program, 2)
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
