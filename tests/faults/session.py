"""A session of the studio with one fault: pages connect, play, edit, seek, leave; then Ctrl-C.

The server may end, with a word and exit code 0 to 3, or continue to run; then a new page must find it working
and Ctrl-C must end it in time. A page whose connection breaks is no failure. By a signal, or never,
it must not end.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "studio"))
from wire import Closed, Late, Page, Server  # noqa: E402

PATIENCE = 20.0  # s, for an answer


def get(port, path):
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as s:
        s.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        data = b""
        while part := s.recv(1 << 16):
            data += part
    return data


def visit(port):
    """What two pages do."""
    get(port, "/")
    page, other = Page(port, "a", patience=PATIENCE), None
    try:
        page.ask("subscribe", fields=["middle", "v"], rate=60, window=None, bodies=False)
        page.tell("time", t=0, playing=True, live=True, world=0)
        page.poll(0.3)
        other = Page(port, "b", patience=PATIENCE)
        car = page.welcome["worlds"][0]["vehicles"][1]["name"]
        page.ask("set", world=0, vehicle=car, param="mass", value=1500.0)
        page.tell("time", t=0, playing=False, live=True, world=0)
        page.ask("branch", world=0, at=0.05, name="b")
        other.ask("seek", world=0, t=0.1, fields=["middle"])
        other.ask("rows", world=0, **{"from": 0.0}, to=0.2, most=50, fields=["v"], bodies=False)
    finally:
        page.drop(politely=False)
        if other:
            other.drop(politely=True)


def works(port):
    page = Page(port, "after", patience=PATIENCE)
    answer, frame = page.ask("seek", world=0, t=0.0, fields=["middle"])
    page.drop(politely=True)
    return frame is not None or answer is not None


class Session:
    name = "session"
    # It reads tables and packs messages in ever the same way, in about 40,000
    # allocations; a case takes a second.
    stride = {"memory": 41}

    def __init__(self, folder, program, preload, calls):
        self.folder, self.program, self.preload, self.calls = folder, program, preload, calls
        self.counts = {"memory": self.allocations(), **self.system_calls()}
        self.first = {"memory": 1, **{kind: 1 for kind, _, _ in calls}}

    def run(self, prefix=(), variables=None):
        """(what is wrong or None, exit code, what the server printed, whether a visit was undisturbed)."""
        server = Server(self.program, "short.yaml", self.folder, prefix, {"MALLOC_ARENA_MAX": "1", **(variables or {})},
                        ("--threads", "1"), PATIENCE)
        undisturbed = True
        wrong = None
        try:
            if server.port:
                try:
                    visit(server.port)
                except (Closed, Late, OSError) as error:
                    undisturbed = not isinstance(error, Late)
                if server.process.poll() is None:
                    wrong = self.afterwards(server)
            wrong = self.ended(server) or wrong
        finally:
            if server.process.poll() is None:
                os.killpg(server.process.pid, signal.SIGKILL)
                server.process.wait()
        return wrong, server.process.returncode, server.text(), undisturbed

    def afterwards(self, server):
        """A fault happens once: the third attempt at the latest is served."""
        for _ in range(3):
            try:
                if works(server.port):
                    return None
            except (Closed, Late, OSError) as error:
                last = error
            if server.process.poll() is not None:
                return None
            time.sleep(0.1)
        return f"it runs, but does not answer: {last}"

    def ended(self, server):
        began = time.monotonic()
        while server.process.poll() is None:
            try:
                os.killpg(server.process.pid, signal.SIGINT)
                server.process.wait(5)
            except subprocess.TimeoutExpired:
                if time.monotonic() - began > PATIENCE:
                    return "Ctrl-C does not end it"
        return None

    def allocations(self):
        place = self.folder / "count"
        place.unlink(missing_ok=True)
        wrong, code, text, _ = self.run(variables={"LD_PRELOAD": self.preload, "FAULT_COUNT": str(place)})
        if wrong or code != 0:
            raise SystemExit(f"faults: a session without a fault: {wrong or text}")
        return int(place.read_text())

    def system_calls(self):
        place = self.folder / "trace"
        names = ",".join("?" + c for _, group, _ in self.calls for c in group.split(","))
        self.run(["strace", "-f", "-qq", "-e", f"trace={names}", "-o", str(place)])
        text = place.read_text(errors="replace")
        counts = {}
        for name, group, _ in self.calls:
            per_thread = {}
            for thread in re.findall(rf"^(\d+) +(?:{group.replace(',', '|')})\(", text, re.M):
                per_thread[thread] = per_thread.get(thread, 0) + 1
            counts[name] = max(per_thread.values(), default=0)
        return counts

    def fault(self, kind, k):
        if kind == "memory":
            wrong, code, text, _ = self.run(variables={"LD_PRELOAD": self.preload, "FAULT_AT": str(k)})
        else:
            group, error = next((g, e) for n, g, e in self.calls if n == kind)
            names = ",".join("?" + c for c in group.split(","))
            wrong, code, text, _ = self.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={names}",
                                             "-e", f"inject={names}:error={error}:when={k}"])
        if code == 127 and "error while loading shared libraries" in text:
            return None
        if kind == "map" and code not in (0, 1, 2, 3) and "motorcade" not in text:
            return None  # the loader or the start of libc
        if wrong:
            return wrong
        if code not in (0, 1, 2, 3):
            return f"exit code {code}: {text[-300:].strip()}"
        if code != 0 and not text.strip():
            return f"exit code {code} without a word"
        return None
