"""Runs: step by step with observations and actions, one or many at once; whole, with figures."""

from __future__ import annotations

import ctypes as C
from dataclasses import dataclass, field
from typing import Any, Literal, Mapping, Optional, Sequence

import numpy as np

from . import _abi, plot
from ._library import (
    PathLike, check, check_long, create, doubles, error_of, library, path_bytes, strings, take_text,
    view,
)
from .scenario import Scenario
from .tables import EVENTS, FIELDS, FIGURES, FieldName

Action = Literal["acceleration", "pedals"]
_ACTIONS = {"acceleration": _abi.MC_RUNS_ACTION_ACCELERATION, "pedals": _abi.MC_RUNS_ACTION_PEDALS}
_FIELD_NUMBER = {name: number for number, name in enumerate(FIELDS)}
GOES, ENDED, FAILED = (
    _abi.MC_RUNS_STATE_GOES, _abi.MC_RUNS_STATE_ENDED, _abi.MC_RUNS_STATE_FAILED,
)
STATES = ("goes", "ended", "failed")
DEFAULT_FIELDS: tuple[FieldName, ...] = ("x", "v", "a", "gap")


class Values:
    """Values that differ between runs, name by name, one number or one per run."""

    def __init__(self, values: Mapping[str, Any], count: int):
        self.names = list(values)
        self.table = np.empty((count, len(self.names)))
        for k, name in enumerate(self.names):
            self.table[:, k] = values[name]


def _count_of(values: Mapping[str, Any], count: Optional[int]) -> int:
    lengths = {len(v) for v in map(np.atleast_1d, values.values())} - {1}
    if count is None:
        count = lengths.pop() if len(lengths) == 1 else 1
    if lengths - {count}:
        raise ValueError(f"{count} runs, but values have {sorted(lengths)} entries")
    return count


class _Request:
    """An mc_runs_request with everything it points to."""

    def __init__(self, scenario: Scenario, count: int, values: Values, threads: int):
        self.keep: list[Any] = [scenario, values, strings(values.names)]
        self.c = _abi.mc_runs_request(
            scenario=scenario._handle, count=count, names=self.keep[2],
            name_count=len(values.names), values=doubles(values.table), threads=threads,
        )

    def stepped(
        self, fields: Sequence[str], vehicles: Optional[Sequence[str]], driven: Sequence[str],
        action: Action, steps: int,
    ) -> None:
        for name in fields:
            if name not in _FIELD_NUMBER:
                raise ValueError(f"unknown field {name!r}; expected one of: {', '.join(FIELDS)}")
        if action not in _ACTIONS:
            raise ValueError(f"unknown action {action!r}; expected acceleration or pedals")
        numbers = (C.c_int * max(len(fields), 1))(*[_FIELD_NUMBER[name] for name in fields])
        self.keep += [numbers, strings(driven)]
        self.c.fields, self.c.field_count = numbers, len(fields)
        self.c.driven, self.c.driven_count = self.keep[-1], len(driven)
        if vehicles is not None:
            self.keep.append(strings(vehicles))
            self.c.vehicles, self.c.vehicle_count = self.keep[-1], len(vehicles)
        self.c.action, self.c.steps = _ACTIONS[action], steps


