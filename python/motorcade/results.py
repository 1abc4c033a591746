"""Recordings: results files of runs, of MEDUSA, of DYNAVIS, CSV, as arrays."""

from __future__ import annotations

import ctypes as C
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, Optional, Sequence

import numpy as np

from . import _abi
from ._library import PathLike, check, create, library, path_bytes, view
from .plot import Curve, Image, Plot
from .tables import FIELDS, FieldName

_FRAME_FIELDS = list(FIELDS)[: _abi.MC_FIELD_FRAME_COUNT]


@dataclass(frozen=True)
class Vehicle:
    """A vehicle of a recording."""

    name: str
    model: str
    controller: str
    platoon: int
    place: int
    length: float
    width: float
    height: float
    mass: float


class _Life:
    """The C object: freed when neither the recording nor an array on its memory is left."""

    def __init__(self, handle: int):
        self.handle = handle

    def __del__(self) -> None:
        if library is not None:
            library.mc_replay_free(self.handle)


class Recording:
    """A recording of any kind that `motorcade` reads: HDF5 results, data.asc, DYNAVIS data, CSV.

    >>> recording = motorcade.Recording("run.h5")
    >>> recording.time, recording["v"]        # s; [row, vehicle]
    >>> recording.frame()                     # pandas: one row per instant and vehicle

    Arrays are views on memory of the library, without a copy. They are read-only and stay valid
    after the recording is deleted.
    """

    def __init__(self, path: PathLike, parameters: Optional[PathLike] = None):
        self.path = Path(path)
        with_ = None if parameters is None else path_bytes(parameters)
        self._handle = create(library.mc_replay_load, path_bytes(path), with_)
        self._life = _Life(self._handle)
        self.info = library.mc_replay_info_of(self._handle).contents
        rows = self.info.row_count
        self.time = np.array([library.mc_replay_time(self._handle, r) for r in range(rows)])
        self.vehicles = tuple(self._vehicles())

    def _vehicles(self) -> Iterator[Vehicle]:
        car = _abi.mc_replay_car()
        for k in range(self.info.car_count):
            library.mc_replay_car_at(self._handle, k, C.byref(car))
            yield Vehicle(
                car.name.decode(), car.model.decode(), car.controller.decode(), car.platoon,
                car.place, car.length, car.width, car.height, car.mass,
            )

    @property
    def kind(self) -> str:
        """results, data.asc, DYNAVIS or CSV."""
        return self.info.kind.decode()

    @property
    def note(self) -> str:
        """What was estimated or left out."""
        return self.info.note.decode()

    @property
    def scenario(self) -> str:
        """Text of the scenario that was run; "": not known."""
        return self.info.scenario.decode()

    @property
    def fields(self) -> tuple[str, ...]:
        """Fields that the recording has."""
        return tuple(n for n in _FRAME_FIELDS if self._address(n))

    def _address(self, name: str) -> Any:
        return library.mc_replay_row(self._handle, 0, _FRAME_FIELDS.index(name))

    def __getitem__(self, name: FieldName) -> np.ndarray:
        """A field of all vehicles over time, [row, vehicle]; NaN: not known."""
        if name not in _FRAME_FIELDS:
            raise KeyError(f"unknown field {name!r}; expected one of: {', '.join(_FRAME_FIELDS)}")
        address = self._address(name)
        if not address:
            raise KeyError(f"{self.path} has no field {name!r}; it has {', '.join(self.fields)}")
        shape = (self.info.row_count, self.info.car_count)
        array = view(address, shape, np.float64, self._life)
        array.flags.writeable = False
        return array

    @property
    def poses(self) -> Optional[np.ndarray]:
        """[row, vehicle, 4, 3]: mass centre and directors 1, 2, 3; None: not recorded."""
        address = library.mc_replay_poses(self._handle, 0)
        if not address:
            return None
        shape = (self.info.row_count, self.info.car_count, 4, 3)
        array = view(address, shape, np.float64, self._life)
        array.flags.writeable = False
        return array

    def frame(self, names: Optional[Sequence[FieldName]] = None) -> Any:
        """A pandas DataFrame with the index (t, vehicle) and one column per field."""
        import pandas

        index = pandas.MultiIndex.from_product(
            [self.time, [v.name for v in self.vehicles]], names=["t", "vehicle"]
        )
        columns = {name: self[name].ravel() for name in names or self.fields}
        return pandas.DataFrame(columns, index=index)

    def plot(self, *names: FieldName, vehicles: Optional[Sequence[str]] = None) -> Plot:
        """Fields over time, one curve per vehicle."""
        curves = []
        for name in names:
            label = "" if len(names) == 1 else f" {name}"
            for k, vehicle in enumerate(self.vehicles):
                y = self[name][:, k]
                if (vehicles is None or vehicle.name in vehicles) and np.isfinite(y).any():
                    y = np.where(np.isfinite(y), y, np.nan)
                    curves.append(Curve(vehicle.name + label, self.time, y, FIELDS[name].unit))
        return Plot(curves, x="Time", x_unit="s", title=self.info.title.decode())

    def picture(self, at: float = float("nan"), camera: str = "platoon", width: int = 960,
                height: int = 600, **options: Any) -> Image:
        """The vehicles at an instant, as `motorcade picture` draws them (results of a run)."""
        o = library.mc_render_defaults()
        o.at, o.camera, o.width, o.height = at, camera.encode(), width, height
        for name, value in options.items():
            setattr(o, name, value.encode() if isinstance(value, str) else value)
        with tempfile.TemporaryDirectory() as folder:
            png = Path(folder) / "picture.png"
            check(library.mc_render_write, path_bytes(self.path), path_bytes(png), C.byref(o))
            return Image(png.read_bytes())
