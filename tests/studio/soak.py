#!/usr/bin/env python3
"""The studio with 20 pages for an hour: pages watch, edit, seek, branch, drop their connection, come back.

usage: soak.py PROGRAM ROOT [--minutes 60] [--pages 20] [--seed 1] [--csv FILE]

One server, one thread per page; each page draws what it does next. Once a minute (or ten times, in
a shorter soak) one of them discards all branches, and the memory of the server is noted in FILE
then, with the figures so far.

The soak passes when the server has answered every request with something that the protocol knows,
closed no page by itself, still answers at the end, stops on Ctrl-C with exit code 0, and when its
memory after discarding, without what its worlds say that they keep of the past, has not grown by
more than 64 MB since the first quarter.
"""

import argparse
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

from wire import Closed, Late, Page, Server

GROWTH_MAX = 64 * 1024  # kB
FIELDS = ["middle", "y", "psi", "v", "a", "jerk", "target", "brake"]
CARS = ["soft1", "soft2", "soft3", "hard1", "hard2", "hard3"]
# Reasons for which a request of these may be rejected: others have changed what it was about.
EXPECTED = ("world", "nothing to", "too many", "newer", "no such", "time", "ended", "busy", "still", "place", "changed")


class Soak:
    def __init__(self, server, cars, deadline):
        self.server, self.cars, self.deadline = server, cars, deadline
        self.lock = threading.Lock()
        self.counts, self.refused, self.errors = {}, {}, []
        self.frames, self.longest_frame, self.longest_answer, self.drops = 0, 0.0, 0.0, 0
        self.clearing = threading.Event()

    def note(self, kind, seconds, answer):
        with self.lock:
            self.counts[kind] = self.counts.get(kind, 0) + 1
            self.longest_answer = max(self.longest_answer, seconds)
            if answer and answer.get("kind") == "refused":
                reason = answer["reason"]
                self.refused[reason[:60]] = self.refused.get(reason[:60], 0) + 1

    def request(self, page, kind, **rest):
        began = time.monotonic()
        answer, _ = page.ask(kind, **rest)
        self.note(kind, time.monotonic() - began, answer)
        if answer and answer.get("kind") not in ("done", "refused", "welcome"):
            self.errors.append(f"{kind}: answered by {answer.get('kind')}")
        return answer

    # ---- what a page does ----

    def play(self, page, draw):
        page.tell("time", t=max(page.worlds.get(0, 0.0), 0.0), playing=draw.random() < 0.7, live=True, world=0)
        page.poll(draw.uniform(0.2, 2.0))

    def seek(self, page, draw):
        world = draw.choice(sorted(page.worlds))
        t = draw.uniform(0.0, page.worlds[world] + 1e-9)
        self.request(page, "seek", world=world, t=t, fields=FIELDS)
        page.tell("time", t=t, playing=False, live=False, world=world)

    def rows(self, page, draw):
        world = draw.choice(sorted(page.worlds))
        to = draw.uniform(0.0, page.worlds[world] + 1e-9)
        self.request(page, "rows", world=world, **{"from": max(0.0, to - 5.0)}, to=to, most=200, fields=FIELDS, bodies=False)

    def series(self, page, draw):
        worlds = draw.sample(sorted(page.worlds), min(3, len(page.worlds)))
        self.request(page, "series", worlds=worlds, vehicles=[draw.choice(self.cars)], fields=["v", "spacing_error"],
                     **{"from": 0.0}, to=page.worlds[worlds[0]], points=400)

    def edit(self, page, draw):
        world = draw.choice(sorted(page.worlds))
        end = page.worlds[world]
        at = {} if draw.random() < 0.7 else {"at": draw.uniform(0.5 * end, end)}  # the second branches
        value = draw.uniform(1000.0, 2500.0)
        self.request(page, "set", world=world, vehicle=draw.choice(self.cars), param="mass", value=value, **at)

    def branch(self, page, draw):
        if len(page.worlds) < 12:
            world = draw.choice(sorted(page.worlds))
            end = page.worlds[world]
            self.request(page, "branch", world=world, at=draw.uniform(max(0.0, end - 10.0), end), name=f"b{draw.randrange(99)}")

    def undo(self, page, draw):
        self.request(page, draw.choice(("undo", "redo")))

    def look(self, page, draw):
        world = draw.choice(sorted(page.worlds))
        kind = draw.choice(("events", "log", "card", "figures", "track", "pages", "plan"))
        rest = {"card": {"world": world, "vehicle": draw.choice(self.cars)}, "pages": {},
                "figures": {"worlds": [world], "from": 0.0, "to": page.worlds[world]},
                "track": {"world": world, "measure": "jerk", "bins": 100}}.get(kind, {"world": world})
        self.request(page, kind, **rest)

    def drive(self, page, draw):
        car = draw.choice(self.cars)
        for _ in range(5):
            page.tell("drive", world=0, vehicle=car, throttle=draw.random(), brake=0.0, steer=0.0, acceleration=0.0)
            page.poll(0.05)
        page.tell("release", world=0, vehicle=car)

    def hostile(self, page, draw):
        page.send(draw.choice((b"{", b"[]", b'{"kind": "nothing", "id": 5}', b'{"kind": "set", "world": 77}', b"\x00" * 40)))
        page.poll(0.05)

    ACTS = ((play, 5), (seek, 4), (rows, 2), (series, 1), (edit, 3), (branch, 1), (undo, 1), (look, 3), (drive, 1))

    def page(self, number, seed):
        draw = random.Random(seed)
        key = None
        acts, weights = zip(*self.ACTS)
        while time.monotonic() < self.deadline:
            try:
                page = Page(self.server.port, f"page {number}", key)
                key = page.welcome["key"]
                self.request(page, "subscribe", fields=FIELDS, rate=draw.choice((5, 20, 60)), window=None, bodies=False)
                stay = time.monotonic() + draw.expovariate(1 / 30.0)
                while time.monotonic() < min(stay, self.deadline):
                    if page.worlds:
                        draw.choices(acts, weights)[0](self, page, draw)
                    page.poll(draw.uniform(0.05, 0.5))
                if draw.random() < 0.2:
                    self.hostile(page, draw)
                page.drop(politely=draw.random() < 0.5)
                with self.lock:
                    self.drops += 1
                    self.frames += page.frames
                    self.longest_frame = max(self.longest_frame, page.longest)
                if draw.random() < 0.3:
                    key = None
            except (Closed, Late, OSError, KeyError, ValueError) as error:
                with self.lock:
                    self.errors.append(f"page {number}: {type(error).__name__}: {error}")
                if self.server.process.poll() is not None:
                    return
                time.sleep(0.5)


