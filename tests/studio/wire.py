"""A page of the studio without a browser: a WebSocket client in Python's standard library.

    server = Server(program, "scenario.yaml", folder)
    page = Page(server.port)
    page.ask("seek", world=0, t=3.0)   # waits for the answer: (message, frame)
    page.poll(0.1)                     # reads what comes; frames are acknowledged
"""

import base64
import json
import os
import re
import socket
import struct
import subprocess
import time

HEADER = struct.Struct("<4sIIHHddd")  # of a frame: magic, bytes, seq, world, flags, t, step, origin
LIVE, ANSWER, LAST = 1, 8, 16


class Closed(Exception):
    """The connection has ended; code is that of the server's close frame, 0 without one."""

    def __init__(self, code, why=""):
        super().__init__(f"closed with {code} {why}")
        self.code = code


class Late(Exception):
    """No answer in time."""


class Server:
    def __init__(self, program, file, folder, prefix=(), variables=None, options=(), patience=60.0):
        self.output = folder / "server.txt"
        with self.output.open("wb") as out:
            self.process = subprocess.Popen(
                [*prefix, program, "studio", file, "--no-open", "--port", "0", "--paused", *options], cwd=folder,
                stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                env={**os.environ, "MOTORCADE_CC": "none", **(variables or {})}, start_new_session=True)
        self.port = None
        until = time.monotonic() + patience
        while self.port is None and time.monotonic() < until and self.process.poll() is None:
            found = re.search(r"http://127\.0\.0\.1:(\d+)", self.text())
            self.port = int(found[1]) if found else None
            time.sleep(0.01)

    def text(self):
        return self.output.read_text(errors="replace")

    def memory(self):
        """kB in use, and the maximum."""
        status = open(f"/proc/{self.process.pid}/status").read()
        return tuple(int(re.search(rf"{name}:\s*(\d+)", status)[1]) for name in ("VmRSS", "VmHWM"))


class Page:
    def __init__(self, port, name="page", resume=None, patience=60.0):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=patience)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.patience, self.data, self.number = patience, b"", 0
        self.frames = 0  # live ones
        self.asked = {}  # id: (message or None, frame or None)
        self.worlds = {}  # number: end
        self.running, self.live, self.last_frame = False, False, None
        self.longest = 0.0  # s between live frames while time runs
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: motorcade.1\r\n\r\n".encode())
        until = time.monotonic() + patience
        while b"\r\n\r\n" not in self.data:
            self.receive(until - time.monotonic())
        head, self.data = self.data.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise Closed(0, head.split(b"\r\n")[0].decode())
        hello = {"version": 1, "name": name, **({"resume": resume} if resume else {})}
        self.welcome = self.ask("hello", **hello)[0]
        for world in self.welcome["worlds"]:
            self.worlds[world["world"]] = world["end"]

    # ---- frames of the WebSocket ----

    def receive(self, seconds):
        """Reads something; False when nothing came in that time."""
        self.socket.settimeout(max(seconds, 1e-3))
        try:
            data = self.socket.recv(1 << 18)
        except TimeoutError:
            return False
        except OSError as error:
            raise Closed(0, str(error)) from None
        if not data:
            raise Closed(0, "end of the stream")
        self.data += data
        return True

    def send(self, payload, kind=1):
        mask = os.urandom(4)
        n = len(payload)
        head = bytes([0x80 | kind]) + (bytes([0x80 | n]) if n < 126 else
                                       b"\xfe" + struct.pack(">H", n) if n < 65536 else b"\xff" + struct.pack(">Q", n))
        repeated = (mask * (n // 4 + 1))[:n]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")).to_bytes(n, "big")
        try:
            self.socket.settimeout(self.patience)
            self.socket.sendall(head + mask + masked)
        except OSError as error:
            raise Closed(0, str(error)) from None

    def next(self):
        """The next whole message: (kind, payload), or None."""
        parts, at, data = [], 0, self.data
        while True:
            if len(data) < at + 2:
                return None
            first, n = data[at], data[at + 1] & 127
            start = at + 2 + (0, 2, 8)[max(0, n - 125)]
            if len(data) < start:
                return None
            if n >= 126:
                n = int.from_bytes(data[at + 2 : start], "big")
            if len(data) < start + n:
                return None
            parts.append((first & 15, data[start : start + n]))
            at = start + n
            if first & 0x80:
                self.data = data[at:]
                return parts[0][0], b"".join(p for _, p in parts)

    # ---- messages ----

    def tell(self, kind, **rest):
        if kind == "time":  # frames come while time runs and this page is at its end
            live = rest["live"] and rest["playing"]
            self.last_frame = self.last_frame if live and self.live else None
            self.live = live
        self.send(json.dumps({"kind": kind, **rest}).encode())

    def ask(self, kind, **rest):
        """Sends a request and waits for its answer: (message or None, frame or None)."""
        self.number += 1
        number = self.number
        self.asked[number] = None
        self.tell(kind, id=number, **rest)
        until = time.monotonic() + self.patience
        while self.asked[number] is None:
            if time.monotonic() > until:
                raise Late(f"no answer to {kind} {rest} within {self.patience} s")
            self.step(until - time.monotonic())
        return self.asked.pop(number)

    def poll(self, seconds):
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.step(left)

    def step(self, seconds):
        message = self.next()
        if message is None:
            self.receive(seconds)
            return
        kind, payload = message
        if kind == 8:
            raise Closed(int.from_bytes(payload[:2], "big"), payload[2:].decode(errors="replace"))
        if kind == 9:
            self.send(payload, 10)
        elif kind == 1:
            self.text(json.loads(payload))
        elif kind == 2:
            self.binary(payload)

    def text(self, message):
        kind = message["kind"]
        if message.get("id") in self.asked:
            self.asked[message["id"]] = (message, None)
        if kind == "world":
            world = message["world"]
            self.worlds[world["world"]] = max(self.worlds.get(world["world"], 0.0), world.get("end", 0.0))
        elif kind == "gone":
            self.worlds.pop(message["world"], None)
        elif kind == "clock":
            if message["running"] != self.running:
                self.running, self.last_frame = message["running"], None
            for world in message["worlds"]:
                self.worlds[world["world"]] = world["end"]

    def binary(self, payload):
        at = 0
        while at < len(payload):
            magic, size, seq, world, flags, t, _, _ = HEADER.unpack_from(payload, at)
            if magic != b"MCF1" or size < 64 or size % 8 or at + size > len(payload):
                raise Closed(0, "a frame that is none")
            if flags & ANSWER:
                if flags & LAST and seq in self.asked:
                    self.asked[seq] = (None, payload[at : at + size])
            else:
                now = time.monotonic()
                if self.running and self.live and self.last_frame is not None:
                    self.longest = max(self.longest, now - self.last_frame)
                self.last_frame = now
                self.frames += 1
                self.tell("ack", world=world, seq=seq)
            at += size

    def drop(self, politely):
        """Ends the connection, with or without a word."""
        try:
            if politely:
                self.send(struct.pack(">H", 1000), 8)
            else:  # a reset instead of an end
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except (Closed, OSError):
            pass
        self.socket.close()
