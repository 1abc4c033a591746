"""The package of the tree over the library of the build, unless the environment says otherwise."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
os.environ.setdefault("MOTORCADE_LIBRARY", str(ROOT / "build/libmotorcade.so"))

PLATOON = """motorcade: scenario
name: three cars
time: {end: 10, step: 0.05, record: 0.1}
profiles:
  dip: {table: [[0, 25], [2, 25], [5, 18], [10, 18]]}
models:
  town_car: powertrain
controllers:
  follow: {law: platoon, headway: 1, distance: 5, sensor: {range_noise: 0.05}}
platoons:
  - leader: {model: town_car, profile: dip}
    cars: [{model: town_car, controller: follow, count: 3}]
expect: [collisions == 0, largest.spacing_error < 1 mm]
"""


@pytest.fixture
def root():
    return ROOT


@pytest.fixture
def command():
    return os.environ.get("MOTORCADE_BINARY", str(ROOT / "build/motorcade"))


@pytest.fixture
def platoon():
    import motorcade

    return motorcade.Scenario.parse(PLATOON)


@pytest.fixture
def platoon_file(tmp_path):
    path = tmp_path / "platoon.yaml"
    path.write_text(PLATOON)
    return path