def clear(page):
    """Discards every world but the first; more time for the first if it is near its end."""
    page.poll(0.3)
    for world in sorted(page.worlds):
        if world != 0:
            page.ask("worlds", op="discard", world=world)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program", type=lambda p: str(Path(p).resolve()))
    parser.add_argument("root", type=lambda p: Path(p).resolve())
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        shutil.copy(options.root / "scenarios/two_gains.yaml", folder / "s.yaml")
        server = Server(options.program, "s.yaml", folder)
        if server.port is None:
            sys.exit(f"soak: the studio did not start: {server.text()}")
        return watch(options, server)


def watch(options, server):
    keeper = Page(server.port, "keeper")
    first = keeper.welcome["worlds"][0]
    cars = [v["name"] for v in first["vehicles"] if not v["leader"]]
    keeper.ask("end", world=0, end=1000.0 + 60.0 * options.minutes)
    began = time.monotonic()
    soak = Soak(server, cars, began + 60.0 * options.minutes)
    pages = [threading.Thread(target=soak.page, args=(k, options.seed * 1000 + k)) for k in range(options.pages)]
    for page in pages:
        page.start()
    every = min(60.0, 6.0 * options.minutes)
    notes = []
    if options.csv:
        options.csv.parent.mkdir(parents=True, exist_ok=True)
        options.csv.write_text("minutes,rss_kb,max_rss_kb,history_kb,requests,frames,connections,errors\n")
    while time.monotonic() < soak.deadline and server.process.poll() is None:
        try:
            keeper.poll(min(every, max(0.1, soak.deadline - time.monotonic())))
            clear(keeper)
            fresh = Page(server.port, "counter")
            history = sum(w["memory"] for w in fresh.welcome["worlds"]) // 1024
            fresh.drop(politely=True)
        except (Closed, Late, OSError) as error:
            soak.errors.append(f"keeper: {error}")
            break
        now, highest = server.memory()
        notes.append((time.monotonic() - began, now - history))
        line = (f"{notes[-1][0] / 60:.1f},{now},{highest},{history},{sum(soak.counts.values())},{soak.frames},{soak.drops},"
                f"{len(soak.errors)}")
        print(line, flush=True)
        if options.csv:
            with options.csv.open("a") as out:
                out.write(line + "\n")
    for page in pages:
        page.join()
    return finish(soak, server, keeper, notes)


def finish(soak, server, keeper, notes):
    wrong = list(soak.errors)
    try:
        keeper.ask("pages")
        Page(server.port, "last").drop(politely=True)
    except (Closed, Late, OSError) as error:
        wrong.append(f"at the end: {error}")
    if server.process.poll() is None:
        server.process.send_signal(signal.SIGINT)
    try:
        code = server.process.wait(60)
    except Exception:
        server.process.kill()
        code = "none within 60 s"
    if code != 0:
        wrong.append(f"exit code {code}: {server.text()[-500:]}")
    growth = 0
    if len(notes) >= 8:
        quarter = len(notes) // 4
        growth = min(m for _, m in notes[-quarter:]) - min(m for _, m in notes[quarter : 2 * quarter])
        if growth > GROWTH_MAX:
            wrong.append(f"memory grew by {growth / 1024:.0f} MB: {[m for _, m in notes]}")
    print("requests: " + ", ".join(f"{n} {k}" for k, n in sorted(soak.counts.items())))
    for reason, count in sorted(soak.refused.items(), key=lambda x: -x[1])[:12]:
        print(f"  rejected {count} times: {reason}")
    print(f"{soak.drops} connections, {soak.frames} frames; longest wait between frames {soak.longest_frame:.2f} s, for an "
          f"answer {soak.longest_answer:.2f} s; memory without history {notes[-1][1] / 1024 if notes else 0:.0f} MB, growth {growth / 1024:.0f} MB")
    for text in wrong[:20]:
        print(f"FAILED  {text}")
    print(f"{len(wrong)} errors")
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
