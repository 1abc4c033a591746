"""What the package is made of: the interface, tables, results, plots, environments."""

import ctypes as C
import os
import shutil
import subprocess
import sys

import motorcade
import numpy as np
import pytest
from motorcade import _abi
from motorcade.gym import FAR, Environment, VectorEnvironment


def test_sizes_of_structures(root, tmp_path):
    """The compiler agrees on the size of every structure, and on the place of every field."""
    structures = {
        name: kind for name, kind in vars(_abi).items()
        if name.startswith("mc_") and not name.endswith("_inner") and hasattr(kind, "_fields_")
    }
    assert len(structures) > 100
    lines = []
    for name, kind in structures.items():
        lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
        for field, *_ in kind._fields_:
            if field != "inner":
                lines.append(f'printf("{name}.{field} %zu\\n", offsetof(struct {name}, {field}));')
    code = "#include <motorcade/motorcade.h>\n#include <stddef.h>\n#include <stdio.h>\n"
    (tmp_path / "sizes.c").write_text(code + "int main(void) {\n" + "\n".join(lines) + "\n}\n")
    include = [f"-I{root}/include", f"-I{root}/build/include"]
    program = tmp_path / "sizes"
    subprocess.run(["cc", "-w", *include, tmp_path / "sizes.c", "-o", program], check=True)
    for line in subprocess.run([program], capture_output=True, text=True).stdout.splitlines():
        name, number = line.split()
        kind, _, field = name.partition(".")
        mine = getattr(structures[kind], field).offset if field else C.sizeof(structures[kind])
        assert mine == int(number), name


def test_tables_in_docstrings():
    from motorcade import tables

    assert "largest.jerk" in tables.FIGURES and tables.FIELDS["v"].unit == "m/s"
    assert "\n    v, m/s: speed along the heading\n" in tables.__doc__
    platoon = {p.name: p for p in tables.LAWS["platoon"].parameters}
    assert platoon["k1"].min <= platoon["k1"].default <= platoon["k1"].max


def test_recording(platoon, tmp_path):
    motorcade.run(platoon, hdf5=tmp_path / "run.h5")
    recording = motorcade.Recording(tmp_path / "run.h5")
    v = recording["v"]
    assert v.shape == (101, 4) and recording.time[-1] == 10 and not v.flags.writeable
    assert not v.flags.owndata and v.base is not None  # on the library's memory
    run = motorcade.Run(platoon, fields=["v"])
    for _ in range(200):
        run.step()
    assert np.array_equal(v[-1], run.observation[:, 0])
    assert [vehicle.name for vehicle in recording.vehicles] == ["leader", "car1", "car2", "car3"]
    assert "car3" in recording.plot("v", "gap").svg
    with pytest.raises(KeyError, match="unknown field"):
        recording["speed"]
    frame = pytest.importorskip("pandas") and recording.frame(["v", "gap"])
    assert frame.loc[(10.0, "car2"), "v"] == v[-1, 2]


def test_picture(platoon, tmp_path):
    motorcade.run(platoon.edit("{end: 1}"), hdf5=tmp_path / "run.h5")
    image = motorcade.Recording(tmp_path / "run.h5").picture(width=320, height=200)
    assert image._repr_png_().startswith(b"\x89PNG")
    with pytest.raises(motorcade.BadInput):
        motorcade.Recording(tmp_path / "run.h5").picture(camera="none")


def test_plot(tmp_path):
    x = np.linspace(0, 1, 20)
    plot = motorcade.Plot([motorcade.Curve("a", x, x**2, "m"), motorcade.Curve("b", x, -x, "s")])
    plot.save(tmp_path / "p.svg")
    assert (tmp_path / "p.svg").read_text() == plot._repr_svg_()
    assert plot.svg.count("<svg") == 1
    with pytest.raises(ValueError, match="shape"):
        motorcade.Plot([motorcade.Curve("a", x, x[1:])]).svg


def test_environment(platoon):
    env = Environment(platoon)
    first, info = env.reset(seed=4)
    assert env.observation_space.contains(first) and info["time"] == 0
    assert first[1, 2] == FAR  # the leader has no car in front
    steps = 0
    truncated = False
    while not truncated:
        seen, reward, terminated, truncated, _ = env.step(np.array([[0.0]]))
        steps += 1
        assert np.isfinite(reward)
        if terminated:
            break
    assert steps <= 200 and (terminated or steps == 200)
    again, _ = env.reset(seed=4)
    assert np.array_equal(first, again)


def test_hit_terminates(platoon):
    env = Environment(platoon, bounds=(-9, 9))
    env.reset(seed=1)
    for _ in range(200):
        *_, terminated, truncated, _ = env.step(np.array([[9.0]]))
        if terminated:
            break
    assert terminated and env.runs.hits[0, 0] > 0


def test_vector_environment_is_many_of_one(platoon):
    many = VectorEnvironment(platoon, 3, threads=2)
    many.reset(seed=7)
    seeds = many.runs._values.table[:, 0]
    ones = [Environment(platoon) for _ in seeds]
    for env, seed in zip(ones, seeds):
        env.runs.reset(values={"seed": seed})
    generator = np.random.default_rng(1)
    for _ in range(200):
        actions = generator.uniform(-2, 2, (3, 1, 1))
        seen, reward, terminated, truncated, _ = many.step(actions)
        for k, env in enumerate(ones):
            own = env.step(actions[k])
            assert np.array_equal(own[0], seen[k]) and own[1] == reward[k]
            assert own[2] == terminated[k] and own[3] == truncated[k]
        if (terminated | truncated).any():
            break
    over = terminated | truncated
    assert over.any()
    seen, reward, terminated, truncated, info = many.step(actions)
    assert (info["time"][over] == 0).all() and (reward[over] == 0).all()
    assert not (terminated | truncated)[over].any()


def test_interrupt(root):
    """Ctrl-C ends a long call within the library."""
    code = (
        "import motorcade, os, signal, threading\n"
        f"s = motorcade.Scenario({str(root / 'scenarios/hill.yaml')!r}, {{'time.end': 1e5}})\n"
        "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n    motorcade.play(s, count=50)\n"
        "except KeyboardInterrupt:\n    print('stopped')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": str(root / "python")})
    assert done.stdout == "stopped\n", done.stderr


def test_pip_install(root, tmp_path):
    """Installed by pip without a network, the package finds its own library."""
    tree = tmp_path / "tree"
    (tree / "build").mkdir(parents=True)
    for name in ("pyproject.toml", "setup.py", "CMakeLists.txt"):
        shutil.copy(root / name, tree)
    shutil.copytree(root / "python", tree / "python")
    shutil.copy(os.environ["MOTORCADE_LIBRARY"], tree / "build/libmotorcade.so")
    site = tmp_path / "site"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-index",
         "--no-deps", "--target", site, tree],
        check=True, capture_output=True,
    )
    environment = {k: v for k, v in os.environ.items() if k != "MOTORCADE_LIBRARY"}
    code = "import motorcade; print(motorcade.__file__, motorcade._library.library._name)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True,
        env={**environment, "PYTHONPATH": str(site)},
    )
    file, library = done.stdout.split()
    assert file.startswith(str(site)) and library == str(site / "motorcade/libmotorcade.so.0")
