#!/usr/bin/env python3
"""Checks that inputs are opened while a scenario is read, and never after.

usage: walks.py PROGRAM ROOT
       walks.py --self-test check that breaches are found

A scenario that names every kind of file (a mechanism, a file of models, a car file, a driver's file) is
run, and opened in the studio, where a page then changes a gain, a mass, a law, adds a vehicle of each
model, and branches from the start.

- run: strace shows that each input is opened once, all before the first kernel or result is.
- studio: strace shows that no input is opened after the line with the address. The inputs are also
  taken away then, so that a version that needed one could not be made.

Where strace is missing or may not trace, the studio alone is tried, without its files. Says what is
wrong; the exit code is 1 then.
"""

import base64
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PATIENCE = 120  # s, for an answer on a busy machine

SCENARIO = """motorcade: scenario
name: every file
time: {end: 2, step: 0.01}
road: {lanes: 2, headway: 1, distance: 3}
models:
  town: {car_file: cars.models}
  soft: {kind: cosserat, file: model.dat}
  rover: {kind: multibody, mechanism: rover.yaml, length: 4.6, width: 2.2, height: 1.8}
controllers: {follow: {law: acc}}
platoons:
  - lane: 1
    leader: {model: town, name: first, driver: foot.csv}
    cars:
      - {model: soft, name: second, controller: follow}
      - {model: rover, name: third, controller: follow}
      - {model: town, name: last, controller: follow}
"""
DRIVER = "t,throttle,brake,steer\n0,0.3,0,0\n1,0.1,0,0\n3,0.2,0,0\n"
INPUTS = ("every.yaml", "cars.models", "model.dat", "rover.yaml", "foot.csv")


def write_inputs(folder, root):
    folder.mkdir()
    (folder / "every.yaml").write_text(SCENARIO, encoding="utf-8")
    (folder / "foot.csv").write_text(DRIVER, encoding="utf-8")
    shutil.copy(root / "scenarios/dynavis/cars.models", folder)
    shutil.copy(root / "scenarios/medusa/model.dat", folder)
    shutil.copy(root / "models/hmmwv.yaml", folder / "rover.yaml")


# ---- tracing ----

CALL = re.compile(r'^\d+ +(?:open|openat|openat2|creat)\((?:[^,"]*, )?"([^"]*)", ?(.*)$')
ADDRESS = re.compile(r'^\d+ +write\(1, ".*http://')


def can_trace():
    """Whether strace is there and may trace."""
    if not shutil.which("strace"):
        return False
    return subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True).returncode == 0


def traced(trace, *command):
    names = "trace=open,openat,openat2,creat,write"
    return ["strace", "-f", "-qq", "-s", "200", "-e", "signal=none", "-e", names, "-o", str(trace),
            *map(str, command)]


def opened(trace, folder):
    """(line, path) of what a traced program opened below a folder."""
    for number, line in enumerate(trace.read_text(errors="replace").splitlines()):
        match = CALL.match(line)
        if match:
            path = Path(os.path.normpath(match.group(1)))
            if folder in path.parents:
                yield number, path


def check_once(what, trace, folder, names, later):
    """Yields what is wrong with a run: every input once, all before anything in the folder `later`."""
    opens = list(opened(trace, folder / "in"))
    first = min((number for number, _ in opened(trace, folder / later)), default=None)
    if first is None:
        yield f"{what}: nothing was written, so that there is no order to see"
        return
    for name in names:
        count = sum(path.name == name for _, path in opens)
        if count != 1:
            yield f"{what}: {name} was opened {count} times, expected once"
    for number, path in opens:
        if number > first:
            yield f"{what}: {path.name} was opened after the model was made"


def check_served(trace, folder):
    """Yields what is wrong with a studio: the inputs, and none after the line with its address."""
    lines = trace.read_text(errors="replace").splitlines()
    start = next((i for i, line in enumerate(lines) if ADDRESS.match(line)), -1)
    opens = list(opened(trace, folder / "in"))
    if start < 0 or not opens:
        yield "studio: its trace has no address or no input"
    for number, path in opens:
        if number > start >= 0:
            yield f"studio: {path.name} was opened after the scenario was read"


def environment(folder):
    """Compiled formulas go to a folder of the test: its first file shows where the model is done."""
    return {**os.environ, "LC_ALL": "C", "MOTORCADE_CACHE": str(folder / "out" / "cache")}


def run_traced(what, folder, names, *command):
    trace = folder / f"{what}.trace"
    done = subprocess.run(traced(trace, *command), env=environment(folder), cwd=folder / "out",
                          capture_output=True, text=True)
    if done.returncode != 0:
        return [f"{what}: exit code {done.returncode}: {done.stdout}{done.stderr}"]
    return list(check_once(what, trace, folder, names, "out"))


# ---- a page ----


