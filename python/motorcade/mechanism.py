"""Mechanisms: equations of motion, equilibria, small motions, motion over time."""

from __future__ import annotations

import ctypes as C
from dataclasses import dataclass
from typing import Any, Callable, Literal, Optional, Sequence, Union

import numpy as np

from . import _abi
from ._library import (
    PathLike, check, check_long, create, doubles, library, path_bytes, strings,
)
from .plot import Curve, Plot

Kind = Literal["coordinate", "velocity", "state", "input", "parameter", "output"]
_QUANTITIES = {
    "coordinate": _abi.MC_QUANTITY_COORDINATE,
    "velocity": _abi.MC_QUANTITY_VELOCITY,
    "state": _abi.MC_QUANTITY_STATE,
    "input": _abi.MC_QUANTITY_INPUT,
    "parameter": _abi.MC_QUANTITY_PARAMETER,
    "output": _abi.MC_QUANTITY_OUTPUT,
}
_COMPILE = {
    "background": _abi.MC_COMPILE_BACKGROUND,
    "wait": _abi.MC_COMPILE_WAIT,
    "never": _abi.MC_COMPILE_NEVER,
}
_ROW = C.CFUNCTYPE(
    None, C.c_void_p, C.c_double, C.POINTER(C.c_double), C.POINTER(C.c_double)
)


@dataclass(frozen=True)
class Mode:
    """A mode of small motion."""

    eigenvalue: complex  # 1/s
    frequency: float  # Hz
    damping: float  # ratio
    rigid: bool
    shape: np.ndarray  # complex, over the names of Linear


@dataclass(frozen=True)
class Linear:
    """Small motions x' = A x + B u about a state."""

    names: tuple[str, ...]  # of x
    inputs: tuple[str, ...]  # of u
    A: np.ndarray
    B: np.ndarray
    modes: tuple[Mode, ...]  # rigid ones first, then by |eigenvalue|

    @property
    def eigenvalues(self) -> np.ndarray:
        return np.array([m.eigenvalue for m in self.modes])


@dataclass(frozen=True)
class Motion:
    """A motion over time: states y [row, y] and outputs [row, output]."""

    t: np.ndarray
    y: np.ndarray
    outputs: np.ndarray
    names: tuple[str, ...]  # of y
    output_names: tuple[str, ...]
    units: dict[str, str]

    def __getitem__(self, name: str) -> np.ndarray:
        """A coordinate, velocity, state or output over time."""
        if name in self.names:
            return self.y[:, self.names.index(name)]
        if name in self.output_names:
            return self.outputs[:, self.output_names.index(name)]
        raise KeyError(f"unknown name {name!r}; expected one of: {', '.join(self.names)}, ...")

    def frame(self) -> Any:
        """A pandas DataFrame with t as its index."""
        import pandas

        columns = list(self.names) + list(self.output_names)
        data = np.hstack([self.y, self.outputs])
        return pandas.DataFrame(data, index=pandas.Index(self.t, name="t"), columns=columns)

    def plot(self, *names: str) -> Plot:
        curves = [Curve(n, self.t, self[n], self.units.get(n, "")) for n in names or self.names]
        return Plot(curves, x="Time", x_unit="s")


