#!/usr/bin/env python3
"""Every command, with one fault: an allocation or a system call that fails at its k-th time.

Two kinds are limits of the whole process: `space`, the size of files, and `limit`, memory. One of the
commands is a session of the studio with pages, session.py.

usage: faults.py PROGRAM PRELOAD ROOT [--share X] [--journal FOLDER] [--only TEXT] [--jobs N]

PRELOAD is the library made of allocations.c, ROOT the source tree. A case is a command, a kind of
fault, and k. The commands run once without a fault, which tells what they print and write and how
often each kind of call occurs; then k goes from 1 to that number. System calls are made to fail by
strace, in each thread by its own count; those of the loader, before the program begins, are left
out.

A case passes when the command ends by itself with exit code 0 to 3, in time; when it says so if it
fails; and when success means what it says: the same text and the same files as without a fault.
A file that stood where the command writes is, after a failure, the old one, or the new one whole;
only rows of a run may end early.

--share X      of all cases, spread over them (default 1; `make test` runs few)
--journal DIR  cases that passed are noted there; the next call with the same program skips them
--only TEXT    only commands and kinds with this text in "COMMAND: KIND"
The closing line is `N passed, N failed`; the exit code is 1 if any failed.
"""

import argparse
import concurrent.futures
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from session import Session

LIMIT = 60  # s

# What is called, and the files that it writes. A name with * grows while the command runs.
COMMANDS = {
    "run": ("run scenarios/two_gains.yaml --end 0.5 --threads 2 -o out.h5 --csv csv --dynavis out.dat "
            "--checkpoint out.state", ["out.h5*", "csv/1.csv*", "out.dat", "out.state"]),
    "resume": ("run scenarios/two_gains.yaml --end 1 --resume half.state -o out.h5", ["out.h5*"]),
    "lanes": ("run scenarios/lane_change.yaml --end 0.3 --threads 1", []),
    "crash": ("run scenarios/obstacles.yaml --end 0.2 --threads 1", []),
    "sweep": ("sweep short.yaml --vary mass=1200,1300 --threads 2 -o out.csv", ["out.csv"]),
    "medusa": ("medusa -t0.05 -s0.01 -fplatoon.dat", ["data.asc*"]),
    "check": ("check scenarios/demo.yaml", []),
    "concept": ("concept concepts/pickup.yaml --mass", []),
    "mechanism": ("concept concepts/pickup.yaml --mechanism", []),
    "rig": ("rig concepts/pickup.yaml", []),
    "simulate": ("simulate models/four_bar.yaml --end 0.05 --csv out.csv -o out.h5", ["out.csv*", "out.h5*"]),
    "impulses": ("simulate models/four_bar.yaml --engine impulses --end 0.02 --step 0.01 --csv out.csv",
                 ["out.csv*"]),
    "derive": ("derive models/pendulum.yaml -o out.c", ["out.c"]),
    "fmu": ("fmu models/pendulum.yaml -o out.fmu", ["out.fmu"]),
    "linearize": ("linearize models/ride_quarter.yaml", []),
    "equilibrium": ("equilibrium models/ride_quarter.yaml", []),
    "spectrum": ("spectrum models/ride_quarter.yaml", []),
    "report": ("report run.h5 -o out.html", ["out.html"]),
    "plot": ("plot run.h5 --y v,a -o out.svg", ["out.svg"]),
    "table": ("plot run.h5 --y v --csv out.csv", ["out.csv"]),
    "picture": ("picture run.h5 --at 0.2 --size 160x90 -o out.png", ["out.png"]),
    "road": ("road scenarios/merge.yaml --svg out.svg", ["out.svg"]),
    "laws": ("laws", []),
    "tyre": ("tyre models/passenger_245_40R18.tir", []),
    "stability": ("stability --law platoon", []),
    "identify": ("identify --every 30", []),
    "manoeuvre": ("manoeuvre iso7401 --csv out.csv", ["out.csv"]),
    "studio": ("studio --help", []),
}

# Kinds of faults that strace injects: name, calls, error.
CALLS = [
    ("read", "read,pread64,readv", "EIO"),
    ("write", "write,pwrite64,writev,ftruncate,fallocate", "ENOSPC"),
    ("open", "openat,open,creat", "EMFILE"),
    ("rename", "rename,renameat2,fsync,fdatasync,unlink,mkdir,close", "EIO"),
    ("map", "mmap,brk,mremap", "ENOMEM"),
    ("thread", "clone,clone3", "EAGAIN"),
    ("accept", "socket,bind,listen,accept,accept4,getsockname", "EMFILE"),
    ("socket", "recvfrom,sendto,recvmsg,sendmsg,setsockopt,shutdown", "ECONNRESET"),
    ("poll", "poll,ppoll,select,pselect6,epoll_wait,epoll_pwait", "EINTR"),
]

# Limits of the whole process, in steps: k of STEPS. The limit of memory begins at 16 MB.
STEPS = 20
MEMORY_STEP = 16 << 20  # bytes


