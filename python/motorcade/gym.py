"""Environments in the form of Gymnasium: for learning, one car or many at once.

They work without Gymnasium, too; with it they are a gymnasium.Env and a gymnasium.vector.VectorEnv.
"""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from .run import FAILED, GOES, Action, Runs
from .scenario import Scenario
from .tables import FieldName

try:
    import gymnasium
    from gymnasium.spaces import Box
    from gymnasium.vector import AutoresetMode, VectorEnv

    Env: Any = gymnasium.Env
except ImportError:
    Env = VectorEnv = object
    AutoresetMode = None

    class Box:  # type: ignore[no-redef]
        """As much of gymnasium.spaces.Box as is needed here."""

        def __init__(self, low: Any, high: Any, shape: Any = None, dtype: Any = np.float64):
            self.low = np.broadcast_to(np.asarray(low, dtype), shape or np.shape(low))
            self.high = np.broadcast_to(np.asarray(high, dtype), self.low.shape)
            self.shape, self.dtype = self.low.shape, np.dtype(dtype)
            self._random = np.random.default_rng()

        def contains(self, x: np.ndarray) -> bool:
            return x.shape == self.shape and bool(np.all(x >= self.low) and np.all(x <= self.high))

        def sample(self) -> np.ndarray:
            return self._random.uniform(self.low, self.high).astype(self.dtype)


Reward = Callable[[np.ndarray, np.ndarray], np.ndarray]
FAR = 1e6  # what an observation has where there is no value: no car in front
LIMIT = 1e9  # bounds of the observations


def keep_gap(observation: np.ndarray, action: np.ndarray) -> np.ndarray:
    """The reward of the default fields: a gap of 5 m + 1 s v is kept, and smoothly.

    1 minus the squares of the error of the gap over 10 m, of the relative speed over 5 m/s and of
    the acceleration over 3 m/s^2.
    """
    v, a, gap = observation[..., 0, 0], observation[..., 0, 1], observation[..., 0, 2]
    error = np.minimum(np.abs(gap - 5.0 - v) / 10.0, 10.0)
    approach = (observation[..., 1, 0] - v) / 5.0
    return 1.0 - error**2 - approach**2 - (a / 3.0) ** 2


