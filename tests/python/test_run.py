"""Runs: the bits of the command, actions, arrays on the library's memory, many at once."""

import gc
import subprocess

import h5py
import motorcade
import numpy as np
import pytest


def rows_of(path, name):
    with h5py.File(path) as f:
        column = list(f["motion"].attrs["columns"]).index(name.encode())
        return f["time"][:, 0], f["motion"][:, :, column]


@pytest.mark.parametrize("scenario", ["hill.yaml", "lane_change.yaml", "motorway.yaml"])
def test_bits_of_the_command(root, command, scenario, tmp_path):
    """Stepped from Python, played from Python and run by the command: the same bits."""
    path = root / "scenarios" / scenario
    subprocess.run(
        [command, "run", path, "--set", "time.end=4", "-o", tmp_path / "c.h5", "--quiet"],
        check=True, stdout=subprocess.DEVNULL,
    )
    shipped = motorcade.Scenario(path, {"time.end": 4})
    motorcade.run(shipped, hdf5=tmp_path / "p.h5")
    run = motorcade.Run(shipped, fields=["x", "v"])
    stride = round(shipped.record / shipped.step)
    for k, name in enumerate(run.fields):
        time, expected = rows_of(tmp_path / "c.h5", name)
        assert len(time) > 10
        assert np.array_equal(expected, rows_of(tmp_path / "p.h5", name)[1], equal_nan=True)
        run.reset()
        for row in expected:
            assert np.array_equal(run.observation[:, k], row)
            for _ in range(stride):
                run.step()


def test_action_is_a_law_of_its_own(platoon):
    """The law of a file, computed in Python from the observation, gives the same motion."""
    scenario = motorcade.Scenario.parse(
        "motorcade: scenario\ntime: {end: 5, step: 0.05, record: 0.1}\n"
        "models: {light: {kind: point}}\n"
        "controllers: {own: {law: {acceleration: 0.4*(20 - v)}}}\n"
        "vehicles: [{model: light, name: a, controller: own, v: 10 m/s, x: 0 m}]\n"
    )
    own = motorcade.Run(scenario, fields=["v"])
    outside = motorcade.Run(scenario, fields=["v"], driven=["a"])
    half = 0.025  # laws see the middle of the coming step
    last = 0.0
    for _ in range(100):
        own.step()
        v = outside.observation[0, 0]
        last = 0.4 * (20 - (v + half * last))
        outside.action[0, 0] = last
        outside.step()
    assert own.now == outside.now == pytest.approx(5)
    assert outside.observation[0, 0] == pytest.approx(own.observation[0, 0], abs=0.02)
    exact = 20 - 10 * np.exp(-0.4 * 5)  # v' = 0.4 (20 - v)
    assert own.observation[0, 0] == pytest.approx(exact, abs=0.02)


def test_uniform_acceleration(platoon):
    scenario = platoon.edit("{models: {town_car: {kind: point}}}")
    run = motorcade.Run(scenario, driven=["car3"], fields=["x", "v"])
    x0 = run.of("car3", "x")
    run.action[0, 0] = -2.0
    for _ in range(40):
        run.step()
    assert run.of("car3", "v") == pytest.approx(25 - 2 * 2, abs=1e-9)
    assert run.of("car3", "x") - x0 == pytest.approx(25 * 2 - 2 * 2**2 / 2, abs=1e-9)


def test_pedals_and_release(platoon):
    run = motorcade.Run(platoon, driven=["car2"], action="pedals", fields=["v", "brake"])
    run.action[0] = [0, 0.6, 0]
    run.step()
    assert run.of("car2", "brake") == 0.6
    assert run.happened[-1].event == "drive" and run.happened[-1].vehicle == "car2"
    run.action[0] = np.nan
    run.step()
    assert run.happened[-1].event == "release"


def test_export_repeats(platoon):
    run = motorcade.Run(platoon, driven=["car1"])
    generator = np.random.default_rng(5)
    for _ in range(60):
        run.action[0, 0] = generator.uniform(-3, 2)
        run.step()
    again = motorcade.Run(motorcade.Scenario.parse(run.export()))
    for _ in range(60):
        again.step()
    assert again.hash() == run.hash()


def test_save_restore_command_edit(platoon):
    run = motorcade.Run(platoon)
    for _ in range(20):
        run.step()
    state, hash_then = run.save(), run.hash()
    run.command("brake_lost", "car2")
    run.edit("{remove: car3}")
    assert np.isnan(run.observation[3]).all() and run.now == pytest.approx(1)
    run.restore(state)
    assert run.hash() == hash_then and np.isfinite(run.observation[3]).all()


