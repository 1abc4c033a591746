"""Fields, figures, control laws, events and parameters: names, units, meanings.

Made by tests/python_tables.py from the tables of the library.

FIELDS: of a vehicle at an instant

    middle, m: middle of the car's box along the road
    y, m: mass centre to the left of the middle of the leftmost lane
    psi, rad: heading, from the road to the left
    v, m/s: speed along the heading
    a, m/s^2: acceleration along the heading
    jerk, m/s^3: change of a over the last control step
    target, m: desired place of the middle: middle + spacing_error
    throttle: 0 closed, 1 open
    brake: share of the maximum brake force
    steer, rad: angle of the steered wheels, left positive
    n, rpm: engine speed; nan: no engine
    fuel, kg: fuel burnt since the start; nan: not known
    energy, J: energy of motion and deformation
    gap, m: bumper to bumper to the car in front; nan: none in front
    a_desired, m/s^2: acceleration commanded by the controller
    mileage, mpg: distance per fuel over a moving window, filtered (eq 13)
    estimate: result of its estimator, in that one's unit; nan: none
    yaw_rate, rad/s: turning of the car, left positive
    side_slip, rad: slip angle at the mass centre: from the heading to the velocity; 0 below 0.1 m/s
    a_y, m/s^2: acceleration to the left of the heading
    lane: lane it is in, 1 is the leftmost; 0: on a ramp
    path: path of the road; 0: the main road, others are its ramps
    blind_spot: vehicle in its blind spot, from 1 in the order of the scenario; 0: none
    x, m: mass centre along the road
    spacing_error, m: gap minus desired gap; nan: none kept
    estimate_band: half width of the band around the estimate; nan: none
    checked_in: 1: the ERSC drives it; 0: its driver does
    warnings: sum of 1: blind spot left, 2: blind spot right, 4: in a lane it may not use, such as
        an automated one without check-in

FIGURES: of a vehicle or of a whole run

    collisions: number of collisions
    collision_energy, J: mechanical energy lost in collisions
    t, s: time of the last row
    lane_changes: lane changes of all vehicles
    cut_ins: lane changes that left a follower less than its desired gap
    entered: vehicles that came from sources
    left: vehicles that left at the ends of roads
    waiting: largest number of vehicles that waited at sources at a time
    check_in_refused: number of times a car was not checked in (ERSC)
    largest.spacing_error, m: largest deviation from the desired gap
    rms.spacing_error, m: root mean square of the spacing error
    smallest.gap, m: smallest gap to the car in front
    smallest.time_gap, s: smallest gap / speed, above 1 m/s
    smallest.ttc, s: smallest time to collision: gap / closing speed
    largest.drac, m/s^2: largest deceleration needed to avoid a collision: closing^2 / 2 gap
    largest.acceleration, m/s^2: largest absolute acceleration
    largest.jerk, m/s^3: largest absolute jerk
    rms.jerk, m/s^3: root mean square of the jerk
    largest.lateral_error, m: largest distance from the path that is steered along
    weighted.acceleration, m/s^2: rms of the acceleration weighted by ISO 2631-1, Wd
    dose, m/s^1.75: vibration dose value, the same weighting
    distance, m: distance driven
    fuel, kg: fuel burnt
    fuel.per_km, g/km: fuel per distance
    fuel.per_100km, L/100km: volume of fuel per distance
    fuel.mpg, mpg: miles per US gallon
    mileage, mpg: miles per gallon over a moving window, eq (13)
    gain.speed.l2: L2 norm of the speed deviation over that of the car in front
    gain.speed.linf: maximum speed deviation over that of the car in front
    gain.error.l2: L2 norm of the spacing error over that of the car in front
    gain.error.linf: maximum spacing error over that of the car in front
    x, m: position at the end
    v, m/s: speed at the end
    a, m/s^2: acceleration at the end
    gap, m: gap at the end
    spacing_error, m: gap minus desired gap at the end

LAWS: control laws

    pipes: manual driver: acceleration proportional to the speed difference
    platoon: constant time headway with the acceleration of the car in front, third order
    pid: PID with fixed gains on speed difference and spacing error
    pid_scheduled: PID with gains scheduled over speed by a table
    adaptive: gains adapt to the car so that it follows a reference model
    brake: the brake controller of the mass identification
    cruise: tracks the speed command and its rate; for leaders
    acc: constant time headway from range and range rate; the usual fall-back
    path_cacc: PATH's cooperative cruise control
    ploeg: cooperative cruise control that communicates desired accelerations
    consensus: consensus on position and speed with all cars listened to
    flatbed: constant gaps: a headway only against the leader's speed
    idm: intelligent driver model: a human driver without reaction time

EVENTS: what can happen

    brake_lost: remaining share of the brake; default: 0
    throttle_stuck: where the throttle stays; default: where it is
    sensor_bias, m: added to the measured gap
    sensor_noise, m: standard deviation of the measured gap
    radio_delay, s: delay of the messages it hears
    radio_loss: share of the messages it does not hear
    push, m/s^2: disturbs engine and brake: added to the acceleration asked of them; a car without a
        law does not feel it
    force, N: force from outside, forward positive, on a car of any type
    set: gets another value of a parameter
    headway: asks for a headway
    distance: asks for a distance
    speed: asks for a speed
    profile: takes another speed profile
    controller: takes another controller
    estimator: has an estimator switched
    drive: is driven by hand from here on
    release: goes back to its controller
    leads_as: leads as another platoon does
    lane: is sent to another lane
    exit: is to leave at an off-ramp
    driver_lane: is steered to another lane by its driver
    section: changes the rules of a lane
    ersc: switches the ERSC
    check_in: asks to check in
    check_out: asks to check out
    join: is to join a platoon
    leave: is to leave its platoon
    split: splits its platoon and leads the rear part
    merge: merges its platoon with the one in front
    accelerate: is given its acceleration from outside

"""

from __future__ import annotations

from typing import Literal, NamedTuple

nan, inf = float("nan"), float("inf")


class Quantity(NamedTuple):
    """A number with a name."""

    name: str
    unit: str
    doc: str


class Parameter(NamedTuple):
    """A row of a table of parameters; default nan: it must be given."""

    name: str
    unit: str
    default: float
    min: float
    max: float
    doc: str


class Law(NamedTuple):
    """A control law."""

    name: str
    doc: str
    equation: str
    parameters: tuple[Parameter, ...]