class Runs:
    """Many runs of one scenario, stepped together on all cores.

    >>> runs = motorcade.Runs(scenario, {"seed": range(64)}, fields=["v", "gap"], driven=["car1"])
    >>> while (runs.state == motorcade.GOES).any():
    ...     runs.action[:, 0, 0] = policy(runs.observation)
    ...     runs.step()

    Arrays are views on memory of the library, which `step` and `reset` overwrite: copy what is to be
    kept. They stay valid after the runs are deleted.

    observation  [run, vehicle, field], NaN: no such value, or no such vehicle now
    action       [run, driven, k]: desired acceleration, m/s^2 (k = 1), or throttle 0 .. 1, brake
                 0 .. 1, steering angle in rad (k = 3). Held until changed; NaN: its own controller
                 drives
    time         [run], s
    hits         [run, vehicle], impacts it took part in
    state        [run]: GOES, ENDED or FAILED; only runs that go are stepped

    Every run has the same bits as alone, whatever the number of threads.
    """

    def __init__(
        self,
        scenario: Scenario,
        values: Mapping[str, Any] = {},
        *,
        count: Optional[int] = None,
        fields: Sequence[FieldName] = DEFAULT_FIELDS,
        vehicles: Optional[Sequence[str]] = None,
        driven: Sequence[str] = (),
        action: Action = "acceleration",
        steps: int = 1,
        threads: int = 0,
    ):
        self._handle = None
        self.count = _count_of(values, count)
        self._values = Values(values, self.count)
        request = _Request(scenario, self.count, self._values, threads)
        request.stepped(fields, vehicles, driven, action, steps)
        self._handle = create(library.mc_runs_create, C.byref(request.c))
        self.scenario = scenario
        self.fields, self.driven, self.steps = tuple(fields), tuple(driven), steps
        self._error = _abi.mc_error()
        self._step = library.mc_runs_step
        self._arguments = (C.c_void_p(self._handle), C.byref(self._error))
        self._life = _Life(self._handle)
        self._make_views()
        names = vehicles if vehicles is not None else map(self._name, range(self._car_count))
        self.vehicles = tuple(names)

    def _make_views(self) -> None:
        a = library.mc_runs_arrays_of(self._handle).contents
        n, cars, life = a.count, a.vehicle_count, self._life
        self._car_count = cars
        self.observation = view(a.observation, (n, cars, a.field_count), np.float64, life)
        self.action = view(a.action, (n, a.driven_count, a.action_count), np.float64, life)
        self.time = view(a.time, (n,), np.float64, life)
        self.hits = view(a.hits, (n, cars), np.int32, life)
        self.state = view(a.state, (n,), np.int32, life)

    def _name(self, vehicle: int) -> str:
        return library.mc_run_vehicle_name(self._run(0), vehicle).decode()

    def _run(self, index: int) -> int:
        return library.mc_runs_at(self._handle, index)

    def step(self) -> None:
        """Carries out the actions and takes `steps` control steps of every run that goes."""
        if self._step(*self._arguments):
            raise error_of(self._error)

    def reset(
        self, which: Optional[np.ndarray] = None, values: Optional[Mapping[str, Any]] = None
    ) -> None:
        """Back to the start: all runs, or those where the array `which` is true.

        values: other ones, for names given when the runs were made.
        """
        table = None
        if values is not None:
            table = self._values.table.copy()
            for name, value in values.items():
                if name not in self._values.names:
                    raise ValueError(f"{name!r} was not among the values: {self._values.names}")
                table[:, self._values.names.index(name)] = value
            self._values.table = table
        flags = None
        if which is not None:
            flags = np.ascontiguousarray(np.broadcast_to(which, (self.count,)), np.uint8)
        check(
            library.mc_runs_reset, self._handle,
            None if flags is None else flags.ctypes.data_as(C.POINTER(C.c_ubyte)),
            None if table is None else doubles(table),
        )

    def failure(self, index: int) -> str:
        """Why a run failed; "": it did not."""
        return library.mc_runs_failure(self._handle, index).decode()

    def hash(self, index: int = 0) -> int:
        """Of the whole state of a run: equal hashes, equal bits."""
        return library.mc_run_hash(self._run(index))

    def export(self, index: int = 0, log: bool = True) -> str:
        """A scenario file that repeats the run so far, with everything that was done to it."""
        return take_text(create(library.mc_run_export, self._run(index), log)).decode()


class _Life:
    """The C object: freed when neither the runs nor an array on its memory are left."""

    def __init__(self, handle: int):
        self.handle = handle

    def __del__(self) -> None:
        if library is not None:
            library.mc_runs_destroy(self.handle)


@dataclass(frozen=True)
class Happened:
    """Something that happened in a run."""

    time: float
    event: str
    vehicle: str
    value: float


