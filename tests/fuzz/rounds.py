#!/usr/bin/env python3
"""The fuzz targets, for hours: rounds over all of them, with a journal.

usage: rounds.py FOLDER [--minutes M] [--slice S] [--jobs N] [--only TARGET,...] [--csv FILE] [--keep]

FOLDER has the programs fuzz_NAME, built by scripts/check's preset `fuzz`. Each slice is one target
for S seconds (60), always the target with the least time so far, with a seed not used before; it
starts from what earlier slices found. After every slice the journal FILE (build/campaign/fuzz.csv)
is replaced as a whole, so that a part can be stopped at any time and the next one continues:

    target,executions,seconds,rate,edges,of,features,inputs,seed

sums over all slices; seconds: of processor time, so that other work on the machine does not count;
edges: branches of the linked library that the inputs reach, of so many.

--minutes M   ends after the slice under way after M minutes (default: no end before 10^8
              executions or 16 hours of processor time, which is 8 hours on two cores)
--keep        afterwards, adds to tests/fuzz/corpus/ the inputs that reach new edges, the one with
              the most new edges first, while a corpus has at most 60 files and 200 kB
--jobs N      so many targets at once (1)
--only        these targets alone

An input that breaks a target stays in FOLDER/../campaign/NAME/; the exit code is 1.
"""

import argparse
import csv
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIELDS = ["target", "executions", "seconds", "rate", "edges", "of", "features", "inputs", "seed"]
GOAL_EXECUTIONS, GOAL_SECONDS = 10**8, 16 * 3600.0
FILES_MAX, BYTES_MAX = 60, 200_000
INPUT_MAX = 20_000  # bytes of an input that goes into the repository


class Target:
    def __init__(self, program, found):
        self.program, self.name = program, program.name.removeprefix("fuzz_")
        self.corpus = ROOT / "tests/fuzz/corpus" / self.name
        self.words = ROOT / "tests/fuzz" / f"{self.name}.dict"
        self.found = found / self.name / "inputs"
        self.broken = found / self.name
        self.executions = self.edges = self.of = self.features = self.inputs = self.seed = 0
        self.seconds = 0.0

    def row(self):
        rate = self.executions / self.seconds if self.seconds else 0.0
        return [self.name, self.executions, f"{self.seconds:.1f}", f"{rate:.0f}", self.edges, self.of, self.features,
                self.inputs, self.seed]

    def restore(self, row):
        for name in ("executions", "edges", "of", "features", "inputs", "seed"):
            setattr(self, name, int(row[name]))
        self.seconds = float(row["seconds"])

    def command(self, *options):
        return [str(self.program), *options, "-timeout=25", "-rss_limit_mb=2048"]

    def folders(self):
        return [str(self.found), *([str(self.corpus)] if self.corpus.is_dir() else [])]

    def slice(self, seconds):
        """Fuzzes for a while; returns whether nothing was found."""
        self.found.mkdir(parents=True, exist_ok=True)
        self.seed += 1
        words = [f"-dict={self.words}"] if self.words.exists() else []
        command = self.command(f"-seed={self.seed}", f"-max_total_time={seconds:.0f}", *words, "-print_final_stats=1",
                               f"-artifact_prefix={self.broken}/", *self.folders())
        code, log, used = run(command, seconds + 300)
        self.seconds += used
        (self.broken / "log").write_text(log)
        self.count(log)
        return code == 0

    def count(self, log):
        total = re.findall(r"^stat::number_of_executed_units: *(\d+)", log, re.M) or re.findall(r"^#(\d+)\t", log, re.M)
        self.executions += int(total[-1]) if total else 0
        of = re.findall(r"(\d+) inline 8-bit counters", log)
        reached = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", log)
        self.of = int(of[0]) if of else self.of
        if reached:
            edges, features, self.inputs = map(int, reached[-1])
            self.edges, self.features = max(self.edges, edges), max(self.features, features)

    def keep(self):
        """Adds inputs with new edges to the corpus of the repository; returns how many."""
        if not self.found.is_dir() or not any(self.found.iterdir()):
            return 0
        with tempfile.TemporaryDirectory() as place:
            control = Path(place) / "control"
            out = Path(place) / "out"
            out.mkdir()
            run(self.command("-merge=1", f"-merge_control_file={control}", str(out), *self.folders()), 1200)
            reached = edges_of(control)
        self.corpus.mkdir(exist_ok=True)
        mine = [p for p in self.corpus.iterdir() if p.is_file()]
        count, size = len(mine), sum(p.stat().st_size for p in mine)
        seen = set().union(*(edges for path, edges in reached.items() if path.parent == self.corpus))
        left = {p: e for p, e in reached.items() if p.parent == self.found and p.stat().st_size <= INPUT_MAX}
        added = 0
        while left and count < FILES_MAX:
            best = max(left, key=lambda p: (len(left[p] - seen), -p.stat().st_size, p.name))
            new = left.pop(best) - seen
            if not new:
                break
            if size + best.stat().st_size > BYTES_MAX:
                continue
            name = hashlib.sha1(best.read_bytes()).hexdigest()[:12]
            shutil.copy(best, self.corpus / f"found-{name}")
            count, size, added, seen = count + 1, size + best.stat().st_size, added + 1, seen | new
        return added


