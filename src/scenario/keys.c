// keys.c - the keys of scenario files.
#include "scenario/keys.h"

#include "contact/obstacle.h"
#include "control/avoid.h"
#include "control/ersc.h"
#include "control/inner.h"
#include "control/lane_change.h"
#include "control/link.h"
#include "event/event.h"

#include <math.h>
#include <string.h>

#define FAR 1e7 // m

static const scenario_key keys[] = {
    // section, key, type, needed, keys of the map, unit, fallback, min, max, meaning
    {SECTION_TOP, "motorcade", TYPE_TEXT, true, SECTION_TOP, "", NAN, 0, 0,
     "what the file is: scenario"},
    {SECTION_TOP, "name", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "title of the run; default: the name of the file"},
    {SECTION_TOP, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it shows"},
    {SECTION_TOP, "seed", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 0, 9e15,
     "seed of all noise and message loss: the same seed gives the same run"},
    {SECTION_TOP, "time", TYPE_MAP, true, SECTION_TIME, "", NAN, 0, 0, "duration and steps"},
    {SECTION_TOP, "road", TYPE_MAP, false, SECTION_ROAD, "", NAN, 0, 0,
     "lanes, slope, friction, roadway commands"},
    {SECTION_TOP, "contact", TYPE_MAP, false, SECTION_CONTACT, "", NAN, 0, 0,
     "what happens where two vehicles touch"},
    {SECTION_TOP, "obstacles", TYPE_LIST, false, SECTION_OBSTACLE, "", NAN, 0, 0,
     "bodies that stand still whatever hits them"},
    {SECTION_TOP, "profiles", TYPE_NAMED, false, SECTION_PROFILE, "", NAN, 0, 0,
     "speed over time, for leaders"},
    {SECTION_TOP, "models", TYPE_NAMED, true, SECTION_MODEL, "", NAN, 0, 0, "types of vehicles"},
    {SECTION_TOP, "controllers", TYPE_NAMED, false, SECTION_CONTROLLER, "", NAN, 0, 0,
     "control laws with their gains, radio and sensor"},
    {SECTION_TOP, "estimators", TYPE_NAMED, false, SECTION_ESTIMATOR, "", NAN, 0, 0,
     "methods that estimate parameters of cars while they drive"},
    {SECTION_TOP, "platoons", TYPE_LIST, false, SECTION_PLATOON, "", NAN, 0, 0,
     "a leader and the cars behind it"},
    {SECTION_TOP, "vehicles", TYPE_LIST, false, SECTION_VEHICLE, "", NAN, 0, 0,
     "vehicles that belong to no platoon"},
    {SECTION_TOP, "sources", TYPE_LIST, false, SECTION_SOURCE, "", NAN, 0, 0,
     "where vehicles enter by flow; with a source they leave at the ends of the road"},
    {SECTION_TOP, "events", TYPE_LIST, false, SECTION_EVENT, "", NAN, 0, 0,
     "faults and changes at given times"},
    {SECTION_TOP, "record", TYPE_MAP, false, SECTION_RECORD, "", NAN, 0, 0,
     "what is recorded in addition to the motion"},
    {SECTION_TOP, "stop", TYPE_TEXTS, false, SECTION_TOP, "", NAN, 0, 0,
     "conditions that end the run, such as collisions > 0"},
    {SECTION_TOP, "expect", TYPE_TEXTS, false, SECTION_TOP, "", NAN, 0, 0,
     "conditions that must hold at the end; otherwise the exit code is 3"},
    {SECTION_TOP, "set", TYPE_TEXTS, false, SECTION_TOP, "", NAN, 0, 0,
     "values by name that replace those above, such as follow.k1=0.8"},
    {SECTION_TOP, "log", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "commands of a live run with their steps, as CSV; executed again"},

    {SECTION_TIME, "end", TYPE_NUMBER, true, SECTION_TOP, "s", NAN, 1e-6, 1e7, "last instant"},
    {SECTION_TIME, "step", TYPE_NUMBER, false, SECTION_TOP, "s", 0.05, 1e-5, 1,
     "controller sampling interval"},
    {SECTION_TIME, "record", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 1e-5, 1e5,
     "interval between rows of the results, a whole number of steps; default: every step"},
    {SECTION_TIME, "braking_step", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 1e-5, 1,
     "step while a car with an estimator brakes, a whole fraction of step; default: step"},

    {SECTION_ROAD, "lanes", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 64,
     "lane 1 is the leftmost"},
    {SECTION_ROAD, "lane_width", TYPE_NUMBER, false, SECTION_TOP, "m", 3.4, 1, 20,
     "lane k has its centre at y = -(k - 1) lane_width"},
    {SECTION_ROAD, "line", TYPE_LIST, false, SECTION_ROAD_LINE, "", NAN, 0, 0,
     "reference line, the centre of lane 1, piece by piece; default: straight, without an end"},
    {SECTION_ROAD, "closed", TYPE_FLAG, false, SECTION_TOP, "", NAN, 0, 0,
     "true: the line is a circuit that begins again at its end"},
    {SECTION_ROAD, "bank", TYPE_LIST, false, SECTION_BANK, "", NAN, 0, 0,
     "stretches with superelevation; level across elsewhere"},
    {SECTION_ROAD, "sections", TYPE_LIST, false, SECTION_ROAD_SECTION, "", NAN, 0, 0,
     "stretches on which a lane differs: its width, who may use it, its commands"},
    {SECTION_ROAD, "ramps", TYPE_LIST, false, SECTION_RAMP, "", NAN, 0, 0,
     "on- and off-ramps, each with its lane for acceleration or deceleration"},
    {SECTION_ROAD, "ramp_file", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "ramps of a DYNAVIS ramp file, instead of ramps"},
    {SECTION_ROAD, "ramp_lines", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "the lines of such a file, as one text"},
    {SECTION_ROAD, "file", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "instead of lanes, line, bank, sections, ramps and slope: an OpenDRIVE file (.xodr)"},
    {SECTION_ROAD, "surface", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "heights of the surface along and across the line: an OpenCRG file (.crg)"},
    {SECTION_ROAD, "terrain", TYPE_TERRAIN, false, SECTION_TOP, "", NAN, 0, 0,
     "ground over the plane of the road (terrain.md): bumps, steps, tables, random roads"},
    {SECTION_ROAD, "grades", TYPE_LIST, false, SECTION_GRADE, "", NAN, 0, 0,
     "stretches with a slope; level elsewhere"},
    {SECTION_ROAD, "profile", TYPE_MAP, false, SECTION_ROAD_PROFILE, "", NAN, 0, 0,
     "instead of grades: height or slope as a formula of the station s"},
    {SECTION_ROAD, "friction", TYPE_LIST, false, SECTION_FRICTION, "", NAN, 0, 0,
     "stretches with other friction; 1 elsewhere"},
    {SECTION_ROAD, "headway", TYPE_NUMBER, false, SECTION_TOP, "s", 1, 0, 60,
     "commanded time headway: the desired gap is headway times speed plus distance"},
    {SECTION_ROAD, "distance", TYPE_NUMBER, false, SECTION_TOP, "m", 5, 0, 1000,
     "commanded gap at rest, bumper to bumper"},
    {SECTION_ROAD, "speed", TYPE_NUMBER, false, SECTION_TOP, "m/s", 29, 0, 150, "commanded speed"},
    {SECTION_ROAD, "end", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, -FAR, FAR,
     "station at which vehicles leave the run; default: with sources the end of the line, else "
     "they "
     "do not leave"},

    {SECTION_ROAD, "ersc", TYPE_MAP, false, SECTION_ERSC, "-", NAN, 0, 4,
     "automated lanes by levels (ersc.md): a level, or a map"},

    {SECTION_ERSC, "level", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 0, 4,
     "1: lane 1 is automated, cruise control, blind-spot warning; 2: + collision avoidance; 3: + "
     "lane keeping; 4: + lane 2 automated, automatic lane change; 0: off"},
    {SECTION_ERSC, "controller", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "one of controllers, which drives cars that are checked in; default: their own"},

    {SECTION_ROAD_PROFILE, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it is like"},
    {SECTION_ROAD_PROFILE, "parameters", TYPE_NAMED, false, SECTION_PARAMETER, "", NAN, 0, 0,
     "named numbers: wave: {value: 400, unit: m}, in short wave: 400 m"},
    {SECTION_ROAD_PROFILE, "variables", TYPE_FORMULAS, false, SECTION_TOP, "", NAN, 0, 0,
     "names for formulas; later ones may use earlier ones"},
    {SECTION_ROAD_PROFILE, "z", TYPE_FORMULA, false, SECTION_TOP, "", NAN, 0, 0,
     "height in m; its slope is the angle whose sine is dz/ds"},
    {SECTION_ROAD_PROFILE, "grade", TYPE_FORMULA, false, SECTION_TOP, "", NAN, 0, 0,
     "instead of z: slope in rad, uphill positive"},
    {SECTION_ROAD_PROFILE, "from", TYPE_NUMBER, false, SECTION_TOP, "m", 0, -FAR, FAR,
     "where the formula begins to apply; before it the slope is constant"},
    {SECTION_ROAD_PROFILE, "to", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR,
     "where it ends; after it the slope is constant"},

    {SECTION_GRADE, "from", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR, "where it begins"},
    {SECTION_GRADE, "to", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR, "where it ends"},
    {SECTION_GRADE, "grade", TYPE_NUMBER, true, SECTION_TOP, "rad", NAN, -0.8, 0.8,
     "uphill positive: an angle, or rise over run such as 4 %"},
    {SECTION_GRADE, "transition", TYPE_NUMBER, false, SECTION_TOP, "m", 20, 1e-3, FAR,
     "length over which the slope builds up and dies out, within from .. to"},

    {SECTION_FRICTION, "from", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR,
     "where it begins"},
    {SECTION_FRICTION, "to", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR, "where it ends"},
    {SECTION_FRICTION, "mu", TYPE_NUMBER, true, SECTION_TOP, "-", NAN, 0.001, 2,
     "friction relative to the dry road"},
    {SECTION_FRICTION, "mu_right", TYPE_NUMBER, false, SECTION_TOP, "-", NAN, 0.001, 2,
     "the same on the right side of the road, where mu is that of the left side; default: mu"},
    {SECTION_FRICTION, "divide", TYPE_NUMBER, false, SECTION_TOP, "m", 0, -1000, 1000,
     "with mu_right: where the sides meet, from the reference line to the left"},
    {SECTION_FRICTION, "seam", TYPE_NUMBER, false, SECTION_TOP, "m", 0.1, 1e-3, 100,
     "with mu_right: width over which friction changes from one side to the other"},
    {SECTION_FRICTION, "transition", TYPE_NUMBER, false, SECTION_TOP, "m", 1, 1e-3, FAR,
     "length over which it builds up and dies out, within from .. to"},

    {SECTION_ROAD_LINE, "straight", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 1e-3, FAR,
     "length of a straight"},
    {SECTION_ROAD_LINE, "arc", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 1e-3, FAR,
     "length of an arc of a circle, along the line"},
    {SECTION_ROAD_LINE, "clothoid", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 1e-3, FAR,
     "length of a piece whose curvature changes evenly, from that of the piece before"},
    {SECTION_ROAD_LINE, "radius", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, -FAR, FAR,
     "of an arc: left turns positive, right turns negative"},
    {SECTION_ROAD_LINE, "to_radius", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, -FAR, FAR,
     "at the end of a clothoid, left positive; default: it becomes straight"},

    {SECTION_BANK, "from", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR, "where it begins"},
    {SECTION_BANK, "to", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR, "where it ends"},
    {SECTION_BANK, "bank", TYPE_NUMBER, true, SECTION_TOP, "rad", NAN, -0.8, 0.8,
     "left side up positive: an angle, or rise over width such as 5 %"},
    {SECTION_BANK, "transition", TYPE_NUMBER, false, SECTION_TOP, "m", 50, 1e-3, FAR,
     "length over which it builds up and dies out, within from .. to"},

    {SECTION_ROAD_SECTION, "lane", TYPE_WHOLE, true, SECTION_TOP, "-", NAN, 1, 64,
     "1 is the leftmost"},
    {SECTION_ROAD_SECTION, "from", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR,
     "where it begins"},
    {SECTION_ROAD_SECTION, "to", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR,
     "where it ends"},
    {SECTION_ROAD_SECTION, "width", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0, 20,
     "of the lane; 0: the lane ends and begins again; default: lane_width"},
    {SECTION_ROAD_SECTION, "taper", TYPE_NUMBER, false, SECTION_TOP, "m", 60, 1e-3, FAR,
     "length over which the width changes, at both ends, within from .. to"},
    {SECTION_ROAD_SECTION, "use", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "which vehicles may drive there: any, automated, manual or closed; default: any"},
    {SECTION_ROAD_SECTION, "enter", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "which may change into it: any, automated, manual or closed; default: any"},
    {SECTION_ROAD_SECTION, "speed", TYPE_NUMBER, false, SECTION_TOP, "m/s", NAN, 0, 150,
     "speed limit of the lane; default: the roadway's command"},
    {SECTION_ROAD_SECTION, "headway", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 0, 60,
     "commanded time headway; default: the roadway's"},
    {SECTION_ROAD_SECTION, "separation", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0, 10000,
     "commanded distance between platoons"},

    {SECTION_RAMP, "name", TYPE_TEXT, true, SECTION_TOP, "", NAN, 0, 0, "of the ramp"},
    {SECTION_RAMP, "kind", TYPE_TEXT, true, SECTION_TOP, "", NAN, 0, 0,
     "on: it joins the road; off: it leaves it"},
    {SECTION_RAMP, "at", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, 0, FAR,
     "station where an on-ramp ends and its acceleration lane begins, or where the deceleration "
     "lane of an off-ramp ends and the ramp begins"},
    {SECTION_RAMP, "line", TYPE_LIST, true, SECTION_ROAD_LINE, "", NAN, 0, 0,
     "its reference line in the direction of travel, piece by piece; it meets the lane "
     "tangentially"},
    {SECTION_RAMP, "length", TYPE_NUMBER, false, SECTION_TOP, "m", 200, 1, FAR,
     "of its lane on the road at full width"},
    {SECTION_RAMP, "taper", TYPE_NUMBER, false, SECTION_TOP, "m", 60, 1, FAR,
     "length over which that lane ends (on) or begins (off), in addition"},
    {SECTION_RAMP, "width", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 1, 20,
     "of the ramp and its lane; default: lane_width"},
    {SECTION_RAMP, "speed", TYPE_NUMBER, false, SECTION_TOP, "m/s", NAN, 0, 150, "design speed"},
    {SECTION_RAMP, "connector", TYPE_FLAG, false, SECTION_TOP, "", NAN, 0, 0,
     "true: it comes from another freeway, or leads to one"},
    {SECTION_RAMP, "grades", TYPE_LIST, false, SECTION_GRADE, "", NAN, 0, 0,
     "stretches of the ramp with a slope, by its own station"},
    {SECTION_RAMP, "bank", TYPE_LIST, false, SECTION_BANK, "", NAN, 0, 0,
     "stretches of the ramp with superelevation, by its own station"},

    {SECTION_CONTACT, "restitution", TYPE_NUMBER, false, SECTION_TOP, "-", 1, 0, 1,
     "coefficient of restitution: 1 is elastic, 0 plastic"},
    {SECTION_CONTACT, "friction", TYPE_NUMBER, false, SECTION_TOP, "-", 0, 0, 10,
     "Coulomb friction between vehicles in contact"},
    {SECTION_CONTACT, "law", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "impulses (the default: micro-impacts at their instants), penalty (of the MEDUSA report) or "
     "none"},
    {SECTION_CONTACT, "step", TYPE_NUMBER, false, SECTION_TOP, "s", 5e-4, 1e-6, 0.01,
     "inner step of vehicles that can deform; contact details scale with it"},
    {SECTION_CONTACT, "rest_interval", TYPE_NUMBER, false, SECTION_TOP, "s", 2e-3, 0, 1,
     "between the impulses of vehicles that rest against each other; 0: as often as needed"},

    {SECTION_OBSTACLE, "name", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "of the obstacle; default: obstacle1, obstacle2, ..."},
    {SECTION_OBSTACLE, "shape", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "box, cylinder (upright, without ends), ellipsoid or prism; default: box"},
    {SECTION_OBSTACLE, "x", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR,
     "station of its middle along the main road"},
    {SECTION_OBSTACLE, "y", TYPE_NUMBER, false, SECTION_TOP, "m", 0, -FAR, FAR,
     "offset from the line of the main road, left positive"},
    {SECTION_OBSTACLE, "heading", TYPE_NUMBER, false, SECTION_TOP, "rad", 0, -10, 10,
     "of its length, from the direction of the road to the left"},
    {SECTION_OBSTACLE, "points", TYPE_MATRIX, false, SECTION_TOP, "", NAN, 0, 0,
     "of a prism: 3 to 32 corners [x, y] of its base, in m from its place; their hull counts"},

    {SECTION_PROFILE, "table", TYPE_MATRIX, false, SECTION_TOP, "", NAN, 0, 0,
     "rows [time, speed] in s and m/s; linear between them"},
    {SECTION_PROFILE, "period", TYPE_NUMBER, false, SECTION_TOP, "s", 0, 1e-3, 1e7,
     "after which the table repeats; default: no repetition"},
    {SECTION_PROFILE, "formula", TYPE_FORMULA, false, SECTION_TOP, "", NAN, 0, 0,
     "speed in m/s as a formula of t"},

    {SECTION_MODEL, "kind", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "type of vehicle"},
    {SECTION_MODEL, "like", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "an earlier model that supplies everything not given here"},
    {SECTION_MODEL, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it is"},
    {SECTION_MODEL, "look", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "how the 3-D view draws it, in its size: car (a body that fits the size), sedan, compact, "
     "van, "
     "pickup, offroader, truck, trailer, box, or the name of a .glb file; default: car"},

    {SECTION_POWERTRAIN, "kind", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "kind of powertrain"},

    {SECTION_TYRE, "kind", TYPE_LAW, false, SECTION_TYRE_LAW, "", NAN, 0, 0,
     "a tyre law by name, or your own; default: that of the model; its parameters are keys next to "
     "it"},
    {SECTION_TYRE, "file", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "file with the coefficients of a law that has one (.tir)"},

    {SECTION_TYRE_LAW, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it does"},
    {SECTION_TYRE_LAW, "parameters", TYPE_NAMED, false, SECTION_PARAMETER, "", NAN, 0, 0,
     "named numbers: C: {value: 80000, unit: N}, in short C: 80000 [N]; at most 48"},
    {SECTION_TYRE_LAW, "states", TYPE_NAMED, false, SECTION_TYRE_STATE, "", NAN, 0, 0,
     "states per wheel, each with its rate; 0 at the start; at most 3"},
    {SECTION_TYRE_LAW, "variables", TYPE_FORMULAS, false, SECTION_TOP, "", NAN, 0, 0,
     "names for formulas; later ones may use earlier ones"},
    {SECTION_TYRE_LAW, "fx", TYPE_FORMULA, true, SECTION_TOP, "", NAN, 0, 0,
     "longitudinal force of the road on the wheel, N"},
    {SECTION_TYRE_LAW, "fy", TYPE_FORMULA, true, SECTION_TOP, "", NAN, 0, 0,
     "lateral force of the road on the wheel, left positive, N"},

    {SECTION_TYRE_STATE, "rate", TYPE_FORMULA, true, SECTION_TOP, "", NAN, 0, 0,
     "its time derivative"},
    {SECTION_TYRE_STATE, "unit", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "of the state"},

    {SECTION_CONTROLLER, "law", TYPE_LAW, false, SECTION_LAW, "", NAN, 0, 0,
     "a law by name, or your own; its parameters are keys next to it"},
    {SECTION_CONTROLLER, "linear", TYPE_MAP, false, SECTION_LINEAR, "", NAN, 0, 0,
     "instead of law: a linear controller by its matrices"},
    {SECTION_CONTROLLER, "like", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "an earlier controller that supplies everything not given here"},
    {SECTION_CONTROLLER, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it is for"},
    {SECTION_CONTROLLER, "fallback", TYPE_MAP, false, SECTION_FALLBACK, "", NAN, 0, 0,
     "law that takes over while the radio is silent"},
    {SECTION_CONTROLLER, "steering", TYPE_MAP, false, SECTION_STEERING, "", NAN, 0, 0,
     "law that keeps the car on its path; default: preview"},
    {SECTION_CONTROLLER, "inner", TYPE_MAP, false, SECTION_INNER, "", NAN, 0, 0,
     "inner loop from desired acceleration to pedals"},
    {SECTION_CONTROLLER, "radio", TYPE_MAP, false, SECTION_RADIO, "", NAN, 0, 0,
     "delay and loss of messages"},
    {SECTION_CONTROLLER, "sensor", TYPE_MAP, false, SECTION_SENSOR, "", NAN, 0, 0,
     "errors of the range sensor"},
    {SECTION_CONTROLLER, "listen", TYPE_LISTEN, false, SECTION_TOP, "", NAN, 0, 0,
     "vehicles heard by radio: front, behind, leader, or places ahead (2, -1); default: [front, "
     "leader]"},
    {SECTION_CONTROLLER, "headway", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 0, 60,
     "desired time headway; default: the roadway's"},
    {SECTION_CONTROLLER, "distance", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0, 1000,
     "desired gap at rest; default: the roadway's"},
    {SECTION_CONTROLLER, "speed", TYPE_NUMBER, false, SECTION_TOP, "m/s", NAN, 0, 150,
     "desired speed; default: the roadway's"},
    {SECTION_CONTROLLER, "avoid", TYPE_MAP, false, SECTION_AVOID, "", NAN, 0, 0,
     "limit the speed so that the car can always stop in time: true, or a map of its parameters"},

    {SECTION_CONTROLLER, "manual", TYPE_FLAG, false, SECTION_TOP, "", NAN, 0, 0,
     "true: it is a model of a driver: such a car counts as manual, and roadway commands do not "
     "bind it"},
    {SECTION_CONTROLLER, "lane_change", TYPE_MAP, false, SECTION_LANE_CHANGE, "", NAN, 0, 0,
     "how it goes from one lane to another"},

    {SECTION_CONTROLLER, "fmu", TYPE_MAP, false, SECTION_FMU, "", NAN, 0, 0,
     "a unit of FMI that gives the desired acceleration instead of the law: its file, or a map"},

    {SECTION_POWERTRAIN, "fmu", TYPE_MAP, false, SECTION_FMU, "", NAN, 0, 0,
     "a unit of FMI that gives the force at the wheels, of a powertrain with outside_force: its "
     "file, "
     "or a map"},

    {SECTION_FMU, "file", TYPE_TEXT, true, SECTION_TOP, "", NAN, 0, 0,
     "of a unit of FMI 2.0 or 3.0 for co-simulation"},
    {SECTION_FMU, "connect", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "variables of the unit with other names: gap = distance, acceleration = u"},
    {SECTION_FMU, "parameters", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "start values of variables of the unit: k1 = 0.4, limit = 3"},
    {SECTION_FMU, "failure", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "what follows when the unit fails: stop (default), or law: the law of the controller "
     "continues"},
    {SECTION_FMU, "time_limit", TYPE_NUMBER, false, SECTION_TOP, "s", 10, 0.01, 3600,
     "that one call of the unit may take"},

    {SECTION_LANE_CHANGE, "free", TYPE_FLAG, false, SECTION_TOP, "", NAN, 0, 0,
     "true: it changes lanes by itself when that is to its advantage; default: when it is sent"},

    {SECTION_FALLBACK, "law", TYPE_LAW, true, SECTION_LAW, "", NAN, 0, 0,
     "a law by name, or your own; its parameters are keys next to it"},

    {SECTION_STEERING, "law", TYPE_LAW, true, SECTION_STEERING_LAW, "", NAN, 0, 0,
     "a steering law by name, or your own; its parameters are keys next to it"},

    {SECTION_STEERING_LAW, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it does"},
    {SECTION_STEERING_LAW, "parameters", TYPE_NAMED, false, SECTION_PARAMETER, "", NAN, 0, 0,
     "named numbers: k: {value: 0.5, unit: 1/s}, in short k: 0.5 [1/s]"},
    {SECTION_STEERING_LAW, "states", TYPE_NAMED, false, SECTION_STATE, "", NAN, 0, 0,
     "states, each with its rate"},
    {SECTION_STEERING_LAW, "variables", TYPE_FORMULAS, false, SECTION_TOP, "", NAN, 0, 0,
     "names for formulas; later ones may use earlier ones"},
    {SECTION_STEERING_LAW, "steer", TYPE_FORMULA, true, SECTION_TOP, "", NAN, 0, 0,
     "angle of the steered wheels, left positive, rad"},

    {SECTION_LAW, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it does"},
    {SECTION_LAW, "parameters", TYPE_NAMED, false, SECTION_PARAMETER, "", NAN, 0, 0,
     "named numbers: k: {value: 0.5, unit: 1/s}, in short k: 0.5 [1/s]"},
    {SECTION_LAW, "states", TYPE_NAMED, false, SECTION_STATE, "", NAN, 0, 0,
     "states, each with its rate"},
    {SECTION_LAW, "variables", TYPE_FORMULAS, false, SECTION_TOP, "", NAN, 0, 0,
     "names for formulas; later ones may use earlier ones"},
    {SECTION_LAW, "acceleration", TYPE_FORMULA, true, SECTION_TOP, "", NAN, 0, 0,
     "desired acceleration, m/s^2"},

    {SECTION_PARAMETER, "value", TYPE_NUMBER, true, SECTION_TOP, "", NAN, -1e300, 1e300,
     "a number, with its unit if it has one"},
    {SECTION_PARAMETER, "unit", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "unit of value, if not written after it"},
    {SECTION_PARAMETER, "min", TYPE_NUMBER, false, SECTION_TOP, "", NAN, -1e300, 1e300,
     "smallest value that makes sense"},
    {SECTION_PARAMETER, "max", TYPE_NUMBER, false, SECTION_TOP, "", NAN, -1e300, 1e300,
     "largest value that makes sense"},
    {SECTION_PARAMETER, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it is"},

    {SECTION_STATE, "rate", TYPE_FORMULA, true, SECTION_TOP, "", NAN, 0, 0, "its time derivative"},
    {SECTION_STATE, "start", TYPE_FORMULA, false, SECTION_TOP, "", NAN, 0, 0,
     "its value at the start, a formula of signals and parameters; default: 0"},
    {SECTION_STATE, "unit", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "of the state"},

    {SECTION_LINEAR, "inputs", TYPE_TEXTS, true, SECTION_TOP, "", NAN, 0, 0,
     "signals or formulas of them, such as v_front - v"},
    {SECTION_LINEAR, "A", TYPE_MATRIX, false, SECTION_TOP, "", NAN, 0, 0,
     "states by states: z' = A z + B e; default: no states"},
    {SECTION_LINEAR, "B", TYPE_MATRIX, false, SECTION_TOP, "", NAN, 0, 0, "states by inputs"},
    {SECTION_LINEAR, "C", TYPE_MATRIX, false, SECTION_TOP, "", NAN, 0, 0,
     "one row by states: desired acceleration = C z + D e"},
    {SECTION_LINEAR, "D", TYPE_MATRIX, false, SECTION_TOP, "", NAN, 0, 0,
     "one row by inputs; default: 0"},

    {SECTION_ESTIMATOR, "method", TYPE_LAW, true, SECTION_ESTIMATOR_METHOD, "", NAN, 0, 0,
     "a method by name, or your own; its parameters are keys next to it"},
    {SECTION_ESTIMATOR, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it is for"},

    {SECTION_ESTIMATOR_METHOD, "doc", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "what it does"},
    {SECTION_ESTIMATOR_METHOD, "parameters", TYPE_NAMED, false, SECTION_PARAMETER, "", NAN, 0, 0,
     "named numbers: gain: {value: 0.5, unit: 1/s}, in short gain: 0.5 [1/s]"},
    {SECTION_ESTIMATOR_METHOD, "states", TYPE_NAMED, false, SECTION_STATE, "", NAN, 0, 0,
     "states, each with its rate"},
    {SECTION_ESTIMATOR_METHOD, "variables", TYPE_FORMULAS, false, SECTION_TOP, "", NAN, 0, 0,
     "names for formulas; later ones may use earlier ones"},
    {SECTION_ESTIMATOR_METHOD, "estimate", TYPE_FORMULA, true, SECTION_TOP, "", NAN, 0, 0,
     "the result"},
    {SECTION_ESTIMATOR_METHOD, "unit", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "of the estimate"},
    {SECTION_ESTIMATOR_METHOD, "parameter", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "what it estimates: a parameter of the car, such as mass"},
    {SECTION_ESTIMATOR_METHOD, "active", TYPE_FORMULA, false, SECTION_TOP, "", NAN, 0, 0,
     "states move while this is above 0, such as braking; a formula of signals and parameters; "
     "default: always"},
    {SECTION_ESTIMATOR_METHOD, "restart", TYPE_TEXTS, false, SECTION_TOP, "", NAN, 0, 0,
     "states that begin at their start again whenever active rises above 0"},

    {SECTION_PLATOON, "leader", TYPE_MAP, true, SECTION_LEADER, "", NAN, 0, 0, "the first car"},
    {SECTION_PLATOON, "cars", TYPE_LIST, false, SECTION_CARS, "", NAN, 0, 0,
     "the cars behind it, from the front"},
    {SECTION_PLATOON, "lane", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 64, "1 is the leftmost"},
    {SECTION_PLATOON, "x", TYPE_NUMBER, false, SECTION_TOP, "m", 0, -FAR, FAR,
     "of the leader's mass centre"},
    {SECTION_PLATOON, "v", TYPE_NUMBER, false, SECTION_TOP, "m/s", NAN, 0, 150,
     "speed of all at the start; default: the profile's first speed, or the roadway's"},
    {SECTION_PLATOON, "leads_as", TYPE_WHOLE, false, SECTION_TOP, "-", 0, 0, 1e5,
     "number of the platoon whose leader drives this one too, counted from 1; 0: it leads by "
     "itself"},

    {SECTION_LEADER, "model", TYPE_TEXT, true, SECTION_TOP, "", NAN, 0, 0, "one of models"},
    {SECTION_LEADER, "name", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "default: leader; leader1, leader2, ... if several are unnamed"},
    {SECTION_LEADER, "profile", TYPE_PROFILE, false, SECTION_PROFILE, "", NAN, 0, 0,
     "speed it follows: one of profiles, light, moderate, heavy, local, or a speed"},
    {SECTION_LEADER, "controller", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "one of controllers"},
    {SECTION_LEADER, "driver", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "CSV file with columns t, throttle, brake, steer"},
    {SECTION_LEADER, "headway", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 0, 60,
     "desired time headway to a vehicle ahead; default: the controller's"},
    {SECTION_LEADER, "distance", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0, 1000,
     "desired gap at rest to a vehicle ahead; default: the controller's"},
    {SECTION_LEADER, "y", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, -FAR, FAR,
     "of its mass centre, left positive; decides the lane it is in; default: the centre of the "
     "platoon's lane"},
    {SECTION_LEADER, "heading", TYPE_NUMBER, false, SECTION_TOP, "rad", 0, -6.3, 6.3,
     "from the road's direction, left positive"},
    {SECTION_LEADER, "from", TYPE_NUMBER, false, SECTION_TOP, "s", 0, 0, 1e7,
     "when it joins, at x of the platoon; absent before"},

    {SECTION_CARS, "model", TYPE_TEXT, true, SECTION_TOP, "", NAN, 0, 0, "one of models"},
    {SECTION_CARS, "controller", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "one of controllers"},
    {SECTION_CARS, "driver", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "CSV file with columns t, throttle, brake, steer"},
    {SECTION_CARS, "count", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 1e5,
     "number of such cars; their names are numbered"},
    {SECTION_CARS, "name", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "default: car1, car2, ..."},
    {SECTION_CARS, "spacing", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0.01, 1e5,
     "gap to the car in front at the start; default: what its headway requires"},
    {SECTION_CARS, "v", TYPE_NUMBER, false, SECTION_TOP, "m/s", NAN, 0, 150,
     "at the start; default: the platoon's"},
    {SECTION_CARS, "from", TYPE_NUMBER, false, SECTION_TOP, "s", 0, 0, 1e7,
     "when it joins; absent before. It joins behind the car in front, at its speed, unless x and v "
     "are given"},
    {SECTION_CARS, "x", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, -FAR, FAR,
     "of the mass centre at the start, or when it joins; default: by spacing"},
    {SECTION_CARS, "y", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, -FAR, FAR,
     "of its mass centre, left positive; decides the lane it is in; default: the centre of the "
     "platoon's lane"},
    {SECTION_CARS, "heading", TYPE_NUMBER, false, SECTION_TOP, "rad", 0, -6.3, 6.3,
     "from the road's direction, left positive"},
    {SECTION_CARS, "headway", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 0, 60,
     "desired time headway; default: the controller's"},
    {SECTION_CARS, "distance", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0, 1000,
     "desired gap at rest; default: the controller's"},

    {SECTION_VEHICLE, "model", TYPE_TEXT, true, SECTION_TOP, "", NAN, 0, 0, "one of models"},
    {SECTION_VEHICLE, "name", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "default: car1, car2, ..."},
    {SECTION_VEHICLE, "x", TYPE_NUMBER, true, SECTION_TOP, "m", NAN, -FAR, FAR,
     "of the mass centre; of the first with count"},
    {SECTION_VEHICLE, "y", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, -FAR, FAR,
     "of the mass centre, left positive; default: the centre of the lane"},
    {SECTION_VEHICLE, "ramp", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "it starts on this ramp of the road; x is then the station of the ramp"},
    {SECTION_VEHICLE, "lane", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 64, "1 is the leftmost"},
    {SECTION_VEHICLE, "heading", TYPE_NUMBER, false, SECTION_TOP, "rad", 0, -6.3, 6.3,
     "from the road's direction, left positive"},
    {SECTION_VEHICLE, "v", TYPE_NUMBER, false, SECTION_TOP, "m/s", NAN, -50, 150,
     "at the start; default: the profile's first speed, with a controller the roadway's, else 0"},
    {SECTION_VEHICLE, "profile", TYPE_PROFILE, false, SECTION_PROFILE, "", NAN, 0, 0,
     "speed it follows: one of profiles, light, moderate, heavy, local, or a speed"},
    {SECTION_VEHICLE, "controller", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "one of controllers"},
    {SECTION_VEHICLE, "driver", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "CSV file with columns t, throttle, brake, steer"},
    {SECTION_VEHICLE, "exit", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "off-ramp at which it leaves; default: none"},
    {SECTION_VEHICLE, "count", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 1e5,
     "number of such vehicles, one behind the other; their names are numbered"},
    {SECTION_VEHICLE, "spacing", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0.01, 1e5,
     "with count: gap between them; default: what their headway requires"},
    {SECTION_VEHICLE, "from", TYPE_NUMBER, false, SECTION_TOP, "s", 0, 0, 1e7,
     "when it joins, at x with speed v; absent before"},
    {SECTION_VEHICLE, "waits", TYPE_FLAG, false, SECTION_TOP, "", NAN, 0, 0,
     "true: it joins when there is room for it, as a vehicle of a source does; it needs a "
     "controller"},
    {SECTION_VEHICLE, "headway", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 0, 60,
     "desired time headway; default: the controller's"},
    {SECTION_VEHICLE, "distance", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 0, 1000,
     "desired gap at rest; default: the controller's"},

    {SECTION_SOURCE, "name", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "of its vehicles, which are numbered; default: source"},
    {SECTION_SOURCE, "flow", TYPE_NUMBER, true, SECTION_TOP, "1/h", NAN, 0.1, 10000,
     "vehicles per hour"},
    {SECTION_SOURCE, "model", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0, "one of models"},
    {SECTION_SOURCE, "mix", TYPE_VALUES, false, SECTION_TOP, "", NAN, 0, 0,
     "instead of model: shares of several models, such as {car: 0.8, truck: 0.2}"},
    {SECTION_SOURCE, "controller", TYPE_TEXT, true, SECTION_TOP, "", NAN, 0, 0,
     "one of controllers"},
    {SECTION_SOURCE, "lane", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 64, "1 is the leftmost"},
    {SECTION_SOURCE, "ramp", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "on-ramp on which they enter; default: the main road"},
    {SECTION_SOURCE, "x", TYPE_NUMBER, false, SECTION_TOP, "m", 0, -FAR, FAR,
     "where they enter, on a ramp its own station"},
    {SECTION_SOURCE, "v", TYPE_NUMBER, false, SECTION_TOP, "m/s", NAN, 0, 150,
     "speed at which they enter, less behind a slower car; default: the roadway's"},
    {SECTION_SOURCE, "min_headway", TYPE_NUMBER, false, SECTION_TOP, "s", 1, 0, 60,
     "least time between two arrivals; the rest of it is exponentially distributed"},
    {SECTION_SOURCE, "exits", TYPE_VALUES, false, SECTION_TOP, "", NAN, 0, 0,
     "shares of them that leave at off-ramps, such as {Vermont: 0.2}; the others stay on the road"},
    {SECTION_SOURCE, "from", TYPE_NUMBER, false, SECTION_TOP, "s", 0, 0, 1e7,
     "when the first one arrives"},
    {SECTION_SOURCE, "until", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 0, 1e7,
     "when the last one may arrive; default: the end of the run"},

    {SECTION_EVENT, "at", TYPE_NUMBER, true, SECTION_TOP, "s", NAN, 0, 1e7, "when it happens"},
    {SECTION_EVENT, "until", TYPE_NUMBER, false, SECTION_TOP, "s", NAN, 0, 1e7,
     "when it is undone; default: never"},
    {SECTION_EVENT, "vehicle", TYPE_TEXTS, false, SECTION_TOP, "", NAN, 0, 0,
     "a vehicle, a list of them, or all"},
    {SECTION_EVENT, "shape", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "shape of push, force and sensor_bias over time: step, sine 0.2 Hz, noise; each may end with "
     "for 5 s; of force also: towards 90 deg at 1.2 0.8 0 m"},
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
     "the vehicle uses this controller"},
    {SECTION_EVENT, "estimator", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "switches an estimator of the vehicle on: one of estimators or a method; none: off"},
    {SECTION_EVENT, "drive", TYPE_MAP, false, SECTION_DRIVE, "", NAN, 0, 0,
     "pedals and steering are held at these values"},
    {SECTION_EVENT, "release", TYPE_FLAG, false, SECTION_TOP, "", NAN, 0, 0,
     "returns the vehicle to its controller"},
    {SECTION_EVENT, "accelerate", TYPE_NUMBER, false, SECTION_TOP, "m/s^2", NAN, -100, 100,
     "the desired acceleration of the vehicle, instead of its law's; its controller still limits "
     "it, works the pedals and steers"},
    {SECTION_EVENT, "lane", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 64,
     "the vehicle goes to this lane; 1 is the leftmost"},
    {SECTION_EVENT, "exit", TYPE_TEXT, false, SECTION_TOP, "", NAN, 0, 0,
     "the vehicle leaves at this off-ramp; none: it stays on the road"},
    {SECTION_EVENT, "driver_lane", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 64,
     "its driver steers the vehicle to this lane, whatever the rules of the lane are"},
    {SECTION_EVENT, "section", TYPE_MAP, false, SECTION_ROAD_SECTION, "", NAN, 0, 0,
     "roadway: rules of a lane from one station to another, as in sections of the road, without "
     "width"},
    {SECTION_EVENT, "ersc", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 0, 4,
     "roadway: level of the ERSC from then on; 0: off"},
    {SECTION_EVENT, "check_in", TYPE_FLAG, false, SECTION_TOP, "", NAN, 0, 0,
     "the driver asks the ERSC to take the vehicle over"},
    {SECTION_EVENT, "check_out", TYPE_FLAG, false, SECTION_TOP, "", NAN, 0, 0,
     "the driver asks to get the vehicle back"},
    {SECTION_EVENT, "join", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 1e5,
     "the vehicle joins this platoon, counted from 1, from behind or from the side"},
    {SECTION_EVENT, "leave", TYPE_WHOLE, false, SECTION_TOP, "-", 1, 1, 64,
     "the vehicle leaves its platoon for this lane"},
    {SECTION_EVENT, "split", TYPE_NUMBER, false, SECTION_TOP, "m", NAN, 1, 10000,
     "the vehicle and those behind it become a platoon of their own, with this gap to the one in "
     "front; default: the separation of the lane, or 40 m"},
    {SECTION_EVENT, "merge", TYPE_FLAG, false, SECTION_TOP, "", NAN, 0, 0,
     "the platoon of the vehicle, its leader, becomes part of the platoon in front"},
    {SECTION_EVENT, "leads_as", TYPE_WHOLE, false, SECTION_TOP, "-", 0, 0, 1e5,
     "the leader is driven as that of this platoon, counted from 1; 0: by itself"},

    {SECTION_DRIVE, "throttle", TYPE_NUMBER, false, SECTION_TOP, "-", 0, 0, 1, "0 .. 1"},
    {SECTION_DRIVE, "brake", TYPE_NUMBER, false, SECTION_TOP, "-", 0, 0, 1, "0 .. 1"},
    {SECTION_DRIVE, "steer", TYPE_NUMBER, false, SECTION_TOP, "rad", 0, -1, 1,
     "angle of the steered wheels, left positive"},
    {SECTION_DRIVE, "acceleration", TYPE_NUMBER, false, SECTION_TOP, "m/s^2", 0, -30, 30,
     "for a car without pedals"},

    {SECTION_RECORD, "channels", TYPE_TEXTS, false, SECTION_TOP, "", NAN, 0, 0,
     "names of channels to record in addition to the motion"},
};

// Keys that several sections have in the same form: the estimator and user1 .. user8 of a vehicle.
static const scenario_key vehicle_keys[] = {
// Versions of clang-format disagree about braces in macros.
// clang-format off
#define USER(section, number)                                                                      \
    {section, "user" #number, TYPE_NUMBER, false, SECTION_TOP, "-", 0, -1e300, 1e300,              \
     "variable " #number " for laws of your own"}
// clang-format on
#define VEHICLE(section)                                                                           \
    {section, "estimator", TYPE_TEXT, false, SECTION_TOP,                                          \
     "",      NAN,         0,         0,     "one of estimators, or a method by name"},            \
        {section,                                                                                  \
         "image_of",                                                                               \
         TYPE_TEXT,                                                                                \
         false,                                                                                    \
         SECTION_TOP,                                                                              \
         "",                                                                                       \
         NAN,                                                                                      \
         0,                                                                                        \
         0,                                                                                        \
         "a vehicle: the parameter that its estimator estimates is the current estimate"},         \
        USER(section, 1), USER(section, 2), USER(section, 3), USER(section, 4), USER(section, 5),  \
        USER(section, 6), USER(section, 7), USER(section, 8)
    VEHICLE(SECTION_LEADER),
    VEHICLE(SECTION_CARS),
    VEHICLE(SECTION_VEHICLE),
};
enum {
    KEY_COUNT = sizeof keys / sizeof keys[0],
    VEHICLE_KEY_COUNT = sizeof vehicle_keys / sizeof vehicle_keys[0],
};

const scenario_key *scenario_key_at(int i)
{
    if (i >= 0 && i < KEY_COUNT)
        return &keys[i];
    return i >= KEY_COUNT && i < KEY_COUNT + VEHICLE_KEY_COUNT ? &vehicle_keys[i - KEY_COUNT]
                                                               : NULL;
}

const scenario_key *scenario_key_find(scenario_section section, const char *name)
{
    for (int i = 0; i < KEY_COUNT; i++) // asked for every number of every vehicle
        if (keys[i].section == section && keys[i].name[0] == name[0] &&
            strcmp(keys[i].name, name) == 0)
            return &keys[i];
    for (int i = 0; i < VEHICLE_KEY_COUNT; i++)
        if (vehicle_keys[i].section == section && vehicle_keys[i].name[0] == name[0] &&
            strcmp(vehicle_keys[i].name, name) == 0)
            return &vehicle_keys[i];
    return NULL;
}

const char *scenario_section_name(scenario_section section)
{
    static const char *const names[SECTION_COUNT] = {
        [SECTION_TOP] = "the scenario",
        [SECTION_TIME] = "time",
        [SECTION_ROAD] = "the road",
        [SECTION_ROAD_PROFILE] = "a road profile",
        [SECTION_GRADE] = "a grade",
        [SECTION_FRICTION] = "a stretch of friction",
        [SECTION_ROAD_LINE] = "a piece of a line",
        [SECTION_BANK] = "a stretch of bank",
        [SECTION_ROAD_SECTION] = "a section",
        [SECTION_RAMP] = "a ramp",
        [SECTION_ERSC] = "ersc",
        [SECTION_CONTACT] = "contact",
        [SECTION_OBSTACLE] = "an obstacle",
        [SECTION_PROFILE] = "a profile",
        [SECTION_MODEL] = "a model",
        [SECTION_POWERTRAIN] = "a powertrain",
        [SECTION_TYRE] = "a tyre",
        [SECTION_TYRE_LAW] = "a tyre law",
        [SECTION_TYRE_STATE] = "a state of a tyre",
        [SECTION_CONTROLLER] = "a controller",
        [SECTION_FALLBACK] = "a fallback",
        [SECTION_LAW] = "a law",
        [SECTION_STEERING] = "steering",
        [SECTION_STEERING_LAW] = "a steering law",
        [SECTION_PARAMETER] = "a parameter",
        [SECTION_STATE] = "a state",
        [SECTION_LINEAR] = "a linear controller",
        [SECTION_INNER] = "inner",
        [SECTION_RADIO] = "a radio",
        [SECTION_SENSOR] = "a sensor",
        [SECTION_AVOID] = "avoid",
        [SECTION_LANE_CHANGE] = "lane_change",
        [SECTION_FMU] = "an FMU of a controller",
        [SECTION_ESTIMATOR] = "an estimator",
        [SECTION_ESTIMATOR_METHOD] = "a method of estimation",
        [SECTION_PLATOON] = "a platoon",
        [SECTION_LEADER] = "a leader",
        [SECTION_CARS] = "a car of a platoon",
        [SECTION_VEHICLE] = "a vehicle",
        [SECTION_SOURCE] = "a source",
        [SECTION_EVENT] = "an event",
        [SECTION_DRIVE] = "drive",
        [SECTION_RECORD] = "record",
    };
    return names[section];
}

const mc_param *scenario_section_params(scenario_section section, int *count)
{
    switch (section) {
    case SECTION_OBSTACLE:
        *count = OBSTACLE_PARAM_COUNT;
        return obstacle_params;
    case SECTION_INNER:
        *count = INNER_PARAM_COUNT;
        return inner_params;
    case SECTION_RADIO:
        *count = LINK_PARAM_COUNT;
        return link_params;
    case SECTION_AVOID:
        *count = AVOID_PARAM_COUNT;
        return avoid_params;
    case SECTION_ERSC:
        *count = ERSC_PARAM_COUNT;
        return ersc_params;
    case SECTION_LANE_CHANGE:
        *count = LANE_CHANGE_PARAM_COUNT;
        return lane_change_params;
    case SECTION_EVENT:
        *count = EVENT_FAULT_COUNT;
        return event_rows;
    case SECTION_SENSOR:
        *count = SENSOR_PARAM_COUNT;
        return sensor_params;
    default:
        *count = 0;
        return NULL;
    }
}