class _Core:
    """What one environment and many have in common."""

    def __init__(
        self, scenario: Scenario, driven: Sequence[str], fields: Sequence[FieldName],
        vehicles: Sequence[str], action: Action, bounds: tuple[float, float], reward: Reward,
        steps: int, values: Mapping[str, Any], count: int, threads: int,
    ):
        self.runs = Runs(
            scenario, {"seed": 1.0, **values}, count=count, fields=fields,
            vehicles=list(vehicles), driven=list(driven), action=action, steps=steps,
            threads=threads,
        )
        self.reward = reward
        pedals = action == "pedals"
        low = np.tile([0.0, 0.0, -0.5] if pedals else [bounds[0]], (len(driven), 1))
        high = np.tile([1.0, 1.0, 0.5] if pedals else [bounds[1]], (len(driven), 1))
        self.action_space = Box(low, high, dtype=np.float64)
        shape = (len(vehicles), len(fields))
        self.observation_space = Box(-LIMIT, LIMIT, shape, dtype=np.float64)
        names = [list(vehicles).index(name) for name in driven]
        self._own = np.array(names, int)

    def observe(self) -> np.ndarray:
        return np.nan_to_num(self.runs.observation, nan=FAR, posinf=LIMIT, neginf=-LIMIT)

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Of all runs: observations, rewards, terminated, truncated."""
        self.runs.action[...] = actions
        self.runs.step()
        seen = self.observe()
        hit = (self.runs.hits[:, self._own] > 0).any(axis=1)
        failed = self.runs.state == FAILED
        over = (self.runs.state != GOES) & ~failed
        return seen, np.asarray(self.reward(seen, actions), float), hit | failed, over


def _seeds(seed: int, count: int) -> np.ndarray:
    """Seeds of runs, whole numbers that a scenario takes."""
    return np.random.default_rng(seed).integers(1, 2**31, count).astype(float)


class Environment(Env):
    """One run as an environment: a car, or several, is driven; the reward says how well.

    >>> env = Environment(scenario, driven=["car1"], vehicles=["car1", "leader"])
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())

    Observations are [vehicle, field], actions [driven, k] as of Runs; a value that does not exist is
    FAR. An episode is terminated when a driven car hits something, and truncated at the end of the
    scenario. The seed is that of the scenario: of its noise, sources and radio.
    """

    metadata: dict[str, Any] = {"render_modes": []}
    render_mode = None

    def __init__(
        self,
        scenario: Union[Scenario, str],
        driven: Sequence[str] = ("car1",),
        vehicles: Sequence[str] = ("car1", "leader"),
        fields: Sequence[FieldName] = ("v", "a", "gap"),
        action: Action = "acceleration",
        bounds: tuple[float, float] = (-6.0, 3.0),
        reward: Reward = keep_gap,
        steps: int = 1,
        values: Mapping[str, float] = {},
    ):
        scenario = Scenario(scenario) if isinstance(scenario, str) else scenario
        self._core = _Core(
            scenario, driven, fields, vehicles, action, bounds, reward, steps, values, 1, 1
        )
        self.runs = self._core.runs
        self.action_space = self._core.action_space
        self.observation_space = self._core.observation_space

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """options: {"values": {...}}, other values of names given when it was made."""
        if Env is not object:
            super().reset(seed=seed)
        values = dict((options or {}).get("values", {}))
        if seed is not None:
            values["seed"] = _seeds(seed, 1)[0]
        self.runs.reset(values=values)
        return self._core.observe()[0], self._info()

    def step(
        self, action: np.ndarray
    ) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        seen, reward, terminated, truncated = self._core.step(np.asarray(action)[None])
        return seen[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), self._info()

    def _info(self) -> dict[str, Any]:
        return {"time": float(self.runs.time[0])}

    def render(self) -> None:
        """Nothing: `runs.export()` gives a scenario that the studio shows."""

    def close(self) -> None:
        pass


class VectorEnvironment(VectorEnv):
    """Many runs as one environment, on all cores in one call; as Environment, [run, ...].

    An episode that is over starts again with the next step, whose action does not count and whose
    reward is 0 (Gymnasium's AutoresetMode.NEXT_STEP).
    """

    metadata: dict[str, Any] = {"render_modes": []}
    if AutoresetMode is not None:
        metadata["autoreset_mode"] = AutoresetMode.NEXT_STEP
    render_mode = None
    spec = None

    def __init__(
        self,
        scenario: Union[Scenario, str],
        num_envs: int,
        driven: Sequence[str] = ("car1",),
        vehicles: Sequence[str] = ("car1", "leader"),
        fields: Sequence[FieldName] = ("v", "a", "gap"),
        action: Action = "acceleration",
        bounds: tuple[float, float] = (-6.0, 3.0),
        reward: Reward = keep_gap,
        steps: int = 1,
        values: Mapping[str, Any] = {},
        threads: int = 0,
    ):
        scenario = Scenario(scenario) if isinstance(scenario, str) else scenario
        self._core = _Core(
            scenario, driven, fields, vehicles, action, bounds, reward, steps, values, num_envs,
            threads,
        )
        self.num_envs, self.runs = num_envs, self._core.runs
        self.single_action_space = self._core.action_space
        self.single_observation_space = self._core.observation_space
        a, o = self.single_action_space, self.single_observation_space
        self.action_space = Box(
            np.repeat(a.low[None], num_envs, 0), np.repeat(a.high[None], num_envs, 0),
            dtype=np.float64,
        )
        self.observation_space = Box(-LIMIT, LIMIT, (num_envs, *o.shape), dtype=np.float64)
        self._over = np.zeros(num_envs, bool)

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        values = dict((options or {}).get("values", {}))
        if seed is not None:
            values["seed"] = _seeds(seed, self.num_envs)
        self.runs.reset(values=values)
        self._over[:] = False
        return self._core.observe(), {"time": self.runs.time.copy()}

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        again = self._over
        actions = np.array(actions, float)
        held = self.runs.state.copy()
        self.runs.state[again] = FAILED  # these wait for their start
        seen, reward, terminated, truncated = self._core.step(actions)
        self.runs.state[again] = held[again]
        if again.any():
            self.runs.reset(again)
            seen = self._core.observe()
            reward[again], terminated[again], truncated[again] = 0.0, False, False
        self._over = terminated | truncated
        return seen, reward, terminated, truncated, {"time": self.runs.time.copy()}

    def close(self, **_: Any) -> None:
        pass
