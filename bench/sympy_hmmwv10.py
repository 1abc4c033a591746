#!/usr/bin/env python3
"""Equations of motion of a tree of rigid bodies by SymPy: Kane's method, common subexpressions, C.

usage: sympy_hmmwv10.py MODEL [--library FILE.so] [--states FILE] [--flags FLAGS] [--derive]

MODEL      records as in tests/data/hmmwv10.model; one free body, hinges and prisms; or a chain of
           hinges and prisms from the world
--library  keep the compiled function here (and its source beside it, FILE.c):
               void sympy_accelerations(const double *q, const double *v, const double *tau,
                                        double *qdd);
--states   rows of q, v, tau and the accelerations another program finds: prints how far off we are
--flags    further options of the compiler
--derive   stop when the equations are formed and their common subexpressions found

Prints one line of key=value pairs:
    derive_s   forming the equations: Kane's method on the numbers of the model
    cse_s      finding common subexpressions
    operations in the mass matrix and the right side, without the solution for qdd
    compile_s  cc -O2 and FLAGS on the C file
    ns         a call of the compiled function, the best of 21 rounds of CPU time
    difference largest over the largest acceleration; only with --states

What a careful user would do is done: numbers instead of letters, quaternions instead of angles,
velocities as generalised speeds, the inertia of a wheel in the axes of its arm because it is round,
forces of joints added to the right side. The mass matrix is solved by a dense LDL' decomposition.
"""

import argparse
import ctypes
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import sympy
from sympy.codegen.rewriting import create_expand_pow_optimization
from sympy.physics.mechanics import (
    KanesMethod,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)
from sympy.physics.vector import Vector


def read_model(path):
    """Returns gravity and the list of bodies."""
    gravity, bodies = [0.0, 0.0, -9.81], []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words and words[0] == "gravity":
            gravity = [float(word) for word in words[1:4]]
        elif words and words[0] == "body":
            number = [float(word) for word in words[5:]]
            bodies.append({
                "name": words[2], "parent": int(words[3]), "joint": words[4],
                "p": number[0:3], "r0": number[3:7], "axis": number[7:10], "mass": number[10],
                "com": number[11:14], "inertia": number[14:20],
            })
    return gravity, bodies


def in_frame(frame, x):
    return sum((value * axis for value, axis in zip(x, frame) if value != 0), Vector(0))


def is_round(body):
    """Looks the same however far its hinge has turned."""
    i, axis = body["inertia"], [abs(x) for x in body["axis"]]
    if body["joint"] != "hinge" or any(i[3:]) or sorted(axis) != [0.0, 0.0, 1.0]:
        return False
    k = axis.index(1.0)
    m, n = (k + 1) % 3, (k + 2) % 3
    return i[m] == i[n] and body["com"][m] == body["com"][n] == 0.0