class Run(Runs):
    """One run, step by step; arrays as in Runs, without the first axis.

    >>> run = motorcade.Run(scenario, driven=["car1"], fields=["v", "gap"])
    >>> while run.goes:
    ...     run.action[0, 0] = 0.5 * (25 - run.observation[1, 0])
    ...     run.step()
    """

    def __init__(self, scenario: Scenario, values: Mapping[str, float] = {}, **options: Any):
        if options.pop("count", 1) != 1:
            raise ValueError("a Run is one run; use Runs")
        super().__init__(scenario, values, count=1, **options)

    def _make_views(self) -> None:
        super()._make_views()
        self.observation, self.action = self.observation[0], self.action[0]
        self.hits = self.hits[0]
        # A number of a memoryview is read ten times as fast as one of an array.
        self._time, self._state = memoryview(self.time), memoryview(self.state)

    @property
    def goes(self) -> bool:
        """Neither at the end of the scenario nor failed."""
        return self._state[0] == GOES

    @property
    def now(self) -> float:
        """Time of the run, s."""
        return self._time[0]

    def of(self, vehicle: str, name: FieldName) -> float:
        """One observed field of one vehicle."""
        return float(self.observation[self.vehicles.index(vehicle), self.fields.index(name)])

    def command(
        self, event: str, vehicle: Optional[str] = None, value: float = float("nan"),
        param: Optional[str] = None, **inputs: float,
    ) -> None:
        """Something that happens at the start of the next step: `command("brake_lost", "car2")`.

        inputs: throttle, brake, steer and acceleration of "drive".
        """
        if event not in EVENTS and event != "edit":
            raise ValueError(f"unknown event {event!r}; expected one of: {', '.join(EVENTS)}")
        command = _abi.mc_command(
            event.encode(), vehicle.encode() if vehicle else None,
            param.encode() if param else None, value, _abi.mc_inputs(**inputs),
        )
        check(library.mc_run_command, self._run(0), C.byref(command))

    def edit(self, edit: str) -> None:
        """The run continues with an edited version of its scenario."""
        check(library.mc_run_edit, self._run(0), edit.encode())
        library.mc_runs_observe(self._handle)

    def save(self) -> bytes:
        """The whole state, for `restore`."""
        snapshot = _abi.mc_snapshot()
        check(library.mc_run_save, self._run(0), C.byref(snapshot))
        try:
            return C.string_at(snapshot.data, snapshot.size)
        finally:
            library.mc_snapshot_free(C.byref(snapshot))

    def restore(self, state: bytes) -> None:
        """Back, or forward, to a state that was saved; later commands are forgotten."""
        buffer = C.create_string_buffer(state, len(state))
        snapshot = _abi.mc_snapshot(C.cast(buffer, C.c_void_p), len(state))
        check(library.mc_run_restore, self._run(0), C.byref(snapshot))
        library.mc_run_forget_commands(self._run(0))
        library.mc_runs_observe(self._handle)

    @property
    def happened(self) -> list[Happened]:
        """What has happened so far, in order of time."""
        found, item = [], _abi.mc_happened()
        while library.mc_run_happened_at(self._run(0), len(found), C.byref(item)):
            found.append(
                Happened(item.time, item.name.decode(), item.vehicle_name.decode(), item.value)
            )
        return found


# ---- whole runs ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Expectation:
    """A line of `expect:` and whether it holds."""

    text: str
    holds: bool


@dataclass(frozen=True)
class Outcome:
    """A run from its start to its end, summed up."""

    figures: dict[str, float]
    vehicles: dict[str, dict[str, float]]
    expectations: list[Expectation] = field(default_factory=list)
    ended: str = ""

    @property
    def holds(self) -> bool:
        """All expectations of the scenario hold."""
        return all(e.holds for e in self.expectations)

    def frame(self) -> Any:
        """Figures of the vehicles as a pandas DataFrame, one row per vehicle."""
        import pandas

        return pandas.DataFrame.from_dict(self.vehicles, orient="index")


def _figures(figures: int, car: int) -> dict[str, float]:
    return {n: library.mc_figures_value(figures, car, k) for k, n in enumerate(FIGURES)}


def _outcome(recording: int) -> Outcome:
    figures = library.mc_recording_figures(recording)
    vehicles, expectations = {}, []
    while (name := library.mc_recording_vehicle_name(recording, len(vehicles))) is not None:
        vehicles[name.decode()] = _figures(figures, len(vehicles))
    result = _abi.mc_condition_result()
    for k in range(library.mc_recording_expect_count(recording)):
        library.mc_recording_expect(recording, k, C.byref(result))
        expectations.append(Expectation(result.text.decode(), result.holds))
    ended = library.mc_recording_ended(recording).decode()
    return Outcome(_figures(figures, -1), vehicles, expectations, ended)