def test_arrays_are_views_that_outlive_the_run(platoon):
    run = motorcade.Run(platoon)
    seen = run.observation
    before = seen.copy()
    run.step()
    assert not np.array_equal(seen, before, equal_nan=True)  # the same memory
    after = seen.copy()
    del run
    gc.collect()
    assert np.array_equal(seen, after, equal_nan=True)


def test_many_runs_have_the_bits_of_one(platoon):
    headways = np.array([0.5, 0.8, 1.1])
    one = motorcade.Runs(platoon, {"follow.headway": headways, "seed": [1, 2, 3]}, threads=1)
    two = motorcade.Runs(platoon, {"follow.headway": headways, "seed": [1, 2, 3]}, threads=3)
    for _ in range(200):
        one.step()
        two.step()
    assert (one.state == motorcade.ENDED).all()
    outcomes = motorcade.play(platoon, {"follow.headway": headways, "seed": [1, 2, 3]}, threads=2)
    for k in range(3):
        values = {"follow.headway": headways[k], "seed": k + 1}
        alone = motorcade.run(motorcade.Scenario.parse(platoon.text, values))
        assert one.hash(k) == two.hash(k) == outcomes.hash[k]
        assert outcomes["largest.jerk"][k] == alone.figures["largest.jerk"]
        assert outcomes.failed[k] == sum(not e.holds for e in alone.expectations) == 1
        own = list(alone.vehicles["car2"].values())
        assert np.array_equal(outcomes.cars[k, 2], own, equal_nan=True)
    assert len(set(outcomes.hash)) == 3


def test_reset(platoon):
    runs = motorcade.Runs(platoon, {"seed": [1, 2]})
    start = runs.observation.copy()
    for _ in range(10):
        runs.step()
    later = [runs.hash(0), runs.hash(1)]
    runs.reset(np.array([True, False]))
    assert runs.time[0] == 0 and runs.time[1] > 0 and runs.hash(1) == later[1]
    assert np.array_equal(runs.observation[0], start[0], equal_nan=True)
    runs.reset(values={"seed": [2, 1]})
    for _ in range(10):
        runs.step()
    assert [runs.hash(1), runs.hash(0)] == later


def test_figures_of_one_run(platoon):
    outcome = motorcade.run(platoon)
    assert outcome.ended == "end time reached" and not outcome.holds
    assert [e.holds for e in outcome.expectations] == [True, False]
    assert outcome.figures["collisions"] == 0
    largest = max(abs(v["largest.spacing_error"]) for n, v in outcome.vehicles.items() if n != "leader")
    assert outcome.figures["largest.spacing_error"] == largest
    frame = pytest.importorskip("pandas") and outcome.frame()
    assert frame.loc["car1", "largest.jerk"] == outcome.vehicles["car1"]["largest.jerk"]


def test_rejected(platoon):
    with pytest.raises(motorcade.BadInput, match="did you mean headway"):
        motorcade.play(platoon, {"follow.hedway": [1.0]})
    outcomes = motorcade.play(platoon, {"follow.headway": [1.0, -1.0]})
    assert np.isnan(outcomes.failed[1]) and outcomes.ended[1].startswith("failed: ")
    with pytest.raises(ValueError, match="unknown field 'speed'"):
        motorcade.Run(platoon, fields=["speed"])
    with pytest.raises(motorcade.BadInput, match='unknown vehicle "car9"'):
        motorcade.Run(platoon, driven=["car9"])
    run = motorcade.Run(platoon, driven=["car1"])
    run.action[0, 0] = 1e3
    with pytest.raises(motorcade.BadInput, match="action of car1 in run 0"):
        run.step()
    with pytest.raises(ValueError, match="unknown event"):
        run.command("explode", "car1")
    with pytest.raises(ValueError, match="have .* entries"):
        motorcade.play(platoon, {"seed": [1, 2, 3]}, count=2)


def test_errors_have_a_place():
    with pytest.raises(motorcade.BadInput) as caught:
        motorcade.Scenario.parse(
            "motorcade: scenario\ntime: {end: 10}\nroad: {lane_with: 3.5}\n", path="wrong.yaml"
        )
    error = caught.value
    assert (error.file, error.line, error.column) == ("wrong.yaml", 3, 8)
    assert str(error).splitlines() == [
        'wrong.yaml:3:8: the road has no key "lane_with"; did you mean lane_width?',
        "  road: {lane_with: 3.5}",
        "         ^",
    ]
    with pytest.raises(motorcade.BadInput, match="cannot be read: No such file"):
        motorcade.Scenario("there/is/none.yaml")