class Tree:
    """The bodies as SymPy's points and frames, with q, v and what q' is."""

    def __init__(self, gravity, bodies):
        self.world, self.q, self.v, self.kinematic = ReferenceFrame("N"), [], [], []
        self.bodies, self.loads, self.placed = [], [], []
        self.ground = Point("G")
        self.ground.set_vel(self.world, 0)
        for index, body in enumerate(bodies):
            if body["joint"] == "free" and body["parent"] < 0:
                frame, origin = self.free(index)
            elif body["joint"] in ("hinge", "prism") and body["r0"] == [1.0, 0.0, 0.0, 0.0]:
                frame, origin = self.jointed(index, body)
            else:
                sys.exit(f"{body['name']}: a free body, or a hinge or prism without a turn, please")
            self.placed.append((frame, origin))
            self.add_mass(body, frame, origin, gravity)

    def axes(self):
        return self.world.x, self.world.y, self.world.z

    def free(self, index):
        q, v = dynamicsymbols(f"a{index}_:7"), dynamicsymbols(f"b{index}_:6")
        dq = [x.diff() for x in q]
        frame, origin = ReferenceFrame(f"B{index}"), Point(f"O{index}")
        frame.orient(self.world, "Quaternion", q[3:])
        frame.set_ang_vel(self.world, in_frame((frame.x, frame.y, frame.z), v[3:]))
        origin.set_vel(self.world, in_frame(self.axes(), v[:3]))
        w, x, y, z = q[3:]
        a, b, c = v[3:]
        rate = [-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c,
                w * c + x * b - y * a]
        self.q += q
        self.v += v
        self.kinematic += [dq[k] - v[k] for k in range(3)]
        self.kinematic += [dq[3 + k] - rate[k] / 2 for k in range(4)]
        return frame, origin

    def parent(self, body):
        return self.placed[body["parent"]] if body["parent"] >= 0 else (self.world, self.ground)

    def jointed(self, index, body):
        q, v = dynamicsymbols(f"a{index}"), dynamicsymbols(f"b{index}")
        parent_frame, parent_origin = self.parent(body)
        parent_axes = (parent_frame.x, parent_frame.y, parent_frame.z)
        axis = in_frame(parent_axes, body["axis"])
        origin = Point(f"O{index}")
        arm = in_frame(parent_axes, body["p"])
        omega = parent_frame.ang_vel_in(self.world)
        speed = parent_origin.vel(self.world)
        if body["joint"] == "hinge":
            frame = ReferenceFrame(f"B{index}")
            frame.orient(parent_frame, "Axis", [q, axis])
            frame.set_ang_vel(parent_frame, v * axis)
            origin.set_vel(self.world, speed + (omega ^ arm))
        else:
            frame = parent_frame
            arm += q * axis
            origin.set_vel(self.world, speed + (omega ^ arm) + v * axis)
        self.q.append(q)
        self.v.append(v)
        self.kinematic.append(q.diff() - v)
        return frame, origin

    def add_mass(self, body, frame, origin, gravity):
        # The inertia of a round body does not change in the frame of its parent.
        fixed = self.parent(body)[0] if is_round(body) else frame
        com = Point(f"C_{body['name']}")
        arm = in_frame((fixed.x, fixed.y, fixed.z), body["com"])
        com.set_vel(self.world, origin.vel(self.world) + (frame.ang_vel_in(self.world) ^ arm))
        tensor = inertia(fixed, *[body["inertia"][k] for k in (0, 1, 2, 3, 5, 4)])
        self.bodies.append(RigidBody(body["name"], com, frame, body["mass"], (tensor, com)))
        weight = [body["mass"] * g for g in gravity]
        self.loads.append((com, in_frame(self.axes(), weight)))

    def equations(self):
        """Mass matrix and right side without joint forces."""
        kane = KanesMethod(self.world, self.q, self.v, kd_eqs=self.kinematic)
        kane.kanes_equations(self.bodies, self.loads)
        return kane.mass_matrix, kane.forcing


SOLVE = """
    // L D L' with L below the diagonal and 1/D on it.
    for (int j = 0; j < NV; j++) {
        double column[NV];
        for (int k = 0; k < j; k++)
            column[k] = m[j][k], m[j][k] *= m[k][k];
        double d = m[j][j];
        for (int k = 0; k < j; k++)
            d -= m[j][k] * column[k];
        m[j][j] = 1.0 / d;
        for (int i = j + 1; i < NV; i++) {
            double sum = m[i][j];
            for (int k = 0; k < j; k++)
                sum -= m[i][k] * m[j][k];
            m[i][j] = sum;
        }
    }
    for (int i = 0; i < NV; i++)
        for (int k = 0; k < i; k++)
            qdd[i] -= m[i][k] * qdd[k];
    for (int i = NV - 1; i >= 0; i--) {
        qdd[i] *= m[i][i];
        for (int k = i + 1; k < NV; k++)
            qdd[i] -= m[k][i] * qdd[k];
    }
}
"""

TIMER = """
double sympy_time(void)
{
    enum { STATES = 64, REPEATS = 200, ROUNDS = 21 };
    static double q[STATES][NQ], v[STATES][NV], tau[NV], qdd[NV];
    volatile double sink = 0.0;
    double best = 1.0;
    for (int s = 0; s < STATES; s++) {
        for (int k = 0; k < NQ; k++)
            q[s][k] = 0.3 * sin(1.0 + s + 2.7 * k);
        for (int k = 0; k < NV; k++)
            v[s][k] = cos(2.0 + s + 1.9 * k);
        q[s][3] = 1.0;
        const double norm = sqrt(1.0 + q[s][4] * q[s][4] + q[s][5] * q[s][5] + q[s][6] * q[s][6]);
        for (int k = 3; k < 7; k++)
            q[s][k] /= norm;
    }
    for (int round = 0; round < ROUNDS; round++) {
        struct timespec a, b;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
        for (int i = 0; i < REPEATS * STATES; i++) {
            sympy_accelerations(q[i % STATES], v[i % STATES], tau, qdd);
            sink += qdd[NV - 1];
        }
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
        const double spent = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
        if (spent / (REPEATS * STATES) < best)
            best = spent / (REPEATS * STATES);
    }
    return 1e9 * best;
}
"""