def run(
    scenario: Scenario, hdf5: Optional[PathLike] = None, csv: Optional[PathLike] = None,
    threads: int = 0, command: str = "motorcade.run",
) -> Outcome:
    """Runs a scenario to its end, as `motorcade run` does, with the same bits.

    hdf5: results file, which motorcade.Recording reads; csv: folder for one file per vehicle.
    """
    options = _abi.mc_run_options(threads=threads)
    handle = create(library.mc_run_create, scenario._handle, C.byref(options))
    try:
        output = _abi.mc_record_output(
            hdf5=None if hdf5 is None else path_bytes(hdf5),
            csv=None if csv is None else path_bytes(csv),
            command=command.encode(),
        )
        recording = create(library.mc_recording_open, handle, C.byref(output))
        try:
            check_long(library.mc_recording_play, recording, _abi.mc_watch)
            outcome = _outcome(recording)
        except BaseException:
            library.mc_recording_abandon(recording)
            raise
        check(library.mc_recording_close, recording)
        return outcome
    finally:
        library.mc_run_destroy(handle)


@dataclass(frozen=True)
class Outcomes:
    """Many runs to their ends: one entry, or row, per run."""

    values: dict[str, np.ndarray]
    figures: np.ndarray  # [run, figure], in the order of FIGURES; NaN: none
    cars: np.ndarray  # [run, vehicle, figure]
    failed: np.ndarray  # expectations that fail; NaN: the run broke off
    hash: np.ndarray  # of the state at the end
    ended: np.ndarray  # why; "failed: ..." when the run broke off

    def __getitem__(self, figure: str) -> np.ndarray:
        """One figure of all runs: outcomes["largest.jerk"]."""
        if figure not in FIGURES:
            raise KeyError(f"unknown figure {figure!r}; expected one of: {', '.join(FIGURES)}")
        return self.figures[:, list(FIGURES).index(figure)]

    def frame(self) -> Any:
        """Values and figures as a pandas DataFrame, one row per run."""
        import pandas

        columns = {**self.values, **{name: self[name] for name in FIGURES}}
        return pandas.DataFrame({**columns, "failed": self.failed, "ended": self.ended})

    def plot(self, x: str, *figures: str) -> "plot.Plot":
        """Figures over a value, one point per run."""
        order = np.argsort(self.values[x], kind="stable")
        curves = [
            plot.Curve(name, self.values[x][order], self[name][order], FIGURES[name].unit, "points")
            for name in figures
        ]
        return plot.Plot(curves, x=x)


def play(
    scenario: Scenario, values: Mapping[str, Any] = {}, *, count: Optional[int] = None,
    cars: bool = True, threads: int = 0,
) -> Outcomes:
    """Many runs to their ends in one call, on all cores.

    >>> outcomes = motorcade.play(scenario, {"follow.headway": np.linspace(0.4, 1.2, 1000)})
    >>> outcomes["largest.spacing_error"]

    values: by name, as of Scenario.set, one number or one per run, SI. A run whose values are
    rejected has NaN as figures, and `ended` says why. cars: figures of each vehicle, too.
    """
    count = _count_of(values, count)
    given = Values(values, count)
    request = _Request(scenario, count, given, threads)
    vehicles = scenario.info.vehicle_count if cars else 0
    figures = np.full((count, len(FIGURES)), np.nan)
    of_cars = np.full((count, vehicles, len(FIGURES)), np.nan)
    failed, hashes = np.full(count, np.nan), np.zeros(count, np.uint64)
    ended = np.zeros(count, f"S{_abi.MC_RUNS_TEXT}")
    results = _abi.mc_runs_results(
        doubles(figures), doubles(of_cars) if vehicles else None, vehicles, doubles(failed),
        hashes.ctypes.data_as(C.POINTER(C.c_ulonglong)), ended.ctypes.data,
    )
    check_long(library.mc_runs_play, C.byref(request.c), C.byref(results), _abi.mc_watch)
    columns = {name: given.table[:, k].copy() for k, name in enumerate(given.names)}
    return Outcomes(columns, figures, of_cars, failed, hashes, np.char.decode(ended))
