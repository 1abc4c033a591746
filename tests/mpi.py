#!/usr/bin/env python3
"""motorcade-mpi by mpirun: sweeps and runs on 1, 2 and 4 processes, one of them killed.

usage: mpi.py MOTORCADE MOTORCADE_MPI [RUNS]     RUNS: of the sweep, 40 unless told

Prints what it compares. Ends with 77 where mpirun cannot start programs.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SWEEP = """motorcade: scenario
name: four cars
time: {end: 6, step: 0.02, record: 0.1}
road: {headway: 0.2, distance: 2}
profiles:
  stop: {table: [[0, 20], [1, 20], [3, 4], [6, 4]]}
models:
  town_car: {kind: powertrain}
controllers:
  follow: {law: acc, headway: 0.8, sensor: {range_noise: 0.05, delay: 0.2}}
platoons:
  - leader: {model: town_car, profile: stop}
    cars: [{model: town_car, name: car, count: 3, controller: follow}]
"""

LARGE = """motorcade: scenario
name: forty cars
time: {end: 6, step: 0.02}
road: {headway: 0.4, distance: 3}
profiles:
  stop: {table: [[0, 25], [1, 25], [4, 0], [6, 0]]}
models:
  car: {kind: powertrain}
controllers:
  follow: {law: acc, headway: 0.4}
platoons:
  - leader: {model: car, name: lead, profile: stop}
    cars: [{model: car, name: a, count: 39, controller: follow}]
events:
  - {at: 1, vehicle: a19, brake_lost: 0}
"""

ENVIRONMENT = {
    **os.environ,
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl": "self,vader",
}


class Failure(Exception):
    pass


def start(ranks, words, folder):
    command = ["mpirun", "-n", str(ranks), *map(str, words)]
    return subprocess.Popen(
        command, cwd=folder, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip


def run(ranks, words, folder, code=0):
    process = start(ranks, words, folder)
    out, err = process.communicate(timeout=200)
    if process.returncode != code:
        raise Failure(f"{' '.join(map(str, words))} on {ranks} ranks: exit code {process.returncode}\n{out}{err}")
    return out, err


def children(pid):
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


def ranks_of(process):
    """Process ids of the ranks: rank 0 started first."""
    return sorted(children(process.pid))


def rows_of(path):
    if not path.exists():
        return 0
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith(("#", "run,"))]
    return len(lines)


def axes(runs):
    return ["s.yaml", "--vary", f"mass=1200:{1199 + runs // 4}:1", "--vary", "follow.headway=0.3,0.5,0.8,1.2"]


def lose_rank(mpi, folder, runs, which):
    """A rank of three is killed in the middle; the same command then completes the table."""
    table = folder / f"lost{which}.csv"
    words = [mpi, "sweep", *axes(runs), "-o", table.name, "-q"]
    process = start(3, words, folder)
    limit, ranks = time.monotonic() + 100, []
    while (len(ranks) < 3 or rows_of(table) < runs // 4) and process.poll() is None and time.monotonic() < limit:
        ranks = ranks if len(ranks) == 3 else ranks_of(process)
        time.sleep(0.001)
    os.kill(ranks[which], signal.SIGKILL)
    process.communicate(timeout=100)
    before = rows_of(table)
    if process.returncode == 0 or before < runs // 4:
        raise Failure(f"rank {which} killed: exit code {process.returncode}, {before} rows")
    out, _ = run(3, [word for word in words if word != "-q"], folder)
    resumed = f"{before} of {runs} runs are done, continuing with the other {runs - before}"
    if (resumed if before < runs else f"all {runs} runs are done") not in out:
        raise Failure(f"rank {which} killed with {before} rows: {out}")
    return table, before


def check_sweep(motorcade, mpi, folder, runs):
    (folder / "s.yaml").write_text(SWEEP)
    subprocess.run([motorcade, "sweep", *axes(runs), "-o", "whole.csv", "-q"], cwd=folder, check=True)
    whole = (folder / "whole.csv").read_bytes()
    if rows_of(folder / "whole.csv") != runs:
        raise Failure("the sweep of one process is not complete")
    for ranks in (1, 2, 4):
        run(ranks, [mpi, "sweep", *axes(runs), "-o", f"on{ranks}.csv", "-q"], folder)
        if (folder / f"on{ranks}.csv").read_bytes() != whole:
            raise Failure(f"the table of {ranks} ranks differs from that of one process")
    print(f"sweep of {runs} runs on 1, 2 and 4 ranks: the {len(whole)} bytes of one process")
    for which in (0, 2):
        table, before = lose_rank(mpi, folder, runs, which)
        if table.read_bytes() != whole:
            raise Failure(f"rank {which} killed: another table")
        print(f"rank {which} of 3 killed with {before} rows: the same command completes the same bytes")


def state_of(text):
    return [line for line in text.splitlines() if line.startswith("state ")]


def check_run(motorcade, mpi, folder):
    (folder / "large.yaml").write_text(LARGE)
    states = {}
    for ranks in (1, 2, 4):
        out, _ = run(ranks, [mpi, "run", "large.yaml", "--halo", "4"], folder)
        states[ranks] = state_of(out)
        if not states[ranks] or states[ranks] != states[1] or " 0 impacts" in out:
            raise Failure(f"run on {ranks} ranks: {out}")
    print(f"run with a collision at a cut, 1, 2 and 4 ranks: {states[1][0]}")


def check_rejections(mpi, folder):
    for words, code, part in (
        (["run", "no.yaml"], 2, "no.yaml"),
        (["run", "s.yaml", "large.yaml"], 2, "only one scenario"),
        (["sweep", "s.yaml", "--vary", "mass=1:2:1", "-o", "bad.csv"], 2, "mass must be in"),
        (["sweep", "s.yaml"], 2, "no table given"),
    ):
        _, err = run(2, [mpi, *words], folder, code)
        if err.count(part) != 1:
            raise Failure(f"{' '.join(words)}: {part!r} is not printed once:\n{err}")
    print("bad input is rejected once, with code 2")


def main(arguments):
    motorcade, mpi = (str(Path(a).resolve()) for a in arguments[:2])
    runs = int(arguments[2]) if len(arguments) > 2 else 40
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            if start(1, ["true"], folder).wait() != 0:
                print("mpirun cannot start programs here")
                return 77
        except FileNotFoundError:
            print("there is no mpirun")
            return 77
        try:
            check_sweep(motorcade, mpi, folder, runs)
            check_run(motorcade, mpi, folder)
            check_rejections(mpi, folder)
        except Failure as failure:
            print(failure)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