class Page:
    """One WebSocket to the studio, as much of it as is needed."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: motorcade.1\r\n\r\n".encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.take(1)
        if b" 101 " not in head:
            raise RuntimeError(f"the studio answered {head!r}")
        self.count = 0

    def take(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise RuntimeError("the studio closed the connection")
            data += more
        return data

    def say(self, message):
        data, mask = json.dumps(message).encode(), os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else struct.pack("!BH", 0xFE, len(data))
        self.socket.sendall(b"\x81" + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def hear(self):
        """The next message that is text."""
        while True:
            first, second = self.take(2)
            length = second & 127
            if length == 126:
                length = struct.unpack("!H", self.take(2))[0]
            elif length == 127:
                length = struct.unpack("!Q", self.take(8))[0]
            data = self.take(length)
            if first & 15 == 8:
                raise RuntimeError(f"the studio closed: {data[2:].decode(errors='replace')}")
            if first & 15 == 1:
                return json.loads(data)

    def ask(self, **request):
        """Asks, and returns the answer."""
        self.count += 1
        self.say({"id": self.count, **request})
        while True:
            message = self.hear()
            if message.get("id") == self.count:
                return message

    def close(self):
        self.socket.close()


def change_all(page):
    """Yields what the studio rejected of changes that need what the files said."""
    if page.ask(kind="hello", version=1, name="walks").get("kind") != "welcome":
        yield "studio: no welcome"
    changes = [
        {"kind": "set", "controller": "follow", "param": "k1", "value": 0.3},
        {"kind": "set", "vehicle": "second", "param": "mass", "value": 1500},
        {"kind": "edit", "edit": {"models": {"rover": {"mass": 3000}}}},
        {"kind": "car", "op": "law", "controller": "follow", "name": "idm"},
        *({"kind": "car", "op": "add", "model": model, "controller": "follow", "beside": "last",
           "where": "behind"} for model in ("town", "soft", "rover")),
        {"kind": "branch", "name": "again", "at": 0},
        {"kind": "undo"},
        {"kind": "redo"},
    ]
    for change in changes:
        answer = page.ask(**change)
        if answer.get("kind") != "done":
            yield f"studio: {json.dumps(change)} was answered by {json.dumps(answer)[:300]}"


def studio(program, folder, trace):
    """Serves the scenario, takes its files away, changes it; returns what is wrong."""
    command = [program, "studio", folder / "in/every.yaml", "--no-open", "--port", "0"]
    said = folder / "said"
    with said.open("w") as out:
        process = subprocess.Popen(traced(trace, *command) if trace else [str(c) for c in command],
                                   stdout=out, stderr=subprocess.STDOUT, cwd=folder / "out",
                                   env=environment(folder), start_new_session=True)
    try:
        limit = time.monotonic() + PATIENCE
        while not (port := re.search(r"http://[^:/]*:(\d+)/", said.read_text())):
            if process.poll() is not None or time.monotonic() > limit:
                return [f"studio: did not start: {said.read_text()}"]
            time.sleep(0.05)
        (folder / "in").rename(folder / "away")
        page = Page(int(port.group(1)))
        wrong = list(change_all(page))
        page.close()
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE)
    return wrong + (list(check_served(trace, folder)) if trace else [])


# ---- the checks against themselves ----

OPEN = '7 openat(AT_FDCWD, "/w/{}", O_RDONLY|O_CLOEXEC) = 3\n'
GOOD = OPEN.format("in/a.yaml") + OPEN.format("in/../in/b.dat") + OPEN.format("out/cache/kernel.so")
SERVED = OPEN.format("in/a.yaml") + '7 write(1, "The studio is at http://127.0.0.1:1/", 9) = 9\n'
AGAIN = OPEN.format("in/a.yaml").replace(" = 3", " <unfinished ...>")
# Each: the check, a trace, and the words that must be said; None: nothing is wrong.
PLANTED = [
    ("once", GOOD, None),
    ("once", GOOD + AGAIN, "a.yaml was opened 2 times"),
    ("once", GOOD + AGAIN, "a.yaml was opened after the model was made"),
    ("once", GOOD.replace("in/a.yaml", "in/c.yaml"), "a.yaml was opened 0 times"),
    ("once", GOOD.replace("out/", "in/"), "there is no order"),
    ("served", SERVED, None),
    ("served", SERVED + AGAIN, "a.yaml was opened after the scenario was read"),
    ("served", SERVED + AGAIN.replace("O_RDONLY|O_CLOEXEC", "O_RDONLY").replace("= 3", "= -1 ENOENT"),
     "a.yaml was opened after"),
    ("served", OPEN.format("in/a.yaml"), "no address"),
]


def self_test():
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        trace = Path(name) / "trace"
        for check, text, expected in PLANTED:
            trace.write_text(text, encoding="utf-8")
            wrong = list(check_once("run", trace, Path("/w"), ("a.yaml", "b.dat"), "out")
                         if check == "once" else check_served(trace, Path("/w")))
            if any(expected in line for line in wrong) if expected else not wrong:
                continue
            failures += 1
            print(f"expected: {expected}", "got:", *wrong, sep="\n  ")
    print(f"walks: {len(PLANTED)} traces, {failures} failures")
    return failures > 0


def main(program, root):
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "out").mkdir()
        write_inputs(folder / "in", root)
        tracing = can_trace()
        if tracing:
            wrong += run_traced("run", folder, INPUTS, program, "run", folder / "in/every.yaml", "-o",
                                folder / "out/x.h5")
        wrong += studio(program, folder, folder / "studio.trace" if tracing else None)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"walks: {len(wrong)} wrong" + ("" if tracing else "; strace may not trace: the studio alone"))
    return len(wrong) > 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*(Path(argument).resolve() for argument in sys.argv[1:3])))