def prepare(folder, root, program):
    """The files that the commands read, in a new folder."""
    for name in ("scenarios", "models", "concepts"):
        if not (folder / name).exists():
            os.symlink(root / name, folder / name)
    for name in ("model.dat", "platoon.dat"):
        shutil.copy(root / "scenarios" / "medusa" / name, folder / name)
    text = (root / "scenarios" / "two_gains.yaml").read_text()
    (folder / "short.yaml").write_text(re.sub(r"end: *[\d.]+", "end: 0.5", text, count=1))
    quiet = dict(cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([program, "run", "scenarios/two_gains.yaml", "--end", "0.5", "-o", "run.h5", "--checkpoint",
                    "half.state"], **quiet)


def clear(folder, outputs):
    for name in outputs:
        path = folder / name.rstrip("*")
        if path.parent != folder:
            shutil.rmtree(path.parent, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    for path in folder.glob("out.*"):
        path.unlink()


def call(folder, command, outputs, prefix=(), variables=None, old=None):
    """Runs one command; returns (exit code or "late", stdout, stderr, contents of the outputs)."""
    clear(folder, outputs)
    if old is not None:
        for name in outputs:
            if not name.endswith("*"):
                (folder / name).write_bytes(old)
    environment = {**os.environ, "MOTORCADE_CC": "none", "MALLOC_ARENA_MAX": "1", **(variables or {})}
    try:
        done = subprocess.run([*prefix, *command], cwd=folder, env=environment, capture_output=True, timeout=LIMIT,
                              stdin=subprocess.DEVNULL)
        code, out, err = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        code, out, err = "late", b"", b""
    files = {}
    for name in outputs:
        path = folder / name.rstrip("*")
        files[name] = path.read_bytes() if path.is_file() else None
    return code, out, err, files


# Times and rates, which differ from run to run.
NOISE = re.compile(rb"took [\d:.]+|[\d.e+-]+ x real time|[\d.]+ (?:s|ms|us|ns)\b|[\d.]+ %\s*\S*")


def plain(text):
    return NOISE.sub(b"#", text)


class Command:
    def __init__(self, name, folder, program, preload):
        words, self.outputs = COMMANDS[name]
        self.name, self.folder, self.preload = name, folder, preload
        self.command = [program, *words.split()]
        first = call(folder, self.command, self.outputs)
        second = call(folder, self.command, self.outputs)
        if first[0] not in (0, 3):
            raise SystemExit(f"faults: {words}: exit code {first[0]}: {first[2].decode(errors='replace')}")
        self.code, self.out = first[0], plain(first[1])
        self.steady_out = plain(second[1]) == self.out
        self.files = first[3]
        self.steady = {n for n in self.outputs if first[3][n] == second[3][n] and first[3][n] is not None}
        start = Command.start or self.system_calls([program, "--version"])
        Command.start = start
        self.first = {"memory": 1, **{kind: count + 1 for kind, count in start.items()}}
        self.counts = {"memory": self.allocations(), **self.system_calls(self.command)}
        self.largest = max((len(c) for c in self.files.values() if c is not None), default=0)
        self.counts["space"] = STEPS if self.largest else 0
        self.counts["limit"] = STEPS
        self.first.update(space=1, limit=1)

    stride = {}
    start = None  # system calls until the program begins, of each kind

    def allocations(self):
        place = self.folder / "count"
        call(self.folder, self.command, self.outputs, variables={"LD_PRELOAD": self.preload, "FAULT_COUNT": str(place)})
        return int(place.read_text())

    def system_calls(self, command):
        place = self.folder / "trace"
        calls = ",".join("?" + c for _, group, _ in CALLS for c in group.split(","))
        call(self.folder, command, self.outputs, ["strace", "-f", "-qq", "-e", f"trace={calls}", "-o", str(place)])
        counts = {}
        text = place.read_text(errors="replace")
        for name, group, _ in CALLS:
            per_thread = {}
            for thread in re.findall(rf"^(\d+) +(?:{group.replace(',', '|')})\(", text, re.M):
                per_thread[thread] = per_thread.get(thread, 0) + 1
            counts[name] = max(per_thread.values(), default=0)
        return counts

    def fault(self, kind, k):
        """Runs the command with a fault; returns what is wrong, or None."""
        old = b"what stood here before\n"
        if kind == "memory":
            prefix, variables = [], {"LD_PRELOAD": self.preload, "FAULT_AT": str(k)}
        elif kind == "space":  # no file may be longer than that share of the longest
            prefix, variables = ["prlimit", f"--fsize={self.largest * (k - 1) // STEPS}"], {}
        elif kind == "limit":
            prefix, variables = ["prlimit", f"--as={k * MEMORY_STEP}"], {}
        else:
            group, error = next((g, e) for n, g, e in CALLS if n == kind)
            calls = ",".join("?" + c for c in group.split(","))
            prefix = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={calls}",
                      "-e", f"inject={calls}:error={error}:when={k}"]
            variables = {}
        code, out, err, files = call(self.folder, self.command, self.outputs, prefix, variables, old)
        return self.judge(kind, code, out, err, files, old)

    def judge(self, kind, code, out, err, files, old):
        if code == "late":
            return f"did not end within {LIMIT} s"
        if code == 127 and b"error while loading shared libraries" in err:
            return None  # not our program yet
        if kind in ("map", "limit") and code != 0 and not out and b"motorcade" not in err:
            return None  # the loader or the start of libc
        if code not in (0, 1, 2, 3):
            return f"exit code {code}: {err[-300:].decode(errors='replace').strip()}"
        if code not in (0, self.code):
            if not err.strip():
                return f"exit code {code} without a word"
            for name, content in files.items():
                if not name.endswith("*") and content not in (old, None) and content != self.files[name]:
                    return f"exit code {code}, and {name} is neither the old file nor the new one"
            return None
        if code != self.code:
            return f"exit code {code} instead of {self.code}"
        if self.steady_out and plain(out) != self.out:
            other = next((a for a, b in zip(plain(out).split(b"\n"), self.out.split(b"\n")) if a != b), b"fewer lines")
            return f"success, but it prints something else: {other[-200:].decode(errors='replace')}"
        for name in self.steady:
            if name.endswith(".png") and kind != "memory":
                continue  # libraries do without a font that they cannot read
            if files[name] != self.files[name] and not self.same_rows(name):
                return f"success, but {name} is not what it should be"
        return None

    def same_rows(self, name):
        """A results file that could not be packed has the same rows in another layout."""
        if name != "out.h5*":
            return False
        rows = self.rows_of()
        if self.rows is None:
            call(self.folder, self.command, self.outputs)
            self.rows = self.rows_of()
        return rows == self.rows

    rows = None  # of the results file, without a fault

    def rows_of(self):
        place = self.folder / "rows.csv"
        place.unlink(missing_ok=True)
        column = "total" if self.name == "simulate" else "v"
        subprocess.run([self.command[0], "plot", "out.h5", "--y", column, "--csv", "rows.csv"],
                       cwd=self.folder, capture_output=True)
        return place.read_bytes() if place.exists() else b""


KINDS = ("memory", *(c[0] for c in CALLS), "space", "limit")


def new_command(name, folder, options):
    if name == Session.name:
        return Session(folder, options.program, options.preload, CALLS)
    return Command(name, folder, options.program, options.preload)


def cases_of(commands, only):
    for command in commands.values():
        for kind, count in command.counts.items():
            if only in f"{command.name}: {kind}":
                for k in range(command.first[kind], count + 1, command.stride.get(kind, 1)):
                    yield command.name, kind, k


def spread(cases, share):
    """That share of the cases, evenly spread, at least one of each command and kind where it can be."""
    n = max(1, round(share * len(cases)))
    return [cases[int((i + 0.5) * len(cases) / n)] for i in range(n)]


def worker(options, names, cases, done):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        prepare(folder, options.root, options.program)
        commands = {}
        wrong = []
        for name, kind, k in cases:
            if name not in commands:
                commands[name] = new_command(name, folder, options)
            message = commands[name].fault(kind, k)
            if message:
                wrong.append(f"{name}: {kind} {k}: {message}")
                print(f"FAILED  {wrong[-1]}", flush=True)
            else:
                done(name, kind, k)
        return len(cases) - len(wrong), wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("preload")
    parser.add_argument("root", type=lambda p: Path(p).resolve())
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--journal", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    options.program = str(Path(options.program).resolve())
    options.preload = str(Path(options.preload).resolve())
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        prepare(folder, options.root, options.program)
        names = [n for n in (*COMMANDS, Session.name) if any(options.only in f"{n}: {kind}" for kind in KINDS)]
        commands = {name: new_command(name, folder, options) for name in names}
    for command in commands.values():
        print(f"{command.name}: " + ", ".join(f"{kind} {max(0, count - command.first[kind] + 1)}"
                                              for kind, count in command.counts.items()), flush=True)
    cases = spread(list(cases_of(commands, options.only)), options.share)
    passed_before = set()
    journal = None
    if options.journal:
        options.journal.mkdir(parents=True, exist_ok=True)
        key = hashlib.sha256(Path(options.program).read_bytes()).hexdigest()[:16]
        path = options.journal / f"faults-{key}.txt"
        if path.exists():
            passed_before = {tuple(line.split()) for line in path.read_text().splitlines()}
        journal = path.open("a", buffering=1)
    left = [c for c in cases if (c[0], c[1], str(c[2])) not in passed_before]

    def done(name, kind, k):
        if journal:
            journal.write(f"{name} {kind} {k}\n")

    passed, failed = len(cases) - len(left), 0
    parts = [left[i :: options.jobs] for i in range(options.jobs)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for good, wrong in pool.map(lambda part: worker(options, names, part, done) if part else (0, []), parts):
            passed += good
            failed += len(wrong)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