class Mechanism:
    """A mechanism file: bodies, joints, springs, formulas (docs/modelling.md).

    >>> car = motorcade.Mechanism("models/quarter_car.yaml")
    >>> y = car.equilibrium(hold=["distance"])
    >>> car.linearize(y, hold=["distance"]).eigenvalues

    A state y is an array: coordinates, velocities, the user's states, named by `names`.
    """

    def __init__(
        self, path: PathLike, compile: Literal["background", "wait", "never"] = "background"
    ):
        options = _abi.mc_multibody_options(compile=_COMPILE[compile])
        self._take(create(library.mc_multibody_load, path_bytes(path), C.byref(options)))

    @classmethod
    def parse(cls, text: str, name: str = "mechanism") -> "Mechanism":
        """A mechanism from its text; `name` stands for the file in messages."""
        mechanism = cls.__new__(cls)
        mechanism._take(
            create(library.mc_multibody_parse, text.encode(), name.encode(), None)
        )
        return mechanism

    def _take(self, handle: int) -> None:
        self._handle = handle
        self.info = library.mc_multibody_info_of(handle).contents
        self.names = sum(map(self.names_of, ("coordinate", "velocity", "state")), ())
        self.parameters = self.names_of("parameter")
        self.inputs = self.names_of("input")
        self.outputs = self.names_of("output")

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            library.mc_multibody_free(self._handle)
            self._handle = None

    def names_of(self, kind: Kind) -> tuple[str, ...]:
        names: list[str] = []
        quantity = _QUANTITIES[kind]
        while (n := library.mc_multibody_name(self._handle, quantity, len(names))) is not None:
            names.append(n.decode())
        return tuple(names)

    def _units(self) -> dict[str, str]:
        units = {}
        for kind, quantity in _QUANTITIES.items():
            for k, name in enumerate(self.names_of(kind)):  # type: ignore[arg-type]
                units[name] = (library.mc_multibody_unit(self._handle, quantity, k) or b"").decode()
        return units

    def __setitem__(self, name: str, value: float) -> None:
        """Sets a parameter or an input; nothing is derived again."""
        check(library.mc_multibody_set, self._handle, name.encode(), float(value))

    def __getitem__(self, name: str) -> float:
        value = C.c_double()
        check(library.mc_multibody_get, self._handle, name.encode(), C.byref(value))
        return value.value

    def _state(self, y: Optional[np.ndarray]) -> np.ndarray:
        if y is None:
            return self.start()
        y = np.array(y, np.float64)
        if y.shape != (self.info.y_count,):
            raise ValueError(f"y has the shape {y.shape}, expected ({self.info.y_count},)")
        return y

    def start(self) -> np.ndarray:
        """Start values of the file."""
        y = np.empty(self.info.y_count)
        library.mc_multibody_start(self._handle, doubles(y))
        return y

    def rate(
        self, y: np.ndarray, t: float = 0.0, tau: Optional[np.ndarray] = None,
        out: Optional[np.ndarray] = None,
    ) -> np.ndarray:
        """y' with everything the model says; tau: further generalized forces, one per velocity.

        With `out` nothing is allocated: `rate` fits an integrator's inner loop.
        """
        y = np.ascontiguousarray(y, np.float64)
        if y.shape != (self.info.y_count,):
            raise ValueError(f"y has the shape {y.shape}, expected ({self.info.y_count},)")
        out = np.empty(self.info.y_count) if out is None else out
        if out.shape != y.shape or out.dtype != np.float64 or not out.flags.c_contiguous:
            raise ValueError(f"out must be {self.info.y_count} contiguous doubles")
        library.mc_multibody_rate(self._handle, t, doubles(y), self._forces(tau), doubles(out))
        return out

    def _forces(self, tau: Optional[np.ndarray]) -> Any:
        if tau is None:
            return None
        tau = np.ascontiguousarray(tau, np.float64)
        if tau.shape != (self.info.v_count,):
            raise ValueError(f"tau has the shape {tau.shape}, expected ({self.info.v_count},)")
        return doubles(tau)

    def evaluate(self, y: np.ndarray, t: float = 0.0) -> np.ndarray:
        """All outputs at a state, named by `outputs`."""
        out = np.empty(self.info.output_count)
        library.mc_multibody_outputs(self._handle, t, doubles(self._state(y)), doubles(out))
        return out

    def jacobian(self, y: np.ndarray, t: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """A = d(y')/dy and B = d(y')/d(inputs, then generalized forces)."""
        n, m = self.info.y_count, self.info.input_count + self.info.v_count
        A, B = np.empty((n, n), order="F"), np.empty((n, m), order="F")
        y = self._state(y)
        check(library.mc_multibody_jacobian, self._handle, t, doubles(y), doubles(A), doubles(B))
        return A, B

    def equilibrium(
        self, y: Optional[np.ndarray] = None, hold: Sequence[str] = (), t: float = 0.0
    ) -> np.ndarray:
        """A state at rest, from y or from the start values; `hold`: coordinates that stay."""
        y, names = self._state(y), strings(hold)
        options = _abi.mc_equilibrium_options(t=t, hold=names, hold_count=len(hold))
        check(
            library.mc_multibody_equilibrium, self._handle, doubles(y), C.byref(options), None
        )
        return y

    def linearize(
        self, y: Optional[np.ndarray] = None, hold: Sequence[str] = (), t: float = 0.0
    ) -> Linear:
        """Small motions about a state (None: the equilibrium), with their modes."""
        y = self.equilibrium(hold=hold, t=t) if y is None else self._state(y)
        names, c = strings(hold), _abi.mc_linear()
        options = _abi.mc_linear_options(hold=names, hold_count=len(hold))
        check(
            library.mc_multibody_linearize, self._handle, t, doubles(y), C.byref(options),
            C.byref(c),
        )
        try:
            return _linear(c)
        finally:
            library.mc_linear_free(C.byref(c))

    def simulate(
        self, y: Optional[np.ndarray] = None, end: float = 0.0, step: float = 0.0,
        method: Optional[str] = None, rtol: float = 0.0, **options: Any,
    ) -> Motion:
        """Motion from y to `end`, rows every `step` (0: as in the file).

        y None: where the file begins, at its start values or at rest.

        method: dop853, radau5, ...; options: fields of mc_simulate_options (simulate.h).
        """
        begins = y is None
        y = self._state(y)
        if begins:
            check(library.mc_multibody_settle, self._handle, doubles(y))
        o = library.mc_simulate_defaults(self._handle)
        o.end, o.step, o.rtol = end or o.end, step or o.step, rtol
        o.method = method.encode() if method else None
        for name, value in options.items():
            setattr(o, name, value.encode() if isinstance(value, str) else value)
        rows: list[tuple[float, np.ndarray, np.ndarray]] = []
        y_count, output_count = self.info.y_count, self.info.output_count

        def take(_: Any, t: float, state: Any, outputs: Any) -> None:
            rows.append((t, np.array(state[:y_count]), np.array(outputs[:output_count])))

        row = _ROW(take)
        output = _abi.mc_simulate_output(row=C.cast(row, C.c_void_p))
        check_long(
            library.mc_simulate, self._handle, C.byref(o), doubles(y), C.byref(output),
            _abi.mc_watch, None,
        )
        t, states, outputs = zip(*rows)
        return Motion(
            np.array(t), np.array(states), np.array(outputs), self.names, self.outputs,
            self._units(),
        )


def _matrix(address: Any, rows: int, columns: int) -> np.ndarray:
    if rows * columns == 0:
        return np.empty((rows, columns))
    return np.ctypeslib.as_array(address, (columns, rows)).T.copy(order="F")


def _names(address: Union[int, None], count: int) -> tuple[str, ...]:
    table = C.cast(address, C.POINTER(C.c_char_p))
    return tuple((table[k] or b"").decode() for k in range(count))


def _linear(c: _abi.mc_linear) -> Linear:
    n = c.count
    shapes = _matrix(c.shape_real, n, n) + 1j * _matrix(c.shape_imaginary, n, n)
    modes = tuple(
        Mode(complex(m.real, m.imaginary), m.frequency, m.damping, m.rigid, shapes[:, k])
        for k, m in enumerate(c.modes[:n])
    )
    return Linear(
        _names(c.name, n), _names(c.input_name, c.input_count), _matrix(c.A, n, n),
        _matrix(c.B, n, c.input_count), modes,
    )
