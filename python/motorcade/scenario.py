"""Scenarios: read, checked, changed."""

from __future__ import annotations

import os
from typing import Iterator, Mapping, Union

from . import _abi
from ._library import PathLike, check, create, library, path_bytes

Value = Union[float, str]


class Scenario:
    """A scenario file, read and checked (docs/scenarios.md).

    >>> scenario = motorcade.Scenario("scenarios/hill.yaml", {"follow.headway": 1.2})
    >>> scenario.set("time.end", "30 s")

    Text instead of a file: `Scenario.parse(text)`. A scenario keeps the contents of the files it
    names; `edit` makes another version and leaves this one as it is.
    """

    def __init__(self, path: PathLike, values: Mapping[str, Value] = {}):
        self._handle = create(library.mc_scenario_load, path_bytes(path))
        self._set_all(values)

    @classmethod
    def parse(
        cls, text: str, values: Mapping[str, Value] = {}, path: PathLike = ""
    ) -> "Scenario":
        """A scenario from its text. `path` names it in messages; files are looked for next to it."""
        data = text.encode()
        name = path_bytes(path) if os.fspath(path) else None
        return cls._of(create(library.mc_scenario_parse, data, len(data), name), values)

    @classmethod
    def _of(cls, handle: int, values: Mapping[str, Value] = {}) -> "Scenario":
        scenario = cls.__new__(cls)
        scenario._handle = handle
        scenario._set_all(values)
        return scenario

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            library.mc_scenario_free(self._handle)
            self._handle = None

    def _set_all(self, values: Mapping[str, Value]) -> None:
        for name, value in values.items():
            self.set(name, value)

    def set(self, name: str, value: Value) -> None:
        """Another value of a number: "mass", "follow.k1", "car3.x", "road.speed", "time.end".

        A text may have a unit: "90 km/h". Before runs are made from the scenario.
        """
        text = value if isinstance(value, str) else repr(float(value))
        check(library.mc_scenario_set, self._handle, f"{name}={text}".encode())

    def edit(self, edit: str) -> "Scenario":
        """Another version: `edit("{remove: car3}")`, `edit("{step: 0.01}")` (docs/scenarios.md)."""
        return Scenario._of(create(library.mc_scenario_edit, self._handle, edit.encode()))

    @property
    def info(self) -> _abi.mc_scenario_info:
        return library.mc_scenario_info_of(self._handle).contents

    @property
    def name(self) -> str:
        return self.info.name.decode()

    @property
    def end(self) -> float:
        """End of the run, s."""
        return self.info.end

    @property
    def step(self) -> float:
        """Control step, s."""
        return self.info.step

    @property
    def record(self) -> float:
        """Time between recorded rows, s."""
        return self.info.record

    @property
    def text(self) -> str:
        """A scenario file that gives this scenario."""
        return library.mc_scenario_text(self._handle).decode()

    @property
    def warnings(self) -> list[str]:
        return list(self._warnings())

    def _warnings(self) -> Iterator[str]:
        index = 0
        while (text := library.mc_scenario_warning(self._handle, index)) is not None:
            yield text.decode()
            index += 1

    def __repr__(self) -> str:
        return (
            f"<Scenario {self.name!r}: {self.info.vehicle_count} vehicles, "
            f"{self.end:g} s by {self.step:g} s>"
        )
