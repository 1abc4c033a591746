#!/usr/bin/env python3
"""Makes demo4.dat and demo5.dat: synthetic experiments in the layout of the DYNAVIS report.

usage: make_demo.py [FOLDER]   (default: the folder of this file)

The report animates two experiments but does not print their data. These files have the same form
and show the same effects; every number in them is computed here, from the equations below and
seeded noise.

demo 4: two cars. The follower keeps a desired time headway that changes from 1.0 to 1.6, 0.8 and
1.2 s; its acceleration is limited to 1 m/s^2, which is why the gap lags behind.
demo 5: four cars at a constant distance, each seeing only the car in front. Such a platoon is not
string stable for any gains: the oscillation of the leader grows from car to car (slinky effect).

Follower: a' = (clamp(k1 (s - L - d - h v) + k2 (v_front - v)) - a)/tau, s the distance of the same
point of both cars, L the length of a car. Explicit Euler at 1 ms.
Measured: distance (0.10 m standard deviation), speed (0.03 m/s), in demo 4 acceleration (0.05
m/s^2); every 0.10 s with a jitter of up to 0.03 s, and one line in fifteen is lost.
"""

import math
import os
import sys

LENGTH, LAG, DT = 5.0, 0.3, 0.001  # m, s, s


class Noise:
    """Normal deviates by Box and Muller from a 64-bit congruential generator: the same anywhere."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (6364136223846793005 * self.state + 1442695040888963407) % 2**64
        return ((self.state >> 11) + 0.5) / 2**53

    def normal(self, deviation):
        radius = math.sqrt(-2.0 * math.log(self.uniform()))
        return deviation * radius * math.cos(2.0 * math.pi * self.uniform())


def simulate(count, leader, headway, fixed, k1, k2, limit, end):
    """Yields t, [x, v, a] of every car at every millisecond."""
    v = leader(0.0)
    gap = LENGTH + fixed + headway(0.0) * v
    cars = [[-gap * i, v, 0.0] for i in range(count)]
    for step in range(int(round(end / DT)) + 1):
        t = step * DT
        yield t, [list(c) for c in cars]
        cars[0][2] = (leader(t + DT) - leader(t)) / DT
        for i in range(count - 1, 0, -1):
            (x, v, a), front = cars[i], cars[i - 1]
            wanted = k1 * (front[0] - x - LENGTH - fixed - headway(t) * v) + k2 * (front[1] - v)
            wanted = max(-3.0, min(limit, wanted))
            cars[i] = [x + DT * v, max(v + DT * a, 0.0), a + DT * (wanted - a) / LAG]
        cars[0][0] += DT * 0.5 * (leader(t) + leader(t + DT))
        cars[0][1] = leader(t + DT)


def instants(noise, end):
    """Times of the lines, in whole milliseconds."""
    result, k = [], 0
    while 0.1 * k <= end:
        jitter = 0.03 * (2.0 * noise.uniform() - 1.0) if k else 0.0
        lost = noise.uniform() < 1.0 / 15.0
        if k == 0 or not lost:
            result.append(int(round(1000.0 * max(0.1 * k + jitter, 0.0))))
        k += 1
    return result


def measure(path, motion, seed, end, headway=None, acceleration=False):
    noise = Noise(seed)
    wanted = instants(noise, end)
    lines = []
    for k, (t, cars) in enumerate(motion):
        if len(lines) == len(wanted) or k != wanted[len(lines)]:
            continue
        fields = [f"{t:.3f}"]
        if headway:
            fields.append(f"{headway(t):.2f}")
        for i, (x, v, a) in enumerate(cars):
            if i > 0:
                fields.append(f"{cars[i - 1][0] - x + noise.normal(0.10):.2f}")
            fields.append(f"{v + noise.normal(0.03):.3f}")
            if acceleration:
                fields.append(f"{a + noise.normal(0.05):.3f}")
        lines.append(" ".join(fields))
    with open(path, "w", encoding="ascii") as out:
        out.write("\n".join(lines) + "\n")


def headway4(t):
    return 1.0 if t < 20 else 1.6 if t < 45 else 0.8 if t < 70 else 1.2


def leader4(t):
    return 22.0 + 2.0 * math.sin(2.0 * math.pi * t / 45.0)


def leader5(t):
    # A dip of 3 m/s, and back, as smooth as a driver makes it.
    return 25.0 - 1.5 * (1.0 - math.cos(2.0 * math.pi * max(0.0, min(t - 5.0, 10.0)) / 10.0))


def main(folder):
    motion = simulate(2, leader4, headway4, 2.0, 0.4, 1.2, 1.0, 90.0)
    measure(os.path.join(folder, "demo4.dat"), motion, 4, 90.0, headway4, True)
    motion = simulate(4, leader5, lambda t: 0.0, 10.0, 0.3, 0.6, 3.0, 60.0)
    measure(os.path.join(folder, "demo5.dat"), motion, 5, 60.0)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))
