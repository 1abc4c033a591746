"""Mechanisms against closed forms and differences, and the command."""

import motorcade
import numpy as np
import pytest

PENDULUM = """motorcade: multibody
gravity: [0, 0, -9.81]
bodies:
  rod:
    joint: {type: hinge, axis: [0, 1, 0], angle: 0.1}
    mass: 2
    centre: [0, 0, -0.5]
    inertia: [0, 0, 0]
"""


@pytest.fixture
def car(root):
    return motorcade.Mechanism(root / "models/quarter_car.yaml")


def test_modes_of_the_quarter_car(car):
    """As LAPACK gives them for the matrices of masses, dampers and springs."""
    k = {name: car[name] for name in car.parameters}
    y = car.equilibrium(hold=["distance"])
    assert np.abs(car.rate(y)[:4]).max() < 1e-9
    linear = car.linearize(y, hold=["distance"])
    assert len(k) > 0 and linear.A.shape == (4, 4)
    expected = np.linalg.eigvals(linear.A)
    key = lambda z: (round(z.real, 6), round(z.imag, 6))
    assert np.allclose(sorted(linear.eigenvalues, key=key), sorted(expected, key=key), atol=1e-9)
    shape = linear.modes[0].shape
    assert np.allclose(linear.A @ shape, linear.modes[0].eigenvalue * shape, atol=1e-8)


def test_jacobian_by_differences(car):
    y = car.start() + 0.01
    A, B = car.jacobian(y)
    for k in range(len(y)):
        h = np.zeros(len(y))
        h[k] = 1e-6
        assert np.allclose((car.rate(y + h) - car.rate(y - h)) / 2e-6, A[:, k], atol=1e-3, rtol=1e-6)
    for k in range(car.info.v_count):
        tau = np.zeros(car.info.v_count)
        tau[k] = 1.0
        column = B[:, car.info.input_count + k]
        assert np.allclose(car.rate(y, tau=tau) - car.rate(y), column, atol=1e-9)


def test_simulate(car):
    motion = car.simulate(end=1.0, step=0.01)
    assert motion.y.shape == (101, 5) and motion.t[-1] == 1.0
    assert np.array_equal(motion["body.travel"], motion.y[:, 1])
    assert "<svg" in motion.plot("body.travel")._repr_svg_()
    frame = pytest.importorskip("pandas") and motion.frame()
    assert frame.index.name == "t" and frame["body.travel"].iloc[-1] == motion.y[-1, 1]


def test_parameters_and_shapes(car):
    name = car.parameters[0]
    value = car[name]
    car[name] = 2 * value
    assert car[name] == 2 * value
    with pytest.raises(motorcade.BadInput):
        car["nothing.such"] = 1.0
    with pytest.raises(ValueError, match="expected \\(5,\\)"):
        car.rate(np.zeros(3))
    out = np.empty(5)
    assert car.rate(car.start(), out=out) is out


def test_wrong_text_has_a_place():
    with pytest.raises(motorcade.BadInput) as caught:
        motorcade.Mechanism.parse("motorcade: multibody\nbodies: {a: {mas: 1}}\n", "bad.yaml")
    assert (caught.value.file, caught.value.line) == ("bad.yaml", 2)