def write_c(tree, temporaries, entries, places):
    """The C file of the function and its timer."""
    nq, nv = len(tree.q), len(tree.v)
    lines = ["#define _GNU_SOURCE", "#include <math.h>", "#include <time.h>",
             f"enum {{ NQ = {nq}, NV = {nv} }};",
             "void sympy_accelerations(const double *q, const double *v, const double *tau, "
             "double *qdd)", "{", "    double m[NV][NV];"]
    powers = create_expand_pow_optimization(4)
    for symbol, value in temporaries:
        lines.append(f"    const double {symbol} = {sympy.ccode(powers(value))};")
    for place, value in zip(places, entries):
        lines.append(f"    {place} = {sympy.ccode(powers(value))};")
    lines.append("    for (int i = 0; i < NV; i++)\n        qdd[i] += tau[i];")
    return "\n".join(lines) + SOLVE + TIMER


def names_of(tree):
    """Array elements instead of functions of time."""
    names = {x: sympy.Symbol(f"q[{k}]") for k, x in enumerate(tree.q)}
    names.update({x: sympy.Symbol(f"v[{k}]") for k, x in enumerate(tree.v)})
    return names


def largest_difference(function, path, nq, nv):
    worst = 0.0
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        row = [float(word) for word in line.split()]
        if len(row) != nq + 3 * nv:
            sys.exit(f"{path}: a row has {nq + 3 * nv} numbers")
        q, v, tau, want = row[:nq], row[nq:nq + nv], row[nq + nv:nq + 2 * nv], row[nq + 2 * nv:]
        got = (ctypes.c_double * nv)()
        function((ctypes.c_double * nq)(*q), (ctypes.c_double * nv)(*v),
                 (ctypes.c_double * nv)(*tau), got)
        size = max(map(abs, want))
        worst = max([worst] + [abs(a - b) / size for a, b in zip(got, want)])
    return worst


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][7:], add_help=True)
    parser.add_argument("model")
    parser.add_argument("--library")
    parser.add_argument("--states")
    parser.add_argument("--flags", default="")
    parser.add_argument("--derive", action="store_true")
    options = parser.parse_args()
    gravity, bodies = read_model(options.model)

    start = time.process_time()
    tree = Tree(gravity, bodies)
    mass, forcing = tree.equations()
    derived = time.process_time()
    nv = len(tree.v)
    names = names_of(tree)
    entries = [mass[i, k].xreplace(names) for i in range(nv) for k in range(i + 1)]
    places = [f"m[{i}][{k}]" for i in range(nv) for k in range(i + 1)]
    entries += [forcing[i].xreplace(names) for i in range(nv)]
    places += [f"qdd[{i}]" for i in range(nv)]
    temporaries, entries = sympy.cse(entries)
    found = time.process_time()
    words = [f"sympy={sympy.__version__}", f"derive_s={derived - start:.3f}",
             f"cse_s={found - derived:.3f}"]
    if options.derive:
        print(*words)
        return
    operations = sum(sympy.count_ops(x) for _, x in temporaries)
    operations += sum(sympy.count_ops(x) for x in entries)

    with tempfile.TemporaryDirectory() as folder:
        library = Path(options.library or Path(folder) / "sympy.so").resolve()
        source = library.with_suffix(".c")
        source.write_text(write_c(tree, temporaries, entries, places), encoding="utf-8")
        before = time.monotonic()
        subprocess.run(["cc", "-O2", "-fno-math-errno", *options.flags.split(), "-shared", "-fPIC",
                        "-o", str(library), str(source), "-lm"], check=True)
        compiled = time.monotonic()
        loaded = ctypes.CDLL(str(library))
        loaded.sympy_time.restype = ctypes.c_double
        words += [f"operations={operations}", f"compile_s={compiled - before:.3f}",
                  f"ns={loaded.sympy_time():.0f}"]
        if options.states:
            off = largest_difference(loaded.sympy_accelerations, options.states, len(tree.q), nv)
            words.append(f"difference={off:.1e}")
        print(*words)


if __name__ == "__main__":
    main()