FieldName = Literal[
    'middle',
    'y',
    'psi',
    'v',
    'a',
    'jerk',
    'target',
    'throttle',
    'brake',
    'steer',
    'n',
    'fuel',
    'energy',
    'gap',
    'a_desired',
    'mileage',
    'estimate',
    'yaw_rate',
    'side_slip',
    'a_y',
    'lane',
    'path',
    'blind_spot',
    'x',
    'spacing_error',
    'estimate_band',
    'checked_in',
    'warnings',
]
FigureName = Literal[
    'collisions',
    'collision_energy',
    't',
    'lane_changes',
    'cut_ins',
    'entered',
    'left',
    'waiting',
    'check_in_refused',
    'largest.spacing_error',
    'rms.spacing_error',
    'smallest.gap',
    'smallest.time_gap',
    'smallest.ttc',
    'largest.drac',
    'largest.acceleration',
    'largest.jerk',
    'rms.jerk',
    'largest.lateral_error',
    'weighted.acceleration',
    'dose',
    'distance',
    'fuel',
    'fuel.per_km',
    'fuel.per_100km',
    'fuel.mpg',
    'mileage',
    'gain.speed.l2',
    'gain.speed.linf',
    'gain.error.l2',
    'gain.error.linf',
    'x',
    'v',
    'a',
    'gap',
    'spacing_error',
]
LawName = Literal[
    'pipes',
    'platoon',
    'pid',
    'pid_scheduled',
    'adaptive',
    'brake',
    'cruise',
    'acc',
    'path_cacc',
    'ploeg',
    'consensus',
    'flatbed',
    'idm',
]
EventName = Literal[
    'brake_lost',
    'throttle_stuck',
    'sensor_bias',
    'sensor_noise',
    'radio_delay',
    'radio_loss',
    'push',
    'force',
    'set',
    'headway',
    'distance',
    'speed',
    'profile',
    'controller',
    'estimator',
    'drive',
    'release',
    'leads_as',
    'lane',
    'exit',
    'driver_lane',
    'section',
    'ersc',
    'check_in',
    'check_out',
    'join',
    'leave',
    'split',
    'merge',
    'accelerate',
]
FIELDS: dict[str, Quantity] = {
    'middle': Quantity('middle', 'm', "middle of the car's box along the road"),
    'y': Quantity('y', 'm', 'mass centre to the left of the middle of the leftmost lane'),
    'psi': Quantity('psi', 'rad', 'heading, from the road to the left'),
    'v': Quantity('v', 'm/s', 'speed along the heading'),
    'a': Quantity('a', 'm/s^2', 'acceleration along the heading'),
    'jerk': Quantity('jerk', 'm/s^3', 'change of a over the last control step'),
    'target': Quantity('target', 'm', 'desired place of the middle: middle + spacing_error'),
    'throttle': Quantity('throttle', '-', '0 closed, 1 open'),
    'brake': Quantity('brake', '-', 'share of the maximum brake force'),
    'steer': Quantity('steer', 'rad', 'angle of the steered wheels, left positive'),
    'n': Quantity('n', 'rpm', 'engine speed; nan: no engine'),
    'fuel': Quantity('fuel', 'kg', 'fuel burnt since the start; nan: not known'),
    'energy': Quantity('energy', 'J', 'energy of motion and deformation'),
    'gap': Quantity('gap', 'm', 'bumper to bumper to the car in front; nan: none in front'),
    'a_desired': Quantity('a_desired', 'm/s^2', 'acceleration commanded by the controller'),
    'mileage': Quantity('mileage', 'mpg', 'distance per fuel over a moving window, filtered (eq 13)'),
    'estimate': Quantity('estimate', '-', "result of its estimator, in that one's unit; nan: none"),
    'yaw_rate': Quantity('yaw_rate', 'rad/s', 'turning of the car, left positive'),
    'side_slip': Quantity('side_slip', 'rad', 'slip angle at the mass centre: from the heading to the velocity; 0 below 0.1 m/s'),
    'a_y': Quantity('a_y', 'm/s^2', 'acceleration to the left of the heading'),
    'lane': Quantity('lane', '-', 'lane it is in, 1 is the leftmost; 0: on a ramp'),
    'path': Quantity('path', '-', 'path of the road; 0: the main road, others are its ramps'),
    'blind_spot': Quantity('blind_spot', '-', 'vehicle in its blind spot, from 1 in the order of the scenario; 0: none'),
    'x': Quantity('x', 'm', 'mass centre along the road'),
    'spacing_error': Quantity('spacing_error', 'm', 'gap minus desired gap; nan: none kept'),
    'estimate_band': Quantity('estimate_band', '-', 'half width of the band around the estimate; nan: none'),
    'checked_in': Quantity('checked_in', '-', '1: the ERSC drives it; 0: its driver does'),
    'warnings': Quantity('warnings', '-', 'sum of 1: blind spot left, 2: blind spot right, 4: in a lane it may not use, such as an automated one without check-in'),
}
FIGURES: dict[str, Quantity] = {
    'collisions': Quantity('collisions', '-', 'number of collisions'),
    'collision_energy': Quantity('collision_energy', 'J', 'mechanical energy lost in collisions'),
    't': Quantity('t', 's', 'time of the last row'),
    'lane_changes': Quantity('lane_changes', '-', 'lane changes of all vehicles'),
    'cut_ins': Quantity('cut_ins', '-', 'lane changes that left a follower less than its desired gap'),
    'entered': Quantity('entered', '-', 'vehicles that came from sources'),
    'left': Quantity('left', '-', 'vehicles that left at the ends of roads'),
    'waiting': Quantity('waiting', '-', 'largest number of vehicles that waited at sources at a time'),
    'check_in_refused': Quantity('check_in_refused', '-', 'number of times a car was not checked in (ERSC)'),
    'largest.spacing_error': Quantity('largest.spacing_error', 'm', 'largest deviation from the desired gap'),
    'rms.spacing_error': Quantity('rms.spacing_error', 'm', 'root mean square of the spacing error'),
    'smallest.gap': Quantity('smallest.gap', 'm', 'smallest gap to the car in front'),
    'smallest.time_gap': Quantity('smallest.time_gap', 's', 'smallest gap / speed, above 1 m/s'),
    'smallest.ttc': Quantity('smallest.ttc', 's', 'smallest time to collision: gap / closing speed'),
    'largest.drac': Quantity('largest.drac', 'm/s^2', 'largest deceleration needed to avoid a collision: closing^2 / 2 gap'),
    'largest.acceleration': Quantity('largest.acceleration', 'm/s^2', 'largest absolute acceleration'),
    'largest.jerk': Quantity('largest.jerk', 'm/s^3', 'largest absolute jerk'),
    'rms.jerk': Quantity('rms.jerk', 'm/s^3', 'root mean square of the jerk'),
    'largest.lateral_error': Quantity('largest.lateral_error', 'm', 'largest distance from the path that is steered along'),
    'weighted.acceleration': Quantity('weighted.acceleration', 'm/s^2', 'rms of the acceleration weighted by ISO 2631-1, Wd'),
    'dose': Quantity('dose', 'm/s^1.75', 'vibration dose value, the same weighting'),
    'distance': Quantity('distance', 'm', 'distance driven'),
    'fuel': Quantity('fuel', 'kg', 'fuel burnt'),
    'fuel.per_km': Quantity('fuel.per_km', 'g/km', 'fuel per distance'),
    'fuel.per_100km': Quantity('fuel.per_100km', 'L/100km', 'volume of fuel per distance'),
    'fuel.mpg': Quantity('fuel.mpg', 'mpg', 'miles per US gallon'),
    'mileage': Quantity('mileage', 'mpg', 'miles per gallon over a moving window, eq (13)'),
    'gain.speed.l2': Quantity('gain.speed.l2', '-', 'L2 norm of the speed deviation over that of the car in front'),
    'gain.speed.linf': Quantity('gain.speed.linf', '-', 'maximum speed deviation over that of the car in front'),
    'gain.error.l2': Quantity('gain.error.l2', '-', 'L2 norm of the spacing error over that of the car in front'),
    'gain.error.linf': Quantity('gain.error.linf', '-', 'maximum spacing error over that of the car in front'),
    'x': Quantity('x', 'm', 'position at the end'),
    'v': Quantity('v', 'm/s', 'speed at the end'),
    'a': Quantity('a', 'm/s^2', 'acceleration at the end'),
    'gap': Quantity('gap', 'm', 'gap at the end'),
    'spacing_error': Quantity('spacing_error', 'm', 'gap minus desired gap at the end'),
}
EVENTS: dict[str, Quantity] = {
    'brake_lost': Quantity('brake_lost', '-', 'remaining share of the brake; default: 0'),
    'throttle_stuck': Quantity('throttle_stuck', '-', 'where the throttle stays; default: where it is'),
    'sensor_bias': Quantity('sensor_bias', 'm', 'added to the measured gap'),
    'sensor_noise': Quantity('sensor_noise', 'm', 'standard deviation of the measured gap'),
    'radio_delay': Quantity('radio_delay', 's', 'delay of the messages it hears'),
    'radio_loss': Quantity('radio_loss', '-', 'share of the messages it does not hear'),
    'push': Quantity('push', 'm/s^2', 'disturbs engine and brake: added to the acceleration asked of them; a car without a law does not feel it'),
    'force': Quantity('force', 'N', 'force from outside, forward positive, on a car of any type'),
    'set': Quantity('set', '', 'gets another value of a parameter'),
    'headway': Quantity('headway', '', 'asks for a headway'),
    'distance': Quantity('distance', '', 'asks for a distance'),
    'speed': Quantity('speed', '', 'asks for a speed'),
    'profile': Quantity('profile', '', 'takes another speed profile'),
    'controller': Quantity('controller', '', 'takes another controller'),
    'estimator': Quantity('estimator', '', 'has an estimator switched'),
    'drive': Quantity('drive', '', 'is driven by hand from here on'),
    'release': Quantity('release', '', 'goes back to its controller'),
    'leads_as': Quantity('leads_as', '', 'leads as another platoon does'),
    'lane': Quantity('lane', '', 'is sent to another lane'),
    'exit': Quantity('exit', '', 'is to leave at an off-ramp'),
    'driver_lane': Quantity('driver_lane', '', 'is steered to another lane by its driver'),
    'section': Quantity('section', '', 'changes the rules of a lane'),
    'ersc': Quantity('ersc', '', 'switches the ERSC'),
    'check_in': Quantity('check_in', '', 'asks to check in'),
    'check_out': Quantity('check_out', '', 'asks to check out'),
    'join': Quantity('join', '', 'is to join a platoon'),
    'leave': Quantity('leave', '', 'is to leave its platoon'),
    'split': Quantity('split', '', 'splits its platoon and leads the rear part'),
    'merge': Quantity('merge', '', 'merges its platoon with the one in front'),
    'accelerate': Quantity('accelerate', '', 'is given its acceleration from outside'),
}
LAWS: dict[str, Law] = {
    'pipes': Law('pipes', 'manual driver: acceleration proportional to the speed difference', "v' = k (v_front - v)", (
        Parameter('k', '1/s', 0.37, 0.01, 5.0, 'sensitivity: acceleration per speed difference'),
        Parameter('cruise', '1/s', 0.5, 0.05, 5.0, 'gain of speed tracking without a car in front'),
    )),
    'platoon': Law('platoon', 'constant time headway with the acceleration of the car in front, third order', "a' = k1 (gap - distance - headway v) + k2 (v_front - v - headway a) + k3 (a_front - a)", (
        Parameter('k1', '1/s^3', 1.0, 0.001, 100.0, 'gain of the spacing error'),
        Parameter('k2', '1/s^2', 1.0, 0.0, 100.0, 'gain of its rate'),
        Parameter('k3', '1/s', 1.0, 0.0, 100.0, 'gain of the acceleration difference'),
        Parameter('max_acceleration', 'm/s^2', 5.0, 0.1, 20.0, 'the state stays below this'),
        Parameter('max_brake', 'm/s^2', 10.0, 0.1, 20.0, 'and above minus this'),
        Parameter('cruise', '1/s', 0.5, 0.05, 5.0, 'gain of speed tracking without a car in front'),
        Parameter('catch_up', 'm/s', 10.0, 0.5, 50.0, 'speed above the car in front while catching up'),
    )),
    'pid': Law('pid', 'PID with fixed gains on speed difference and spacing error', "a = kp d + ki (integral of d) + kd d',  d = v_front - v + k (gap - distance - headway v);  d' through 1/(filter s + 1)", (
        Parameter('k', '1/s', 0.25, 0.0, 5.0, 'weight of the spacing error against the speed difference'),
        Parameter('kp', '1/s', 1.6, 0.0, 20.0, 'proportional gain'),
        Parameter('ki', '1/s^2', 0.05, 0.0, 5.0, 'integral gain'),
        Parameter('kd', '-', 0.1, 0.0, 5.0, 'derivative gain'),
        Parameter('filter', 's', 0.3, 0.05, 5.0, 'time constant of the derivative'),
        Parameter('max_error', 'm', 50.0, 1.0, 1000.0, 'spacing errors are limited to this'),
        Parameter('max_integral', 'm/s^2', 1.0, 0.0, 10.0, 'the integral part stays within this'),
        Parameter('cruise', '1/s', 0.5, 0.05, 5.0, 'gain of speed tracking without a car in front'),
        Parameter('catch_up', 'm/s', 10.0, 0.5, 50.0, 'speed above the car in front while catching up'),
    )),
    'pid_scheduled': Law('pid_scheduled', 'PID with gains scheduled over speed by a table', 'as PID, with kp(v) linear between 0, 10, 20, 30 m/s and ki(v) linear between 0 and 30 m/s; the integral of ki(v) d is the state', (
        Parameter('k', '1/s', 0.25, 0.0, 5.0, 'weight of the spacing error against the speed difference'),
        Parameter('kp_0', '1/s', 2.2, 0.0, 20.0, 'proportional gain at 0 m/s'),
        Parameter('kp_10', '1/s', 1.8, 0.0, 20.0, 'at 10 m/s'),
        Parameter('kp_20', '1/s', 1.6, 0.0, 20.0, 'at 20 m/s'),
        Parameter('kp_30', '1/s', 1.4, 0.0, 20.0, 'at 30 m/s and above'),
        Parameter('ki_0', '1/s^2', 0.15, 0.0, 5.0, 'integral gain at 0 m/s'),
        Parameter('ki_30', '1/s^2', 0.03, 0.0, 5.0, 'at 30 m/s and above'),
        Parameter('kd', '-', 0.1, 0.0, 5.0, 'derivative gain'),
        Parameter('filter', 's', 0.3, 0.05, 5.0, 'time constant of the derivative'),
        Parameter('max_error', 'm', 50.0, 1.0, 1000.0, 'spacing errors are limited to this'),
        Parameter('max_integral', 'm/s^2', 1.0, 0.0, 10.0, 'the integral part stays within this'),
        Parameter('cruise', '1/s', 0.5, 0.05, 5.0, 'gain of speed tracking without a car in front'),
        Parameter('catch_up', 'm/s', 10.0, 0.5, 50.0, 'speed above the car in front while catching up'),
    )),
    'adaptive': Law('adaptive', 'gains adapt to the car so that it follows a reference model', "a = k1 r + k2 error + k3,  r = v_front - v,  error = gap - distance - headway v;  k1' = gamma1 e r,  k2' = gamma2 e error,  k3' = gamma3 e,  e = v_model - v;  v_model' = a_model (v_front - v_model + k error)", (
        Parameter('k', '1/s', 0.25, 0.01, 5.0, 'weight of the spacing error in the reference model'),
        Parameter('a_model', '1/s', 1.2, 0.05, 10.0, 'rate of the reference model'),
        Parameter('gamma1', '1/m^2', 0.02, 0.0, 10.0, 'adaptation of k1: gain of the speed difference'),
        Parameter('gamma2', '1/(m^2 s^2)', 0.001, 0.0, 10.0, 'adaptation of k2: gain of the spacing error'),
        Parameter('gamma3', '1/s^2', 0.1, 0.0, 10.0, 'adaptation of k3: constant offset'),
        Parameter('spread', '-', 3.0, 1.0, 10.0, 'k1, k2 stay between their ideal value divided and multiplied by this'),
        Parameter('max_k3', 'm/s^2', 1.5, 0.0, 10.0, 'k3 stays within this'),
        Parameter('max_error', 'm', 20.0, 1.0, 1000.0, 'spacing errors are limited to this'),
        Parameter('max_u', 'm/s^2', 2.5, 0.1, 20.0, 'no adaptation while a larger acceleration is commanded'),
        Parameter('cruise', '1/s', 0.5, 0.05, 5.0, 'gain of speed tracking without a car in front'),
        Parameter('catch_up', 'm/s', 10.0, 0.5, 50.0, 'speed above the car in front while catching up'),
    )),
    'brake': Law('brake', 'the brake controller of the mass identification', 'a = -(k1 (v - v_front) - k2 (gap - distance - headway v)),  brake force = -M0 a', (
        Parameter('k1', '1/s', 1.0, 0.0, 20.0, 'gain of the speed difference'),
        Parameter('k2', '1/s^2', 0.25, 0.0, 20.0, 'gain of the spacing error'),
        Parameter('cruise', '1/s', 0.5, 0.05, 5.0, 'gain of speed tracking without a car in front'),
        Parameter('catch_up', 'm/s', 10.0, 0.5, 50.0, 'speed above the car in front while catching up'),
    )),
    'cruise': Law('cruise', 'tracks the speed command and its rate; for leaders', "a = k (v_set - v) + v_set'", (
        Parameter('k', '1/s', 1.0, 0.01, 20.0, 'gain of the speed error'),
    )),
    'acc': Law('acc', 'constant time headway from range and range rate; the usual fall-back', 'a = k1 (gap - distance - headway v) + k2 (v_front - v)', (
        Parameter('k1', '1/s^2', 0.5, 0.0, 20.0, 'gain of the spacing error'),
        Parameter('k2', '1/s', 1.0, 0.0, 20.0, 'gain of the speed difference'),
        Parameter('cruise', '1/s', 0.5, 0.05, 5.0, 'gain of speed tracking without a car in front'),
        Parameter('catch_up', 'm/s', 10.0, 0.5, 50.0, 'speed above the car in front while catching up'),
    )),
    'path_cacc': Law('path_cacc', "PATH's cooperative cruise control", "v_command = v + kp e + kd e',  e = gap - distance - headway v,  a = (v_command - v)/T;  solved: a = (kp e + kd (v_front - v))/(T + kd headway)", (
        Parameter('kp', '1/s', 0.45, 0.0, 10.0, 'speed per spacing error'),
        Parameter('kd', '-', 0.25, 0.0, 10.0, 'speed per rate of the spacing error'),
        Parameter('interval', 's', 0.05, 0.01, 1.0, 'T, time in which the speed command is reached'),
        Parameter('cruise', '1/s', 0.5, 0.05, 5.0, 'gain of speed tracking without a car in front'),
        Parameter('catch_up', 'm/s', 10.0, 0.5, 50.0, 'speed above the car in front while catching up'),
    )),
    'ploeg': Law('ploeg', 'cooperative cruise control that communicates desired accelerations', "headway u' = -u + kp e + kd e' + u_front,  e = gap - distance - headway v,  e' = v_front - v - headway a", (
        Parameter('kp', '1/s^2', 0.2, 0.0, 20.0, 'gain of the spacing error'),
        Parameter('kd', '1/s', 0.7, 0.0, 20.0, 'gain of its rate'),
        Parameter('max_acceleration', 'm/s^2', 5.0, 0.1, 20.0, 'the state stays below this'),
        Parameter('max_brake', 'm/s^2', 10.0, 0.1, 20.0, 'and above minus this'),
        Parameter('cruise', '1/s', 0.5, 0.05, 5.0, 'gain of speed tracking without a car in front'),
        Parameter('catch_up', 'm/s', 10.0, 0.5, 50.0, 'speed above the car in front while catching up'),
    )),
    'consensus': Law('consensus', 'consensus on position and speed with all cars listened to', 'a = kp mean(e_j) + kv mean(v_j - v) over the cars j listened to,  e_j = distance to j minus the desired one: (number of cars) (distance + headway v)', (
        Parameter('kp', '1/s^2', 0.5, 0.0, 20.0, 'gain of the mean position error'),
        Parameter('kv', '1/s', 1.0, 0.0, 20.0, 'gain of the mean speed error'),
        Parameter('cruise', '1/s', 0.5, 0.05, 5.0, 'gain of speed tracking without a car in front'),
        Parameter('catch_up', 'm/s', 10.0, 0.5, 50.0, 'speed above the car in front while catching up'),
    )),
    'flatbed': Law('flatbed', "constant gaps: a headway only against the leader's speed", 'a = k1 (gap - distance - coupling (v - v_leader)) + k2 (v_front - v)', (
        Parameter('k1', '1/s^2', 1.0, 0.0, 20.0, 'gain of the spacing error'),
        Parameter('k2', '1/s', 1.0, 0.0, 20.0, 'gain of the speed difference'),
        Parameter('coupling', 's', 1.0, 0.0, 10.0, 'headway against the speed of the truck'),
        Parameter('cruise', '1/s', 0.5, 0.05, 5.0, 'gain of speed tracking without a car in front'),
        Parameter('catch_up', 'm/s', 10.0, 0.5, 50.0, 'speed above the car in front while catching up'),
    )),
    'idm': Law('idm', 'intelligent driver model: a human driver without reaction time', 'a = max_acceleration (1 - (v/v_set)^4 - (g/gap)^2),  g = distance + v headway + v (v - v_front)/(2 sqrt(max_acceleration brake_comfort))', (
        Parameter('max_acceleration', 'm/s^2', 1.4, 0.1, 10.0, 'maximum acceleration'),
        Parameter('brake_comfort', 'm/s^2', 2.0, 0.1, 10.0, 'comfortable braking'),
    )),
}
TABLES: dict[str, tuple[Parameter, ...]] = {
    'time': (  # time
        Parameter('end', 's', nan, 1e-06, 10000000.0, 'last instant'),
        Parameter('step', 's', 0.05, 1e-05, 1.0, 'controller sampling interval'),
        Parameter('record', 's', nan, 1e-05, 100000.0, 'interval between rows of the results, a whole number of steps; default: every step'),
    ),
    'road': (  # the road
        Parameter('lanes', '-', 1.0, 1.0, 64.0, 'lane 1 is the leftmost'),
        Parameter('lane_width', 'm', 3.4, 1.0, 20.0, 'lane k has its centre at y = -(k - 1) lane_width'),
        Parameter('headway', 's', 1.0, 0.0, 60.0, 'commanded time headway: the desired gap is headway times speed plus distance'),
        Parameter('distance', 'm', 5.0, 0.0, 1000.0, 'commanded gap at rest, bumper to bumper'),
        Parameter('speed', 'm/s', 29.0, 0.0, 150.0, 'commanded speed'),
    ),
    'grade': (  # a stretch of slope
        Parameter('from', 'm', nan, -10000000.0, 10000000.0, 'where it begins'),
        Parameter('to', 'm', nan, -10000000.0, 10000000.0, 'where it ends'),
        Parameter('grade', 'rad', nan, -0.8, 0.8, 'uphill positive: an angle, or rise over run such as 4 %'),
        Parameter('transition', 'm', 20.0, 0.001, 10000000.0, 'length over which the slope builds up and dies out, within from .. to'),
    ),
    'friction': (  # a stretch of friction
        Parameter('from', 'm', nan, -10000000.0, 10000000.0, 'where it begins'),
        Parameter('to', 'm', nan, -10000000.0, 10000000.0, 'where it ends'),
        Parameter('mu', '-', nan, 0.001, 2.0, 'friction relative to the dry road'),
        Parameter('mu_right', '-', nan, 0.001, 2.0, 'the same on the right side of the road, where mu is that of the left side; default: mu'),
        Parameter('divide', 'm', 0.0, -1000.0, 1000.0, 'with mu_right: where the sides meet, from the reference line to the left'),
        Parameter('seam', 'm', 0.1, 0.001, 100.0, 'with mu_right: width over which friction changes from one side to the other'),
        Parameter('transition', 'm', 1.0, 0.001, 10000000.0, 'length over which it builds up and dies out, within from .. to'),
    ),
    'contact': (  # contact of vehicles
        Parameter('restitution', '-', 1.0, 0.0, 1.0, 'coefficient of restitution: 1 is elastic, 0 plastic'),
        Parameter('friction', '-', 0.0, 0.0, 10.0, 'Coulomb friction between vehicles in contact'),
    ),
    'vehicle': (  # a vehicle
        Parameter('x', 'm', nan, -10000000.0, 10000000.0, 'of the mass centre; of the first with count'),
        Parameter('lane', '-', 1.0, 1.0, 64.0, '1 is the leftmost'),
        Parameter('v', 'm/s', nan, -50.0, 150.0, "at the start; default: the profile's first speed, with a controller the roadway's, else 0"),
        Parameter('headway', 's', nan, 0.0, 60.0, "desired time headway; default: the controller's"),
        Parameter('distance', 'm', nan, 0.0, 1000.0, "desired gap at rest; default: the controller's"),
    ),
    'pedals': (  # what a driver does
        Parameter('throttle', '-', 0.0, 0.0, 1.0, '0 .. 1'),
        Parameter('brake', '-', 0.0, 0.0, 1.0, '0 .. 1'),
        Parameter('steer', 'rad', 0.0, -1.0, 1.0, 'angle of the steered wheels, left positive'),
        Parameter('acceleration', 'm/s^2', 0.0, -30.0, 30.0, 'for a car without pedals'),
    ),
    'inner': (  # inner loop from desired acceleration to pedals
        Parameter('hysteresis', 'm/s^2', 0.15, 0.0, 3.0, 'how far the desired acceleration must pass that of coasting to change pedals'),
        Parameter('trim_rate', '1/s', 0.5, 0.0, 5.0, 'rate at which slope and load are learned from the acceleration error'),
        Parameter('max_trim', 'm/s^2', 2.0, 0.0, 10.0, 'maximum correction learned'),
        Parameter('max_jerk', 'm/s^3', 0.0, 0.0, 100.0, 'maximum rate of the desired acceleration; 0: no limit'),
        Parameter('take_up', 'm/s^3', 2.5, 0.0, 100.0, 'rate at which a changed pedal takes up the hysteresis; 0: at once'),
    ),
    'radio': (  # radio of a controller
        Parameter('delay', 's', 0.0, 0.0, 2.0, 'from sending to receiving; whole control steps'),
        Parameter('loss', '-', 0.0, 0.0, 1.0, 'share of the messages that never arrive'),
        Parameter('timeout', 's', 0.5, 0.01, 60.0, 'a sender not heard for longer counts as silent: the fallback law takes over'),
    ),
    'sensor': (  # range sensor of a controller
        Parameter('range_bias', 'm', 0.0, -100.0, 100.0, 'added to the measured gap'),
        Parameter('range_noise', 'm', 0.0, 0.0, 10.0, 'standard deviation of the measured gap'),
        Parameter('speed_bias', 'm/s', 0.0, -20.0, 20.0, 'added to the measured speed of the car in front'),
        Parameter('speed_noise', 'm/s', 0.0, 0.0, 10.0, 'standard deviation of the measured speed of the car in front'),
        Parameter('delay', 's', 0.0, 0.0, 2.0, 'of the range sensor; whole control steps'),
        Parameter('reach', 'm', 200.0, 1.0, 1000000.0, 'cars farther ahead are not seen'),
    ),
    'avoid': (  # collision avoidance
        Parameter('brake', 'm/s^2', 8.0, 0.5, 20.0, 'maximum braking of the ego vehicle'),
        Parameter('front_brake', 'm/s^2', 8.0, 0.5, 20.0, 'assumed maximum braking of the car in front'),
        Parameter('reaction', 's', 0.2, 0.05, 5.0, 'time until the brake of the ego vehicle acts'),
        Parameter('margin', 'm', 1.0, 0.0, 100.0, 'gap that is left when both have stopped'),
        Parameter('delay', 's', 0.2, 0.0, 5.0, 'time until a command acts, in which the car drives on as before: delay and lag of its brake'),
    ),
    'ersc': (  # the ERSC
        Parameter('braking', 'm/s^2', 3.0, 0.5, 12.0, 'maximum braking of cruise control; collision avoidance may use all'),
        Parameter('blind_spot', 'm', 5.0, 0.0, 100.0, 'length behind the car that the blind-spot warning watches'),
    ),
    'bicycle': (  # the same car with a steering and single-track lateral dynamics
        Parameter('mass', 'kg', 1839.317, 100.0, 100000.0, 'true mass'),
        Parameter('length', 'm', 5.5626, 0.5, 30.0, 'bumper to bumper'),
        Parameter('width', 'm', 1.9558, 0.3, 5.0, 'overall width'),
        Parameter('height', 'm', 1.44, 0.3, 5.0, 'overall height'),
        Parameter('yaw_inertia', 'kg m^2', 3400.0, 10.0, 1000000.0, 'about the vertical axis'),
        Parameter('lag', 's', 0.0, 0.0, 10.0, 'point car: time constant of the response to the desired acceleration; 0: none'),
        Parameter('max_acceleration', 'g', 0.6, 0.01, 5.0, 'maximum acceleration a controller may command'),
        Parameter('max_brake', 'g', 0.8, 0.01, 5.0, 'maximum deceleration by the brakes at nominal mass: brake 1'),
        Parameter('max_deceleration', 'g', 5.0, 0.01, 5.0, 'maximum deceleration a controller may command, at most max_brake'),
        Parameter('max_speed', 'm/s', 67.056, 1.0, 200.0, 'top speed: the engine is cut over the last 0.5 m/s'),
        Parameter('nominal_mass', 'kg', nan, 100.0, 100000.0, 'mass assumed by the manufacturer; default: the true mass at the start'),
        Parameter('front', 'm', 1.43, 0.1, 15.0, 'mass centre to front axle'),
        Parameter('rear', 'm', 1.55, 0.1, 15.0, 'mass centre to rear axle'),
        Parameter('cornering', 'N/rad', 45000.0, 100.0, 1000000.0, 'cornering stiffness of one tyre; an axle has two'),
        Parameter('grip', '-', 0.0, 0.0, 5.0, 'maximum horizontal force over weight on a road of friction 1; 0: no limit'),
        Parameter('drag_0', 'N', 22.46, 0.0, 100000.0, 'drag = drag_0 + drag_1 V + drag_2 V^2'),
        Parameter('drag_1', 'N s/m', 2.146, 0.0, 10000.0, 'linear in speed'),
        Parameter('drag_2', 'N s^2/m^2', 0.5067, 0.0, 1000.0, 'aerodynamic drag'),
        Parameter('drag_continuous', '-', 0.0, 0.0, 1.0, '0: 500.1 V up to 0.4 m/s as printed, with a jump; 1: without the jump'),
        Parameter('brake_rate', '1/s', 5.0, 0.1, 1000.0, 'at which the brake force follows its command'),
        Parameter('brake_delay', 's', 0.0, 0.0, 2.0, 'pure delay of the brake command; 0: none'),
        Parameter('kinematic_below', 'm/s', 0.5, 0.05, 1000.0, 'bicycle: below it the wheels roll without side slip; blended up to twice that speed'),
        Parameter('stiffness_front', '1/rad', 21.92, 0.1, 1000.0, 'bicycle, single_track: cornering stiffness over load of the front axle'),
        Parameter('stiffness_rear', '1/rad', 21.92, 0.1, 1000.0, 'bicycle, single_track: cornering stiffness over load of the rear axle'),
        Parameter('cg_height', 'm', 0.55, 0.0, 3.0, 'height of the mass centre'),
        Parameter('steer_lag', 's', 0.05, 0.0, 5.0, 'time constant of the steering; 0: none'),
        Parameter('steer_rate', 'rad/s', 1.0, 0.001, 1000000000.0, 'maximum rate of the steering angle'),
        Parameter('max_steer', 'rad', 0.6, 0.0, 1.4, 'maximum steering angle of the wheels'),
    ),
    'planar': (  # a car in the plane on four wheels with spin, load transfer and any tyre law
        Parameter('track_front', 'm', 1.55, 0.2, 5.0, 'between the front wheels'),
        Parameter('track_rear', 'm', 1.55, 0.2, 5.0, 'between the rear wheels'),
        Parameter('roll_front', '-', 0.55, 0.0, 1.0, 'front share of the roll stiffness: of the lateral load transfer'),
        Parameter('load_lag', 's', 0.05, 0.005, 1.0, 'time constant of the load transfer: of the body leaning'),
        Parameter('order', '-', 2.0, 2.0, 4.0, 'of the time steps: 2, with implicit spin of the wheels, or 4, explicit'),
        Parameter('max_step', 's', 0.001, 1e-06, 0.01, 'longest time step of the vehicle'),
    ),
    'cosserat': (  # the deformable vehicle of MEDUSA, from a model file
        Parameter('MASS', 'kg', nan, 1.0, 1000000.0, 'mass of the vehicle'),
        Parameter('IX', 'kg m^2', nan, 0.001, 100000000.0, 'moment of inertia about the x axis'),
        Parameter('IY', 'kg m^2', nan, 0.001, 100000000.0, 'moment of inertia about the y axis'),
        Parameter('IZ', 'kg m^2', nan, 0.001, 100000000.0, 'moment of inertia about the z axis'),
        Parameter('E', 'N/m^2', nan, 1000.0, 10000000000000.0, "Young's modulus of the chassis"),
        Parameter('NU', '-', nan, -0.99, 0.499, "Poisson's ratio of the chassis"),
        Parameter('VOLUME', 'm^3', nan, 1e-06, 10000.0, 'material volume of the chassis'),
        Parameter('L1', 'm', nan, 0.001, 100.0, 'centre of mass to front axle'),
        Parameter('L2', 'm', nan, 0.001, 100.0, 'centre of mass to rear axle'),
        Parameter('B', 'm', nan, 0.001, 20.0, 'track: left to right assembly points'),
        Parameter('H1', 'm', nan, -10.0, 10.0, 'front assembly points below the centre of mass'),
        Parameter('H2', 'm', nan, -10.0, 10.0, 'rear assembly points below the centre of mass'),
        Parameter('SPRING_REF', 'm', nan, -10.0, 10.0, 'height of an assembly point at which its spring is unstretched'),
        Parameter('C1', 'N/m', nan, 0.001, 1000000000.0, 'stiffness of each front spring'),
        Parameter('C2', 'N/m', nan, 0.001, 1000000000.0, 'stiffness of each rear spring'),
        Parameter('D1', 'N s/m', nan, 0.0, 10000000.0, 'damping of each front damper'),
        Parameter('D2', 'N s/m', nan, 0.0, 10000000.0, 'damping of each rear damper'),
        Parameter('TYRE', 's', nan, 1e-06, 10.0, 'lag of the tyre side force'),
        Parameter('A1', 'm', nan, 0.01, 100.0, 'semi-axis of the ellipsoid along x'),
        Parameter('A2', 'm', nan, 0.01, 100.0, 'semi-axis of the ellipsoid along y'),
        Parameter('A3', 'm', nan, 0.01, 100.0, 'semi-axis of the ellipsoid along z'),
        Parameter('R3', 'm', nan, -100.0, 100.0, 'height of the centre of mass at rest'),
        Parameter('D11', '-', nan, -2.0, 2.0, 'director 1 along x at rest'),
        Parameter('D12', '-', nan, -2.0, 2.0, 'director 1 along y at rest'),
        Parameter('D13', '-', nan, -2.0, 2.0, 'director 1 along z at rest'),
        Parameter('D21', '-', nan, -2.0, 2.0, 'director 2 along x at rest'),
        Parameter('D22', '-', nan, -2.0, 2.0, 'director 2 along y at rest'),
        Parameter('D23', '-', nan, -2.0, 2.0, 'director 2 along z at rest'),
        Parameter('D31', '-', nan, -2.0, 2.0, 'director 3 along x at rest'),
        Parameter('D32', '-', nan, -2.0, 2.0, 'director 3 along y at rest'),
        Parameter('D33', '-', nan, -2.0, 2.0, 'director 3 along z at rest'),
    ),
    'drive': (  # wheels, brakes, shares of the axles, drag
        Parameter('wheel_radius', 'm', 0.3, 0.05, 2.0, 'effective radius of the wheels'),
        Parameter('wheel_inertia', 'kg m^2', 1.2, 0.01, 1000.0, 'spin inertia of each wheel'),
        Parameter('max_brake', 'g', 1.0, 0.0, 5.0, 'maximum deceleration by the brakes at nominal mass: brake 1'),
        Parameter('brake_front', '-', 0.6, 0.0, 1.0, 'share of the front brakes'),
        Parameter('brake_rate', '1/s', 5.0, 0.1, 1000.0, 'at which the brake force follows its command'),
        Parameter('brake_delay', 's', 0.0, 0.0, 1.0, 'pure delay of the brake command; 0: none'),
        Parameter('brake_hold', 'rad/s', 500.0, 50.0, 2000.0, 'frequency of a wheel held by its brake'),
        Parameter('drive_front', '-', 0.0, 0.0, 1.0, "share of the engine's force in front"),
        Parameter('drag', 'N s^2/m^2', 0.4, 0.0, 100.0, 'air drag over speed squared'),
        Parameter('roll', '-', 0.01, 0.0, 0.5, 'rolling resistance over load'),
    ),
    'wheels': (  # vertical spring and damper of the tyres
        Parameter('radius', 'm', 0.4699, 0.05, 2.0, 'hub to road without load'),
        Parameter('stiffness', 'N/m', 326332.0, 1000.0, 100000000.0, 'vertical, of each tyre'),
        Parameter('damping', 'N s/m', 7500.0, 0.0, 1000000.0, 'vertical, of each tyre'),
    ),
    'fmu': (  # a unit of FMI from its file, in a process of its own
        Parameter('time_limit', 's', 10.0, 0.01, 3600.0, 'that one call of the unit may take'),
    ),
    'converter': (  # a powertrain
        Parameter('as_printed', '-', 0.0, 0.0, 1.0, '0: energy-consistent interpretation of eqs 4 and 6; 1: as printed'),
        Parameter('idle_angle', 'deg', 7.0, 3.0, 20.0, 'throttle angle of the idle stop: throttle 0; throttle 1 is 85 deg'),
        Parameter('power_scale', '-', 1.0, 0.1, 10.0, 'mixture flow and thus power, relative to 210 hp'),
        Parameter('engine_scale', '-', 1.0, 0.1, 10.0, 'engine friction, relative to 4.6 litre'),
        Parameter('air_fuel_ratio', '-', 14.7, 5.0, 50.0, 'mass of air to mass of fuel'),
    ),
    'manifold': (  # a powertrain
        Parameter('as_printed', '-', 0.0, 0.0, 1.0, '0: energy-consistent interpretation of eqs 4 and 6; 1: as printed'),
        Parameter('idle_angle', 'deg', 7.0, 3.0, 20.0, 'throttle angle of the idle stop: throttle 0; throttle 1 is 85 deg'),
        Parameter('power_scale', '-', 1.0, 0.1, 10.0, 'mixture flow and thus power, relative to 210 hp'),
        Parameter('engine_scale', '-', 1.0, 0.1, 10.0, 'engine friction, relative to 4.6 litre'),
        Parameter('air_fuel_ratio', '-', 14.7, 5.0, 50.0, 'mass of air to mass of fuel'),
        Parameter('manifold_volume', 'm^3', 0.006, 0.001, 0.1, 'of the intake manifold'),
    ),
    'gears': (  # a powertrain
        Parameter('idle_rpm', 'rpm', 700.0, 200.0, 3000.0, 'engine speed at standstill'),
        Parameter('peak_torque', 'N m', 366.0, 10.0, 10000.0, 'maximum torque'),
        Parameter('peak_torque_rpm', 'rpm', 3000.0, 500.0, 10000.0, 'engine speed at maximum torque'),
        Parameter('peak_power', 'W', 156597.0, 1000.0, 2000000.0, 'maximum power (210 hp)'),
        Parameter('peak_power_rpm', 'rpm', 4600.0, 800.0, 15000.0, 'engine speed at maximum power; above peak_torque_rpm'),
        Parameter('max_rpm', 'rpm', 5600.0, 1000.0, 20000.0, 'rev limiter'),
        Parameter('friction_torque', 'N m', 60.0, 1.0, 1000.0, 'engine friction at peak_power_rpm: engine braking with the throttle closed'),
        Parameter('engine_inertia', 'kg m^2', 0.3, 0.02, 10.0, 'engine and pump'),
        Parameter('stall_rpm', 'rpm', 2000.0, 500.0, 6000.0, 'engine speed at full throttle and standstill'),
        Parameter('shift_rpm', 'rpm', 2600.0, 800.0, 10000.0, 'clutch speed at which it shifts up'),
        Parameter('final_drive', '-', 3.08, 0.5, 20.0, 'ratio of the axle'),
        Parameter('wheel_radius', 'm', 0.34, 0.1, 1.5, 'rolling radius'),
        Parameter('efficiency', '-', 0.94, 0.3, 1.0, 'of gears and axle'),
        Parameter('indicated_efficiency', '-', 0.38, 0.05, 0.7, 'indicated power over fuel power, 43.5 MJ/kg'),
        Parameter('gear_1', '-', 2.4, 0.3, 20.0, 'ratio of the first gear'),
        Parameter('gear_2', '-', 1.47, 0.0, 20.0, 'second; 0: none'),
        Parameter('gear_3', '-', 1.0, 0.0, 20.0, 'third'),
        Parameter('gear_4', '-', 0.67, 0.0, 20.0, 'fourth'),
        Parameter('gear_5', '-', 0.0, 0.0, 20.0, 'fifth'),
        Parameter('gear_6', '-', 0.0, 0.0, 20.0, 'sixth'),
    ),
    'lookup_tables': (  # a powertrain
        Parameter('as_printed', '-', 0.0, 0.0, 1.0, '0: energy-consistent interpretation of eqs 4 and 6; 1: as printed'),
        Parameter('idle_angle', 'deg', 7.0, 3.0, 20.0, 'throttle angle of the idle stop: throttle 0; throttle 1 is 85 deg'),
        Parameter('power_scale', '-', 1.0, 0.1, 10.0, 'multiplies the mixture at every angle'),
        Parameter('engine_scale', '-', 1.0, 0.1, 10.0, 'engine friction, relative to 4.6 litre'),
        Parameter('air_fuel_ratio', '-', 14.7, 5.0, 50.0, 'mass of air to mass of fuel'),
        Parameter('mda_3', 'lb/min', 0.168, 0.001, 200.0, 'mixture at a throttle angle of 3 deg (table 1)'),
        Parameter('mda_5', 'lb/min', 0.198, 0.001, 200.0, 'mixture at a throttle angle of 5 deg (table 1)'),
        Parameter('mda_7', 'lb/min', 0.37, 0.001, 200.0, 'mixture at a throttle angle of 7 deg (table 1)'),
        Parameter('mda_9', 'lb/min', 0.59, 0.001, 200.0, 'mixture at a throttle angle of 9 deg (table 1)'),
        Parameter('mda_11', 'lb/min', 0.9, 0.001, 200.0, 'mixture at a throttle angle of 11 deg (table 1)'),
        Parameter('mda_13', 'lb/min', 1.36, 0.001, 200.0, 'mixture at a throttle angle of 13 deg (table 1)'),
        Parameter('mda_15', 'lb/min', 1.83, 0.001, 200.0, 'mixture at a throttle angle of 15 deg (table 1)'),
        Parameter('mda_17', 'lb/min', 2.57, 0.001, 200.0, 'mixture at a throttle angle of 17 deg (table 1)'),
        Parameter('mda_19', 'lb/min', 3.15, 0.001, 200.0, 'mixture at a throttle angle of 19 deg (table 1)'),
        Parameter('mda_21', 'lb/min', 3.9, 0.001, 200.0, 'mixture at a throttle angle of 21 deg (table 1)'),
        Parameter('mda_23', 'lb/min', 4.8, 0.001, 200.0, 'mixture at a throttle angle of 23 deg (table 1)'),
        Parameter('mda_25', 'lb/min', 5.6, 0.001, 200.0, 'mixture at a throttle angle of 25 deg (table 1)'),
        Parameter('mda_27', 'lb/min', 6.25, 0.001, 200.0, 'mixture at a throttle angle of 27 deg (table 1)'),
        Parameter('mda_29', 'lb/min', 7.1, 0.001, 200.0, 'mixture at a throttle angle of 29 deg (table 1)'),
        Parameter('mda_31', 'lb/min', 8.0, 0.001, 200.0, 'mixture at a throttle angle of 31 deg (table 1)'),
        Parameter('mda_33', 'lb/min', 8.8, 0.001, 200.0, 'mixture at a throttle angle of 33 deg (table 1)'),
        Parameter('mda_35', 'lb/min', 9.8, 0.001, 200.0, 'mixture at a throttle angle of 35 deg (table 1)'),
        Parameter('mda_37', 'lb/min', 10.5, 0.001, 200.0, 'mixture at a throttle angle of 37 deg (table 1)'),
        Parameter('mda_39', 'lb/min', 10.8, 0.001, 200.0, 'mixture at a throttle angle of 39 deg (table 1)'),
        Parameter('mda_41', 'lb/min', 11.3, 0.001, 200.0, 'mixture at a throttle angle of 41 deg (table 1)'),
        Parameter('mda_43', 'lb/min', 11.5, 0.001, 200.0, 'mixture at a throttle angle of 43 deg (table 1)'),
        Parameter('mda_45', 'lb/min', 11.7, 0.001, 200.0, 'mixture at a throttle angle of 45 deg (table 1)'),
        Parameter('mda_47', 'lb/min', 11.9, 0.001, 200.0, 'mixture at a throttle angle of 47 deg (table 1)'),
        Parameter('mda_49', 'lb/min', 12.1, 0.001, 200.0, 'mixture at a throttle angle of 49 deg (table 1)'),
        Parameter('mda_51', 'lb/min', 12.3, 0.001, 200.0, 'mixture at a throttle angle of 51 deg (table 1)'),
        Parameter('mda_53', 'lb/min', 12.5, 0.001, 200.0, 'mixture at a throttle angle of 53 deg (table 1)'),
        Parameter('mda_55', 'lb/min', 12.7, 0.001, 200.0, 'mixture at a throttle angle of 55 deg (table 1)'),
        Parameter('mda_57', 'lb/min', 12.9, 0.001, 200.0, 'mixture at a throttle angle of 57 deg (table 1)'),
        Parameter('mda_59', 'lb/min', 13.1, 0.001, 200.0, 'mixture at a throttle angle of 59 deg (table 1)'),
        Parameter('mda_61', 'lb/min', 13.3, 0.001, 200.0, 'mixture at a throttle angle of 61 deg (table 1)'),
        Parameter('mda_65', 'lb/min', 13.7, 0.001, 200.0, 'mixture at a throttle angle of 65 deg (table 1)'),
        Parameter('mda_69', 'lb/min', 14.1, 0.001, 200.0, 'mixture at a throttle angle of 69 deg (table 1)'),
        Parameter('mda_73', 'lb/min', 14.5, 0.001, 200.0, 'mixture at a throttle angle of 73 deg (table 1)'),
        Parameter('mda_77', 'lb/min', 14.9, 0.001, 200.0, 'mixture at a throttle angle of 77 deg (table 1)'),
        Parameter('mda_81', 'lb/min', 15.3, 0.001, 200.0, 'mixture at a throttle angle of 81 deg (table 1)'),
        Parameter('mda_85', 'lb/min', 15.7, 0.001, 200.0, 'mixture at a throttle angle of 85 deg (table 1)'),
        Parameter('kv_0', '-', 2.4, 0.05, 20.0, 'gear Kv at 0 m/s (table 2)'),
        Parameter('kv_2', '-', 2.4, 0.05, 20.0, 'gear Kv at 2 m/s (table 2)'),
        Parameter('kv_5', '-', 2.4, 0.05, 20.0, 'gear Kv at 5 m/s (table 2)'),
        Parameter('kv_7', '-', 1.47, 0.05, 20.0, 'gear Kv at 7 m/s (table 2)'),
        Parameter('kv_10', '-', 1.47, 0.05, 20.0, 'gear Kv at 10 m/s (table 2)'),
        Parameter('kv_12', '-', 1.0, 0.05, 20.0, 'gear Kv at 12 m/s (table 2)'),
        Parameter('kv_15', '-', 1.0, 0.05, 20.0, 'gear Kv at 15 m/s (table 2)'),
        Parameter('kv_18', '-', 0.67, 0.05, 20.0, 'gear Kv at 18 m/s (table 2)'),
        Parameter('kv_20', '-', 0.67, 0.05, 20.0, 'gear Kv at 20 m/s (table 2)'),
        Parameter('kv_40', '-', 0.67, 0.05, 20.0, 'gear Kv at 40 m/s (table 2)'),
    ),
    'direct': (  # a powertrain
        Parameter('max_force', 'N', 6000.0, 10.0, 1000000.0, 'at the wheels, throttle open'),
        Parameter('max_power', 'W', 90000.0, 100.0, 10000000.0, 'limits the force at higher speeds'),
        Parameter('rpm_per_speed', 'rpm*s/m', 100.0, 1.0, 1000.0, 'speed of the motor over road speed'),
        Parameter('outside_force', 'N', 10000000.0, -10000000.0, 10000000.0, 'force instead of that of the throttle; 1e7: none'),
    ),
    'calspan': (  # a tyre law
        Parameter('lag', 's', 0.0016, 1e-06, 10.0, 'time constant of the side force'),
        Parameter('A0', 'N/rad', 2625.0, 0.0, 1000000.0, 'cornering stiffness at zero load'),
        Parameter('A1', '1/rad', 14.47, 0.0, 1000.0, 'growth of cornering stiffness with load'),
        Parameter('A2', 'N', 12930.0, 1.0, 1000000.0, 'load at which cornering stiffness is A0 again'),
        Parameter('B1', '1/N', -4.64e-05, -0.01, 0.01, 'change of friction with load'),
        Parameter('B3', '-', 1.216, 0.001, 10.0, 'friction at zero load'),
        Parameter('B4', '1/N^2', 2.18e-11, 0.0, 1e-06, 'change of friction with load squared'),
        Parameter('SN', '-', 1.0274, 0.001, 10.0, 'skid number of the road over that of the test'),
        Parameter('v_low', 'm/s', 0.1, 0.001, 10.0, 'speed below which the slip angle fades'),
        Parameter('slip_ratio', '-', 1.3, 0.1, 10.0, 'driven wheels: slip stiffness over cornering stiffness'),
        Parameter('relaxation', 'm', 0.3, 0.02, 3.0, 'driven wheels: relaxation length'),
        Parameter('damping', 'N s/m', 2000.0, 0.0, 100000.0, 'driven wheels: damping of the tread'),
        Parameter('A3', '1/rad', 0.0, 0.0, 1000.0, 'camber stiffness over load at zero load; Iltis benchmark: 2.29'),
        Parameter('A4', 'N', 18175.0, 1.0, 1000000.0, 'load at which camber stiffness is 0'),
        Parameter('K1', 'm/N', 0.0, -0.01, 0.01, 'aligning moment over side force and load; Iltis benchmark: -1.71e-5'),
        Parameter('K2', 'm/N', 0.0, -0.01, 0.01, 'aligning moment over side force squared; Iltis benchmark: 1.71e-5'),
    ),
    'brush': (  # a tyre law
        Parameter('slip_stiffness', 'N', 90000.0, 1000.0, 1000000.0, 'dFx/dslip at zero slip'),
        Parameter('cornering_stiffness', 'N', 70000.0, 1000.0, 1000000.0, 'dFy/dslip at zero slip'),
        Parameter('friction', '-', 1.0, 0.01, 3.0, 'peak friction on the reference road'),
        Parameter('relaxation', 'm', 0.3, 0.02, 3.0, 'relaxation length'),
        Parameter('damping', 'N s/m', 2000.0, 0.0, 100000.0, 'damping of the tread'),
    ),
    'linear': (  # a tyre law
        Parameter('slip_stiffness', 'N', 90000.0, 1000.0, 1000000.0, 'dFx/dslip at zero slip'),
        Parameter('cornering_stiffness', 'N', 70000.0, 1000.0, 1000000.0, 'dFy/dslip at zero slip'),
        Parameter('friction', '-', 1.0, 0.01, 3.0, 'peak friction on the reference road'),
        Parameter('relaxation', 'm', 0.3, 0.02, 3.0, 'relaxation length'),
        Parameter('damping', 'N s/m', 2000.0, 0.0, 100000.0, 'damping of the tread'),
    ),
    'fiala': (  # a tyre law
        Parameter('slip_stiffness', 'N', 193929.0, 1000.0, 10000000.0, 'dFx/dslip at zero slip'),
        Parameter('cornering_stiffness', 'N/rad', 50000.0, 1000.0, 10000000.0, 'dFy/d(tan alpha) at zero slip'),
        Parameter('friction', '-', 0.9835, 0.01, 3.0, 'friction at zero slip'),
        Parameter('sliding_friction', '-', 0.5568, 0.01, 3.0, 'friction at slip 1 and above'),
        Parameter('width', 'm', 0.318, 0.0, 2.0, 'of the tyre: lever of the aligning moment'),
        Parameter('relaxation_x', 'm', 0.3, 0.02, 10.0, 'relaxation length along x'),
        Parameter('relaxation', 'm', 2.0, 0.02, 10.0, 'relaxation length along y'),
        Parameter('damping', 'N s/m', 2000.0, 0.0, 100000.0, 'damping of the tread at rest'),
        Parameter('ellipse', '-', 1.0, 0.0, 1.0, '1: force within the ellipse of friction; 0: as published'),
    ),
    'tmeasy': (  # a tyre law
        Parameter('nominal_load', 'N', 8562.8266, 10.0, 1000000.0, 'load of the first curves'),
        Parameter('x_slope', '-', 17.7764, 0.1, 500.0, 'slope at zero slip along x over load, nominal load'),
        Parameter('x_peak', '-', 0.89965, 0.01, 3.0, 'peak force along x over load, nominal load'),
        Parameter('x_sliding', '-', 0.46183, 0.01, 3.0, 'sliding force along x over load, nominal load'),
        Parameter('x_peak_slip', '-', 0.10811, 0.005, 1.0, 'slip of the peak along x, nominal load'),
        Parameter('x_sliding_slip', '-', 0.66667, 0.01, 5.0, 'slip of full sliding along x, nominal load'),
        Parameter('x2_slope', '-', 14.5301, 0.1, 500.0, 'slope at zero slip along x over load, double load'),
        Parameter('x2_peak', '-', 0.77751, 0.01, 3.0, 'peak force along x over load, double load'),
        Parameter('x2_sliding', '-', 0.42349, 0.01, 3.0, 'sliding force along x over load, double load'),
        Parameter('x2_peak_slip', '-', 0.12389, 0.005, 1.0, 'slip of the peak along x, double load'),
        Parameter('x2_sliding_slip', '-', 0.66667, 0.01, 5.0, 'slip of full sliding along x, double load'),
        Parameter('y_slope', '-', 7.4013, 0.1, 500.0, 'slope at zero slip along y over load, nominal load'),
        Parameter('y_peak', '-', 0.75876, 0.01, 3.0, 'peak force along y over load, nominal load'),
        Parameter('y_sliding', '-', 0.68276, 0.01, 3.0, 'sliding force along y over load, nominal load'),
        Parameter('y_peak_slip', '-', 0.33167, 0.005, 1.0, 'slip of the peak along y, nominal load'),
        Parameter('y_sliding_slip', '-', 1.0296, 0.01, 5.0, 'slip of full sliding along y, nominal load'),
        Parameter('y2_slope', '-', 6.8505, 0.1, 500.0, 'slope at zero slip along y over load, double load'),
        Parameter('y2_peak', '-', 0.72628, 0.01, 3.0, 'peak force along y over load, double load'),
        Parameter('y2_sliding', '-', 0.65319, 0.01, 3.0, 'sliding force along y over load, double load'),
        Parameter('y2_peak_slip', '-', 0.33216, 0.005, 1.0, 'slip of the peak along y, double load'),
        Parameter('y2_sliding_slip', '-', 1.0296, 0.01, 5.0, 'slip of full sliding along y, double load'),
        Parameter('trail', '-', 0.178, 0.0, 1.0, 'trail over contact length, nominal load'),
        Parameter('trail2', '-', 0.19, 0.0, 1.0, 'trail over contact length, double load'),
        Parameter('trail_slip', '-', 0.36484, 0.005, 2.0, 'slip at which the trail is 0, nominal load'),
        Parameter('trail_slip2', '-', 0.36538, 0.005, 2.0, 'slip at which the trail is 0, double load'),
        Parameter('trail_end', '-', 1.0296, 0.01, 5.0, 'slip from which it stays 0'),
        Parameter('contact_length', 'm', 0.2, 0.01, 2.0, 'of the contact, nominal load'),
        Parameter('relaxation_x', 'm', 0.3, 0.02, 10.0, 'relaxation length along x'),
        Parameter('relaxation', 'm', 0.6, 0.02, 10.0, 'relaxation length along y'),
        Parameter('damping', 'N s/m', 2000.0, 0.0, 100000.0, 'damping of the tread at rest'),
        Parameter('ellipse', '-', 1.0, 0.0, 1.0, '1: force within the ellipse of friction; 0: as published'),
    ),
    'pac89': (  # a tyre law
        Parameter('a0', '-', 1.49975356, 0.1, 3.0, 'side force: shape factor C'),
        Parameter('a1', 'N/kN^2', -4.84987525, -100000.0, 100000.0, 'side force: peak, growth with load'),
        Parameter('a2', 'N/kN', 812.44979534, -100000.0, 100000.0, 'side force: peak over load'),
        Parameter('a3', 'N/deg', 2613.92367841, -100000.0, 100000.0, 'side force: maximum cornering stiffness'),
        Parameter('a4', 'kN', 48.85791011, 0.001, 100000.0, 'side force: load of that maximum'),
        Parameter('a5', '1/deg', 0.0, -100000.0, 100000.0, 'side force: fall of the stiffness with camber'),
        Parameter('a6', '1/kN', -0.00879541882, -100000.0, 100000.0, 'side force: curvature, growth with load'),
        Parameter('a7', '-', 0.376999015, -100000.0, 100000.0, 'side force: curvature E'),
        Parameter('a8', '-', 0.0, -100000.0, 100000.0, 'side force: horizontal shift over camber'),
        Parameter('a9', 'deg/kN', 0.0, -100000.0, 100000.0, 'side force: horizontal shift over load'),
        Parameter('a10', 'deg', 0.0, -100000.0, 100000.0, 'side force: horizontal shift'),
        Parameter('a11', 'N/kN/deg', 0.0, -100000.0, 100000.0, 'side force: vertical shift over load and camber'),
        Parameter('a12', 'N/kN', 0.0, -100000.0, 100000.0, 'side force: vertical shift over load'),
        Parameter('a13', 'N', 0.0, -100000.0, 100000.0, 'side force: vertical shift'),
        Parameter('b0', '-', 1.50018803, 0.1, 3.0, 'longitudinal force: shape factor C'),
        Parameter('b1', 'N/kN^2', -15.77614667, -100000.0, 100000.0, 'longitudinal force: peak, growth with load'),
        Parameter('b2', 'N/kN', 1022.11238547, -100000.0, 100000.0, 'longitudinal force: peak over load'),
        Parameter('b3', 'N/%/kN^2', -2.55317715, -100000.0, 100000.0, 'longitudinal force: stiffness, growth with load'),
        Parameter('b4', 'N/%/kN', 208.7773162, -100000.0, 100000.0, 'longitudinal force: stiffness over load'),
        Parameter('b5', '1/kN', 0.0073134909, -0.05, 1.0, 'longitudinal force: decay of the stiffness'),
        Parameter('b6', '1/kN^2', -0.00376410346, -100000.0, 100000.0, 'longitudinal force: curvature, load squared'),
        Parameter('b7', '1/kN', 0.156330736, -100000.0, 100000.0, 'longitudinal force: curvature, load'),
        Parameter('b8', '-', -1.15310023, -100000.0, 100000.0, 'longitudinal force: curvature E'),
        Parameter('b9', '%/kN', 0.0, -100000.0, 100000.0, 'longitudinal force: horizontal shift over load'),
        Parameter('b10', '%', 0.0, -100000.0, 100000.0, 'longitudinal force: horizontal shift'),
        Parameter('c0', '-', 2.34, 0.1, 5.0, 'aligning moment: shape factor C'),
        Parameter('c1', 'N m/kN^2', 0.990427, -100000.0, 100000.0, 'aligning moment: peak, growth with load'),
        Parameter('c2', 'N m/kN', 2.96848, -100000.0, 100000.0, 'aligning moment: peak over load'),
        Parameter('c3', 'N m/deg/kN^2', -0.277098, -100000.0, 100000.0, 'aligning moment: stiffness, growth with load'),
        Parameter('c4', 'N m/deg/kN', -0.944859, -100000.0, 100000.0, 'aligning moment: stiffness over load'),
        Parameter('c5', '1/kN', 0.0, -0.05, 1.0, 'aligning moment: decay of the stiffness'),
        Parameter('c6', '1/deg', 0.0027699, -100000.0, 100000.0, 'aligning moment: fall of the stiffness with camber'),
        Parameter('c7', '1/kN^2', -0.0001151, -100000.0, 100000.0, 'aligning moment: curvature, load squared'),
        Parameter('c8', '1/kN', 0.1, -100000.0, 100000.0, 'aligning moment: curvature, load'),
        Parameter('c9', '-', -1.3329, -100000.0, 100000.0, 'aligning moment: curvature E'),
        Parameter('c10', '1/deg', 0.0, -100000.0, 100000.0, 'aligning moment: change of curvature with camber'),
        Parameter('c11', '-', 0.0, -100000.0, 100000.0, 'aligning moment: horizontal shift over camber'),
        Parameter('c12', 'deg/kN', 0.0, -100000.0, 100000.0, 'aligning moment: horizontal shift over load'),
        Parameter('c13', 'deg', 0.0, -100000.0, 100000.0, 'aligning moment: horizontal shift'),
        Parameter('c14', 'N m/kN^2/deg', 0.0, -100000.0, 100000.0, 'aligning moment: vertical shift over load squared and camber'),
        Parameter('c15', 'N m/kN/deg', 0.0, -100000.0, 100000.0, 'aligning moment: vertical shift over load and camber'),
        Parameter('c16', 'N m/kN', 0.0, -100000.0, 100000.0, 'aligning moment: vertical shift over load'),
        Parameter('c17', 'N m', 0.0, -100000.0, 100000.0, 'aligning moment: vertical shift'),
        Parameter('max_load', 'N', 30000.0, 100.0, 200000.0, 'above it forces are proportional to load'),
        Parameter('relaxation_x', 'm', 0.3, 0.02, 10.0, 'relaxation length along x'),
        Parameter('relaxation', 'm', 0.6, 0.02, 10.0, 'relaxation length along y'),
        Parameter('damping', 'N s/m', 2000.0, 0.0, 100000.0, 'damping of the tread at rest'),
    ),
    'pac2002': (  # a tyre law
        Parameter('damping', 'N s/m', 2000.0, 0.0, 100000.0, 'damping of the tread at rest'),
        Parameter('ellipse', '-', 1.0, 0.0, 1.0, '1: force within the ellipse of friction; 0: as published'),
    ),
    'none': (  # a tyre law
    ),
}