def edges_of(control):
    """What each input reaches, from libFuzzer's file on a merge."""
    lines = control.read_text().splitlines()
    count = int(lines[0])
    names = [Path(line) for line in lines[2 : 2 + count]]
    reached = {}
    for line in lines[2 + count :]:
        words = line.split()
        if words[0] == "COV":
            reached[names[int(words[1])]] = set(map(int, words[2:]))
    return reached


children = set()
stopping = False


def stop(number, frame):
    global stopping
    stopping = True
    for child in list(children):
        child.send_signal(signal.SIGINT)  # libFuzzer then prints its figures


def run(command, limit):
    """(exit code, what it printed, s of processor time); a stop of this program counts as exit code 0."""
    suppressions = f"suppressions={ROOT}/tests/leaks.txt:print_suppressions=0"
    with tempfile.TemporaryFile() as log:
        child = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                 env={**os.environ, "LSAN_OPTIONS": suppressions}, start_new_session=True)
        children.add(child)
        until, ended = time.monotonic() + limit, 0
        while not ended:
            ended, status, used = os.wait4(child.pid, os.WNOHANG)
            if not ended:
                time.sleep(0.1)
                if time.monotonic() > until:
                    child.kill()
        children.discard(child)
        code = child.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        text = log.read().decode(errors="replace")
    return 0 if stopping else code, text, used.ru_utime + used.ru_stime


def read(path, targets):
    if path.exists():
        with path.open() as file:
            for row in csv.DictReader(file):
                if row["target"] in targets:
                    targets[row["target"]].restore(row)


def write(path, targets):
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    with fresh.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(FIELDS)
        out.writerows(targets[name].row() for name in sorted(targets))
    os.replace(fresh, path)


class Rounds:
    """What the workers share."""

    def __init__(self, targets, chosen, options):
        self.targets, self.left, self.options = targets, list(chosen), options
        self.busy, self.broken, self.lock = set(), [], threading.Lock()
        self.until = time.monotonic() + 60 * options.minutes

    def over(self):
        return (stopping or time.monotonic() >= self.until
                or sum(t.executions for t in self.targets.values()) >= GOAL_EXECUTIONS
                or sum(t.seconds for t in self.targets.values()) >= GOAL_SECONDS)

    def work(self):
        while True:
            with self.lock:
                free = [t for t in self.left if t not in self.busy]
                if self.over() or not free:
                    return
                target = min(free, key=lambda t: t.seconds)
                self.busy.add(target)
            good = target.slice(self.options.slice)
            with self.lock:
                self.busy.discard(target)
                write(self.options.csv, self.targets)
                self.tell(target, good)

    def tell(self, target, good):
        print(f"fuzz {target.name}: {target.executions} executions in {target.seconds:.0f} s, {target.edges} of "
              f"{target.of} edges{'' if good else ': FAILED'}", flush=True)
        if not good:
            print(f"  see {target.broken}/log; the input goes into {target.corpus}", flush=True)
            self.broken.append(target.name)
            self.left.remove(target)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--slice", type=float, default=60.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--csv", type=Path, default=ROOT / "build/campaign/fuzz.csv")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    found = options.folder.resolve().parent / "campaign"
    programs = sorted(p for p in options.folder.resolve().glob("fuzz_*") if os.access(p, os.X_OK) and p.is_file())
    targets = {t.name: t for t in (Target(p, found) for p in programs)}
    if not targets:
        sys.exit(f"rounds.py: {options.folder} has no fuzz targets")
    read(options.csv, targets)
    chosen = [targets[n] for n in targets if not options.only or n in options.only.split(",")]
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    rounds = Rounds(targets, chosen, options)
    workers = [threading.Thread(target=rounds.work) for _ in range(options.jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        while worker.is_alive():
            worker.join(1.0)  # so that a signal gets through
    broken = rounds.broken
    if options.keep:
        for target in targets.values():
            added = target.keep() if not stopping and (not options.only or target in chosen) else 0
            if added:
                print(f"fuzz {target.name}: {added} inputs added to {target.corpus}", flush=True)
    print(f"{sum(t.executions for t in targets.values())} executions in "
          f"{sum(t.seconds for t in targets.values()) / 3600:.2f} h over {len(targets)} targets"
          f"{'; broken: ' + ', '.join(broken) if broken else ''}")
    return len(broken) > 0


if __name__ == "__main__":
    sys.exit(main())
