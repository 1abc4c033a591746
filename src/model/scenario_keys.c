// scenario_keys.c - the keys of scenario files.
#include "model/scenario_keys.h"

#include "cars/car.h"
#include "control/avoid.h"
#include "control/inner.h"
#include "control/link.h"
#include "cosserat/model.h"
#include "parts/tyre_vertical.h"

#include <math.h>
#include <string.h>

#define FAR 1e7 // m

static const scenario_key keys[] = {
    // section, key, type, needed, keys of the map, unit, fallback, min, max, meaning
    {SECTION_TOP, "motorcade", TYPE_TEXT, true, SECTION_TOP, "", NAN, 0, 0,
     "what the file is: scenario"},
    {SECTION_TOP, "name", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "title of the run; the name of the file if left out"},
    {SECTION_TOP, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it shows"},
    {SECTION_TOP, "seed", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 0, 9e15,
     "of all noise and loss: the same seed, the same run"},
    {SECTION_TOP, "time", TYPE_MAP, true, SECTION_TIME, "", NAN, 0, 0, "how long, how finely"},
    {SECTION_TOP, "road", TYPE_MAP, false, SECTION_ROAD, "", NAN, 0, 0,
     "lanes, slope, friction, commands"},
    {SECTION_TOP, "contact", TYPE_MAP, false, SECTION_CONTACT, "", NAN, 0, 0,
     "what happens where two vehicles touch"},
    {SECTION_TOP, "profiles", TYPE_NAMED, false, SECTION_PROFILE, "", NAN, 0, 0,
     "speeds over time, for leaders"},
    {SECTION_TOP, "models", TYPE_NAMED, true, SECTION_MODEL, "", NAN, 0, 0, "types of vehicles"},
    {SECTION_TOP, "controllers", TYPE_NAMED, false, SECTION_CONTROLLER, "", NAN, 0, 0,
     "control laws with their gains, radio and sensor"},
    {SECTION_TOP, "platoons", TYPE_LIST, false, SECTION_PLATOON, "", NAN, 0, 0,
     "a leader and the cars behind it"},
    {SECTION_TOP, "vehicles", TYPE_LIST, false, SECTION_VEHICLE, "", NAN, 0, 0,
     "vehicles that belong to no platoon"},
    {SECTION_TOP, "events", TYPE_LIST, false, SECTION_EVENT, "", NAN, 0, 0,
     "faults and changes at given times"},
    {SECTION_TOP, "record", TYPE_MAP, false, SECTION_RECORD, "", NAN, 0, 0,
     "what is recorded beside the motion"},
    {SECTION_TOP, "stop", TYPE_TEXTS, false, SECTION_TOP, "", NAN, 0, 0,
     "conditions that end the run, such as collisions > 0"},
    {SECTION_TOP, "expect", TYPE_TEXTS, false, SECTION_TOP, "", NAN, 0, 0,
     "conditions that must hold at the end; else the exit code is 3"},
    {SECTION_TOP, "set", TYPE_TEXTS, false, SECTION_TOP, "", NAN, 0, 0,
     "numbers by name that replace those above, such as follow.k1=0.8"},

    {SECTION_TIME, "end", TYPE_NUMBER, true, SECTION_TOP, "s", NAN, 1e-6, 1e7, "last instant"},
    {SECTION_TIME, "step", TYPE_NUMBER, false, SECTION_TOP, "s", 0.05, 1e-5, 1,
     "between two looks of the controllers"},
    {SECTION_TIME, "record", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 1e-5, 1e5,
     "between rows of the result: a whole number of steps; every step if left out"},

    {SECTION_ROAD, "lanes", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 64,
     "lane 1 is the leftmost"},
    {SECTION_ROAD, "lane_width", TYPE_NUMBER, false, SECTION_TOP, "m", 3.4, 1, 20,
     "lane k has its centre at y = -(k - 1) lane_width"},
    {SECTION_ROAD, "grades", TYPE_LIST, false, SECTION_GRADE, "", NAN, 0, 0,
     "stretches with a slope; level elsewhere"},
    {SECTION_ROAD, "friction", TYPE_LIST, false, SECTION_FRICTION, "", NAN, 0, 0,
     "stretches with other friction; 1 elsewhere"},
    {SECTION_ROAD, "headway", TYPE_NUMBER, false, SECTION_TOP, "s", 1, 0, 60,
     "commanded time headway: the wanted gap is headway times speed plus distance"},
    {SECTION_ROAD, "distance", TYPE_NUMBER, false, SECTION_TOP, "m", 5, 0, 1000,
     "commanded gap at rest, bumper to bumper"},
    {SECTION_ROAD, "speed", TYPE_NUMBER, false, SECTION_TOP, "m/s", 29, 0, 150, "commanded speed"},

    {SECTION_GRADE, "from", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR, "where it begins"},
    {SECTION_GRADE, "to", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR, "where it ends"},
    {SECTION_GRADE, "grade", TYPE_NUMBER, true, SECTION_TOP, "rad", NAN, -0.8, 0.8,
     "uphill positive: an angle, or rise over run such as 4 %"},
    {SECTION_GRADE, "transition", TYPE_NUMBER, false, SECTION_TOP, "m", 20, 1e-3, FAR,
     "road over which the slope comes and goes, within from .. to"},

    {SECTION_FRICTION, "from", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR,
     "where it begins"},
    {SECTION_FRICTION, "to", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR, "where it ends"},
    {SECTION_FRICTION, "mu", TYPE_NUMBER, true, SECTION_TOP, "-", NAN, 0.001, 2,
     "friction relative to the dry road"},
    {SECTION_FRICTION, "transition", TYPE_NUMBER, false, SECTION_TOP, "m", 1, 1e-3, FAR,
     "road over which it comes and goes, within from .. to"},

    {SECTION_CONTACT, "restitution", TYPE_NUMBER, false, SECTION_TOP, "-", 1, 0, 1,
     "of a touch: 1 keeps the energy, 0 none of the approach"},
    {SECTION_CONTACT, "friction", TYPE_NUMBER, false, SECTION_TOP, "-", 0, 0, 10,
     "Coulomb friction between vehicles that touch"},

    {SECTION_PROFILE, "table", TYPE_MATRIX, false, SECTION_TOP, "", NAN, 0, 0,
     "rows [time, speed] in s and m/s; linear between them"},
    {SECTION_PROFILE, "period", TYPE_NUMBER, false, SECTION_TOP, "s", 0, 1e-3, 1e7,
     "after which the table begins again; left out: it ends"},
    {SECTION_PROFILE, "formula", TYPE_FORMULA, false, SECTION_TOP, "", NAN, 0, 0,
     "speed in m/s as a formula of t"},

    {SECTION_MODEL, "kind", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "point, powertrain, cosserat or multibody; powertrain if left out"},
    {SECTION_MODEL, "like", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "a model above from which all is taken that is not given here"},
    {SECTION_MODEL, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it is"},
    {SECTION_MODEL, "powertrain", TYPE_MAP, false, SECTION_POWERTRAIN, "", NAN, 0, 0,
     "engine and gears; a word names the kind with its defaults; converter if left out"},
    {SECTION_MODEL, "file", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "cosserat: a file of models (model.dat)"},
    {SECTION_MODEL, "number", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 1e5,
     "cosserat: which model of that file"},
    {SECTION_MODEL, "mechanism", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "multibody: file of the mechanism, from the folder of the scenario"},
    {SECTION_MODEL, "drive", TYPE_MAP, false, SECTION_AXLES, "", NAN, 0, 0,
     "cosserat and multibody: wheels, brakes, shares of the axles, drag"},
    {SECTION_MODEL, "tyre", TYPE_MAP, false, SECTION_TYRE, "", NAN, 0, 0,
     "cosserat and multibody: law of the tyres; a word names the law with its defaults; brush, or "
     "that of the cosserat file, if left out"},
    {SECTION_MODEL, "wheels", TYPE_MAP, false, SECTION_WHEELS, "", NAN, 0, 0,
     "multibody: vertical spring and damper of the tyres"},

    {SECTION_MODEL, "car_file", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "point, powertrain: a car file of DYNAVIS; keys beside it change what it says"},
    {SECTION_MODEL, "car", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "which car of that file; the first if left out"},

    {SECTION_POWERTRAIN, "kind", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "a kind of powertrain; converter if left out"},

    {SECTION_TYRE, "kind", TYPE_LAW, false, SECTION_TYRE_LAW, "", NAN, 0, 0,
     "a law of tyres by name, or your own; the one the model has if left out; its parameters are "
     "keys beside it"},

    {SECTION_TYRE_LAW, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it does"},
    {SECTION_TYRE_LAW, "parameters", TYPE_NAMED, false, SECTION_PARAMETER, "", NAN, 0, 0,
     "named numbers: C: {value: 80000, unit: N}, in short C: 80000 [N]; 16 at most"},
    {SECTION_TYRE_LAW, "states", TYPE_NAMED, false, SECTION_TYRE_STATE, "", NAN, 0, 0,
     "quantities of a wheel with a rate of their own, 0 at the start; 3 at most"},
    {SECTION_TYRE_LAW, "variables", TYPE_FORMULAS, false, SECTION_TOP, "", NAN, 0, 0,
     "names for formulas; later ones may use earlier ones"},
    {SECTION_TYRE_LAW, "fx", TYPE_FORMULA, true, SECTION_TOP, "", NAN, 0, 0,
     "force of the road on the wheel along it, N"},
    {SECTION_TYRE_LAW, "fy", TYPE_FORMULA, true, SECTION_TOP, "", NAN, 0, 0,
     "force of the road on the wheel to its left, N"},

    {SECTION_TYRE_STATE, "rate", TYPE_FORMULA, true, SECTION_TOP, "", NAN, 0, 0,
     "its time derivative"},
    {SECTION_TYRE_STATE, "unit", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "of the state"},

    {SECTION_CONTROLLER, "law", TYPE_LAW, false, SECTION_LAW, "", NAN, 0, 0,
     "a law by name, or your own; its parameters are keys beside it"},
    {SECTION_CONTROLLER, "linear", TYPE_MAP, false, SECTION_LINEAR, "", NAN, 0, 0,
     "instead of law: a linear controller by its matrices"},
    {SECTION_CONTROLLER, "like", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "a controller above from which all is taken that is not given here"},
    {SECTION_CONTROLLER, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it is for"},
    {SECTION_CONTROLLER, "fallback", TYPE_MAP, false, SECTION_FALLBACK, "", NAN, 0, 0,
     "law that takes over while the radio is silent"},
    {SECTION_CONTROLLER, "inner", TYPE_MAP, false, SECTION_INNER, "", NAN, 0, 0,
     "from wanted acceleration to pedals"},
    {SECTION_CONTROLLER, "radio", TYPE_MAP, false, SECTION_RADIO, "", NAN, 0, 0,
     "delay and loss of messages"},
    {SECTION_CONTROLLER, "sensor", TYPE_MAP, false, SECTION_SENSOR, "", NAN, 0, 0,
     "errors of the range sensor"},
    {SECTION_CONTROLLER, "listen", TYPE_LISTEN, false, SECTION_TOP, "", NAN, 0, 0,
     "who is heard by radio: front, behind, leader, or places ahead (2, -1); "
     "[front, leader] if left out"},
    {SECTION_CONTROLLER, "headway", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 0, 60,
     "wanted time headway; the roadway's if left out"},
    {SECTION_CONTROLLER, "distance", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0, 1000,
     "wanted gap at rest; the roadway's if left out"},
    {SECTION_CONTROLLER, "speed", TYPE_NUMBER, false, SECTION_TOP, "m/s", NAN, 0, 150,
     "wanted speed; the roadway's if left out"},
    {SECTION_CONTROLLER, "avoid", TYPE_MAP, false, SECTION_AVOID, "", NAN, 0, 0,
     "never go faster than the car can still stop: true, or a map of its parameters"},

    {SECTION_FALLBACK, "law", TYPE_LAW, true, SECTION_LAW, "", NAN, 0, 0,
     "a law by name, or your own; its parameters are keys beside it"},

    {SECTION_LAW, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it does"},
    {SECTION_LAW, "parameters", TYPE_NAMED, false, SECTION_PARAMETER, "", NAN, 0, 0,
     "named numbers: k: {value: 0.5, unit: 1/s}, in short k: 0.5 [1/s]"},
    {SECTION_LAW, "states", TYPE_NAMED, false, SECTION_STATE, "", NAN, 0, 0,
     "quantities with a rate of their own"},
    {SECTION_LAW, "variables", TYPE_FORMULAS, false, SECTION_TOP, "", NAN, 0, 0,
     "names for formulas; later ones may use earlier ones"},
    {SECTION_LAW, "acceleration", TYPE_FORMULA, true, SECTION_TOP, "", NAN, 0, 0,
     "wanted acceleration, m/s^2"},

    {SECTION_PARAMETER, "value", TYPE_NUMBER, true, SECTION_TOP, "", NAN, -1e300, 1e300,
     "a number, with its unit if it has one"},
    {SECTION_PARAMETER, "unit", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "of value, if not written behind it"},
    {SECTION_PARAMETER, "min", TYPE_NUMBER, false, SECTION_TOP, "", NAN, -1e300, 1e300,
     "smallest value that makes sense"},
    {SECTION_PARAMETER, "max", TYPE_NUMBER, false, SECTION_TOP, "", NAN, -1e300, 1e300,
     "largest value that makes sense"},
    {SECTION_PARAMETER, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it is"},

    {SECTION_STATE, "rate", TYPE_FORMULA, true, SECTION_TOP, "", NAN, 0, 0, "its time derivative"},
    {SECTION_STATE, "start", TYPE_FORMULA, false, SECTION_TOP, "", NAN, 0, 0,
     "its value at the start, of signals and parameters; 0 if left out"},
    {SECTION_STATE, "unit", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "of the state"},

    {SECTION_LINEAR, "inputs", TYPE_TEXTS, true, SECTION_TOP, "", NAN, 0, 0,
     "signals or formulas of them, such as v_front - v"},
    {SECTION_LINEAR, "A", TYPE_MATRIX, false, SECTION_TOP, "", NAN, 0, 0,
     "states by states: z' = A z + B e; left out: no states"},
    {SECTION_LINEAR, "B", TYPE_MATRIX, false, SECTION_TOP, "", NAN, 0, 0, "states by inputs"},
    {SECTION_LINEAR, "C", TYPE_MATRIX, false, SECTION_TOP, "", NAN, 0, 0,
     "one row by states: wanted acceleration = C z + D e"},
    {SECTION_LINEAR, "D", TYPE_MATRIX, false, SECTION_TOP, "", NAN, 0, 0,
     "one row by inputs; 0 if left out"},

    {SECTION_PLATOON, "leader", TYPE_MAP, true, SECTION_LEADER, "", NAN, 0, 0, "the first car"},
    {SECTION_PLATOON, "cars", TYPE_LIST, false, SECTION_CARS, "", NAN, 0, 0,
     "the cars behind it, from the front"},
    {SECTION_PLATOON, "lane", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 64, "1 is the leftmost"},
    {SECTION_PLATOON, "x", TYPE_NUMBER, false, SECTION_TOP, "m", 0, -FAR, FAR,
     "of the leader's mass centre"},
    {SECTION_PLATOON, "v", TYPE_NUMBER, false, SECTION_TOP, "m/s", NAN, 0, 150,
     "of all at the start; the profile's first speed, or the roadway's, if left out"},

    {SECTION_LEADER, "model", TYPE_TEXT, true, SECTION_TOP, "", NAN, 0, 0, "one of models"},
    {SECTION_LEADER, "name", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "leader if left out; leader1, leader2, ... if several are without a name"},
    {SECTION_LEADER, "profile", TYPE_PROFILE, false, SECTION_PROFILE, "", NAN, 0, 0,
     "the speed it follows: one of profiles, light, moderate, heavy, local, or a speed"},
    {SECTION_LEADER, "controller", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "one of controllers"},
    {SECTION_LEADER, "driver", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "CSV file with columns t, throttle, brake, steer"},
    {SECTION_LEADER, "headway", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 0, 60,
     "wanted time headway to whom it meets; the controller's if left out"},
    {SECTION_LEADER, "distance", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0, 1000,
     "wanted gap at rest to whom it meets; the controller's if left out"},
    {SECTION_LEADER, "from", TYPE_NUMBER, false, SECTION_TOP, "s", 0, 0, 1e7,
     "when it joins: it is not there before, and then at x of the platoon"},

    {SECTION_CARS, "model", TYPE_TEXT, true, SECTION_TOP, "", NAN, 0, 0, "one of models"},
    {SECTION_CARS, "controller", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "one of controllers"},
    {SECTION_CARS, "driver", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "CSV file with columns t, throttle, brake, steer"},
    {SECTION_CARS, "count", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 1e5,
     "so many of them; their names are numbered"},
    {SECTION_CARS, "name", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "car if left out: car1, car2, ..."},
    {SECTION_CARS, "spacing", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0.01, 1e5,
     "gap to the car in front at the start; what its headway asks for if left out"},
    {SECTION_CARS, "v", TYPE_NUMBER, false, SECTION_TOP, "m/s", NAN, 0, 150,
     "at the start; the platoon's if left out"},
    {SECTION_CARS, "from", TYPE_NUMBER, false, SECTION_TOP, "s", 0, 0, 1e7,
     "when it joins: it is not there before; behind the car in front, at its speed, unless x and v "
     "are given"},
    {SECTION_CARS, "x", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, -FAR, FAR,
     "with from: of the mass centre when it joins"},
    {SECTION_CARS, "headway", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 0, 60,
     "wanted time headway; the controller's if left out"},
    {SECTION_CARS, "distance", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0, 1000,
     "wanted gap at rest; the controller's if left out"},

    {SECTION_VEHICLE, "model", TYPE_TEXT, true, SECTION_TOP, "", NAN, 0, 0, "one of models"},
    {SECTION_VEHICLE, "name", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "car if left out: car1, car2, ..."},
    {SECTION_VEHICLE, "x", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR,
     "of the mass centre; of the first with count"},
    {SECTION_VEHICLE, "y", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, -FAR, FAR,
     "of the mass centre, left positive; the centre of the lane if left out"},
    {SECTION_VEHICLE, "lane", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 64, "1 is the leftmost"},
    {SECTION_VEHICLE, "heading", TYPE_NUMBER, false, SECTION_TOP, "rad", 0, -6.3, 6.3,
     "from the road's direction, left positive"},
    {SECTION_VEHICLE, "v", TYPE_NUMBER, false, SECTION_TOP, "m/s", NAN, -50, 150,
     "at the start; if left out the profile's first speed, with a controller the roadway's, else "
     "0"},
    {SECTION_VEHICLE, "profile", TYPE_PROFILE, false, SECTION_PROFILE, "", NAN, 0, 0,
     "the speed it follows: one of profiles, light, moderate, heavy, local, or a speed"},
    {SECTION_VEHICLE, "controller", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "one of controllers"},
    {SECTION_VEHICLE, "driver", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "CSV file with columns t, throttle, brake, steer"},
    {SECTION_VEHICLE, "count", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 1e5,
     "so many of them, one behind the other; their names are numbered"},
    {SECTION_VEHICLE, "spacing", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0.01, 1e5,
     "with count: gap between them; what their headway asks for if left out"},
    {SECTION_VEHICLE, "from", TYPE_NUMBER, false, SECTION_TOP, "s", 0, 0, 1e7,
     "when it joins: it is not there before, and then at x with v"},
    {SECTION_VEHICLE, "headway", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 0, 60,
     "wanted time headway; the controller's if left out"},
    {SECTION_VEHICLE, "distance", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0, 1000,
     "wanted gap at rest; the controller's if left out"},

    {SECTION_EVENT, "at", TYPE_NUMBER, true, SECTION_TOP, "s", NAN, 0, 1e7, "when it happens"},
    {SECTION_EVENT, "until", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 0, 1e7,
     "when it is undone; left out: it stays"},
    {SECTION_EVENT, "vehicle", TYPE_TEXTS, false, SECTION_TOP, "", NAN, 0, 0,
     "a vehicle, a list of them, or all"},
    {SECTION_EVENT, "brake_lost", TYPE_NUMBER, false, SECTION_TOP, "-", NAN, 0, 1,
     "share of the brake that is left; 0 if nothing is written"},
    {SECTION_EVENT, "throttle_stuck", TYPE_NUMBER, false, SECTION_TOP, "-", NAN, 0, 1,
     "where the throttle stays; where it is if nothing is written"},
    {SECTION_EVENT, "sensor_bias", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, -100, 100,
     "added to the measured gap"},
    {SECTION_EVENT, "sensor_noise", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0, 10,
     "standard deviation of the measured gap"},
    {SECTION_EVENT, "radio_delay", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 0, 10,
     "delay of the messages it hears"},
    {SECTION_EVENT, "radio_loss", TYPE_NUMBER, false, SECTION_TOP, "-", NAN, 0, 1,
     "share of the messages it does not hear"},
    {SECTION_EVENT, "push", TYPE_NUMBER, false, SECTION_TOP, "m/s^2", NAN, -20, 20,
     "a force on the car by its mass, by way of engine and brake; forward positive"},
    {SECTION_EVENT, "shape", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "of push and sensor_bias over time: step, sine 0.2 Hz, noise; for 5 s behind it"},
    {SECTION_EVENT, "set", TYPE_VALUES, false, SECTION_TOP, "", NAN, 0, 0,
     "parameters of the vehicle or its law: {mass: 2400, k1: 0.8, headway: 1.5, user1: 3}"},
    {SECTION_EVENT, "headway", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 0, 60,
     "roadway command from then on"},
    {SECTION_EVENT, "distance", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0, 1000,
     "roadway command from then on"},
    {SECTION_EVENT, "speed", TYPE_NUMBER, false, SECTION_TOP, "m/s", NAN, 0, 150,
     "roadway command from then on"},
    {SECTION_EVENT, "profile", TYPE_PROFILE, false, SECTION_PROFILE, "", NAN, 0, 0,
     "the vehicle follows this profile"},
    {SECTION_EVENT, "controller", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "the vehicle takes this controller"},
    {SECTION_EVENT, "drive", TYPE_MAP, false, SECTION_DRIVE, "", NAN, 0, 0,
     "pedals and steering are held like this"},
    {SECTION_EVENT, "release", TYPE_FLAG, false, SECTION_TOP, "", NAN, 0, 0,
     "back to the controller"},

    {SECTION_DRIVE, "throttle", TYPE_NUMBER, false, SECTION_TOP, "-", 0, 0, 1, "0 .. 1"},
    {SECTION_DRIVE, "brake", TYPE_NUMBER, false, SECTION_TOP, "-", 0, 0, 1, "0 .. 1"},
    {SECTION_DRIVE, "steer", TYPE_NUMBER, false, SECTION_TOP, "rad", 0, -1, 1,
     "angle of the steered wheels, left positive"},
    {SECTION_DRIVE, "acceleration", TYPE_NUMBER, false, SECTION_TOP, "m/s^2", 0, -30, 30,
     "for a point car, which has no pedals"},

    {SECTION_RECORD, "channels", TYPE_TEXTS, false, SECTION_TOP, "", NAN, 0, 0,
     "names of channels beside the motion"},
};

// Keys that several sections have in the same form: user1 .. user8 of a vehicle.
static const scenario_key user_keys[] = {
#define USER(section, number)                                                                      \
    {                                                                                              \
        section, "user" #number, TYPE_NUMBER, false, SECTION_TOP, "-", 0, -1e300, 1e300,           \
            "variable " #number " for laws of your own"                                            \
    }
#define USERS(section)                                                                             \
    USER(section, 1), USER(section, 2), USER(section, 3), USER(section, 4), USER(section, 5),      \
        USER(section, 6), USER(section, 7), USER(section, 8)
    USERS(SECTION_LEADER),
    USERS(SECTION_CARS),
    USERS(SECTION_VEHICLE),
};
enum {
    KEY_COUNT = sizeof keys / sizeof keys[0],
    USER_COUNT = sizeof user_keys / sizeof user_keys[0],
};

const scenario_key *scenario_key_at(int i)
{
    if (i >= 0 && i < KEY_COUNT)
        return &keys[i];
    return i >= KEY_COUNT && i < KEY_COUNT + USER_COUNT ? &user_keys[i - KEY_COUNT] : NULL;
}

const scenario_key *scenario_key_find(scenario_section section, const char *name)
{
    for (int i = 0; i < KEY_COUNT; i++) // asked for every number of every vehicle
        if (keys[i].section == section && keys[i].name[0] == name[0] &&
            strcmp(keys[i].name, name) == 0)
            return &keys[i];
    for (int i = 0; strncmp(name, "user", 4) == 0 && i < USER_COUNT; i++)
        if (user_keys[i].section == section && strcmp(user_keys[i].name, name) == 0)
            return &user_keys[i];
    return NULL;
}

const char *scenario_section_name(scenario_section section)
{
    static const char *const names[SECTION_COUNT] = {
        [SECTION_TOP] = "the scenario",
        [SECTION_TIME] = "time",
        [SECTION_ROAD] = "the road",
        [SECTION_GRADE] = "a grade",
        [SECTION_FRICTION] = "a stretch of friction",
        [SECTION_CONTACT] = "contact",
        [SECTION_PROFILE] = "a profile",
        [SECTION_MODEL] = "a model",
        [SECTION_POWERTRAIN] = "a powertrain",
        [SECTION_AXLES] = "the drive of a model",
        [SECTION_TYRE] = "a tyre",
        [SECTION_TYRE_LAW] = "a tyre law",
        [SECTION_TYRE_STATE] = "a state of a tyre",
        [SECTION_WHEELS] = "wheels",
        [SECTION_CONTROLLER] = "a controller",
        [SECTION_FALLBACK] = "a fallback",
        [SECTION_LAW] = "a law",
        [SECTION_PARAMETER] = "a parameter",
        [SECTION_STATE] = "a state",
        [SECTION_LINEAR] = "a linear controller",
        [SECTION_INNER] = "inner",
        [SECTION_RADIO] = "a radio",
        [SECTION_SENSOR] = "a sensor",
        [SECTION_AVOID] = "avoid",
        [SECTION_PLATOON] = "a platoon",
        [SECTION_LEADER] = "a leader",
        [SECTION_CARS] = "a car of a platoon",
        [SECTION_VEHICLE] = "a vehicle",
        [SECTION_EVENT] = "an event",
        [SECTION_DRIVE] = "drive",
        [SECTION_RECORD] = "record",
    };
    return names[section];
}

const mc_param *scenario_section_params(scenario_section section, int *count)
{
    switch (section) {
    case SECTION_MODEL:
        *count = CAR_PARAM_COUNT;
        return car_params;
    case SECTION_AXLES:
        *count = DRIVE_PARAM_COUNT;
        return drive_params;
    case SECTION_WHEELS:
        *count = VERTICAL_PARAM_COUNT;
        return vertical_params;
    case SECTION_INNER:
        *count = INNER_PARAM_COUNT;
        return inner_params;
    case SECTION_RADIO:
        *count = LINK_PARAM_COUNT;
        return link_params;
    case SECTION_AVOID:
        *count = AVOID_PARAM_COUNT;
        return avoid_params;
    case SECTION_SENSOR:
        *count = SENSOR_PARAM_COUNT;
        return sensor_params;
    default:
        *count = 0;
        return NULL;
    }
}
