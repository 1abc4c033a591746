// keys.c - the keys of concept files.
#include "concept/keys.h"

#include "concept/connection.h"
#include "concept/template.h"

#include <string.h>

// clang-format off
#define PART_KEYS(section)                                                                         \
    {section, "doc", "", "what it is", CONCEPT_TEXT, false, 0, 0},                                 \
    {section, "material", "", "by name; default: that of the assembly", CONCEPT_TEXT, false, 0, 0},\
    {section, "mass", "kg", "instead of what material and volume give", CONCEPT_NUMBER, false, 0,  \
     1e6},                                                                                         \
    {section, "role", "", "structural, inertia_only or ignored; default: structural",              \
     CONCEPT_WORD, false, 0, 0},                                                                   \
    {section, "mirror", "", "also on the right: NAME_l and NAME_r", CONCEPT_FLAG, false, 0, 0},    \
    {section, "build_out", "", "correction of its mass", CONCEPT_MAP + CONCEPT_BUILD_OUT, false,   \
     0, 0}
// clang-format on

static const concept_key keys[] = {
    {CONCEPT_TOP, "motorcade", "", "what the file is: concept", CONCEPT_WORD, true, 0, 0},
    {CONCEPT_TOP, "name", "", "of the vehicle, for titles and file names", CONCEPT_TEXT, false, 0,
     0},
    {CONCEPT_TOP, "doc", "", "what it is", CONCEPT_TEXT, false, 0, 0},
    {CONCEPT_TOP, "ground", "m", "height of the road; default: below the lowest wheel",
     CONCEPT_NUMBER, false, -10, 10},
    {CONCEPT_TOP, "brake_front", "-", "share of the first axle in braking; default: 0.6",
     CONCEPT_NUMBER, false, 0, 1},
    {CONCEPT_TOP, "materials", "", "further materials", CONCEPT_EACH + CONCEPT_MATERIAL, false, 0,
     0},
    {CONCEPT_TOP, "build_out", "", "correction of all masses", CONCEPT_MAP + CONCEPT_BUILD_OUT,
     false, 0, 0},
    {CONCEPT_TOP, "assemblies", "", "groups of parts", CONCEPT_EACH + CONCEPT_ASSEMBLY, true, 0, 0},
    {CONCEPT_TOP, "connections", "", "between parts of different assemblies",
     CONCEPT_EACH + CONCEPT_CONNECTION, false, 0, 0},
    {CONCEPT_TOP, "axles", "", "suspensions with their wheels, from the front",
     CONCEPT_EACH + CONCEPT_AXLE, false, 0, 0},
    {CONCEPT_TOP, "points", "", "named points on parts, for results", CONCEPT_EACH + CONCEPT_POINT,
     false, 0, 0},
    {CONCEPT_TOP, "drive", "", "engine, gears and brakes, for runs on the ground",
     CONCEPT_MAP + CONCEPT_DRIVE, false, 0, 0},
    {CONCEPT_TOP, "road", "", "bumps that pass under the wheels", CONCEPT_MAP + CONCEPT_ROAD, false,
     0, 0},
    {CONCEPT_TOP, "simulate", "", "duration and step of a run", CONCEPT_MAP + CONCEPT_SIMULATE,
     false, 0, 0},

    {CONCEPT_MATERIAL, "density", "kg/m^3", "mass per volume", CONCEPT_NUMBER, true, 1, 30000},
    {CONCEPT_MATERIAL, "doc", "", "what it is", CONCEPT_TEXT, false, 0, 0},

    {CONCEPT_ASSEMBLY, "doc", "", "what it is", CONCEPT_TEXT, false, 0, 0},
    {CONCEPT_ASSEMBLY, "material", "", "of parts that name none", CONCEPT_TEXT, false, 0, 0},
    {CONCEPT_ASSEMBLY, "mirror", "", "all parts also on the right", CONCEPT_FLAG, false, 0, 0},
    {CONCEPT_ASSEMBLY, "build_out", "", "correction of its mass", CONCEPT_MAP + CONCEPT_BUILD_OUT,
     false, 0, 0},
    {CONCEPT_ASSEMBLY, "beams", "", "sections along curves", CONCEPT_EACH + CONCEPT_BEAM, false, 0,
     0},
    {CONCEPT_ASSEMBLY, "panels", "", "surfaces with a thickness", CONCEPT_EACH + CONCEPT_PANEL,
     false, 0, 0},
    {CONCEPT_ASSEMBLY, "components", "", "solids", CONCEPT_EACH + CONCEPT_COMPONENT, false, 0, 0},
    {CONCEPT_ASSEMBLY, "connections", "", "between its parts", CONCEPT_EACH + CONCEPT_CONNECTION,
     false, 0, 0},

    {CONCEPT_BEAM, "polyline", "m", "corners", CONCEPT_POINTS, false, 0, 0},
    {CONCEPT_BEAM, "arc", "m", "start, a point between, end", CONCEPT_POINTS, false, 0, 0},
    {CONCEPT_BEAM, "spline", "m", "four or more control points of a cubic B-spline", CONCEPT_POINTS,
     false, 0, 0},
    {CONCEPT_BEAM, "section", "", "cross section", CONCEPT_MAP + CONCEPT_SECTION, true, 0, 0},
    {CONCEPT_BEAM, "up", "", "direction of the section's height; default: z", CONCEPT_AXIS, false,
     0, 0},
    PART_KEYS(CONCEPT_BEAM),

    {CONCEPT_SECTION, "kind", "", "solid, round, tube, box, channel, i or given", CONCEPT_WORD,
     true, 0, 0},
    {CONCEPT_SECTION, "width", "m", "outer", CONCEPT_NUMBER, false, 1e-6, 10},
    {CONCEPT_SECTION, "height", "m", "outer", CONCEPT_NUMBER, false, 1e-6, 10},
    {CONCEPT_SECTION, "thickness", "m", "of the wall", CONCEPT_NUMBER, false, 1e-6, 1},
    {CONCEPT_SECTION, "radius", "m", "outer", CONCEPT_NUMBER, false, 1e-6, 10},
    {CONCEPT_SECTION, "area", "m^2", "given: of the section", CONCEPT_NUMBER, false, 1e-9, 10},
    {CONCEPT_SECTION, "moment_u", "m^4", "given: integral of v^2 dA", CONCEPT_NUMBER, false, 0, 10},
    {CONCEPT_SECTION, "moment_v", "m^4", "given: integral of u^2 dA", CONCEPT_NUMBER, false, 0, 10},

    {CONCEPT_PANEL, "polygon", "m", "corners in a plane", CONCEPT_POINTS, false, 0, 0},
    {CONCEPT_PANEL, "ruled", "", "two curves, such as [{polyline: ...}, {arc: ...}]", CONCEPT_PAIRS,
     false, 0, 0},
    {CONCEPT_PANEL, "patch", "m", "16 control points of a bicubic patch, row by row",
     CONCEPT_POINTS, false, 0, 0},
    {CONCEPT_PANEL, "thickness", "m", "of the panel", CONCEPT_NUMBER, true, 1e-6, 1},
    PART_KEYS(CONCEPT_PANEL),

    {CONCEPT_COMPONENT, "box", "m", "lengths along x, y, z", CONCEPT_VECTOR, false, 0, 0},
    {CONCEPT_COMPONENT, "cylinder", "", "radius, length, axis", CONCEPT_MAP + CONCEPT_CYLINDER,
     false, 0, 0},
    {CONCEPT_COMPONENT, "ellipsoid", "m", "lengths along x, y, z", CONCEPT_VECTOR, false, 0, 0},
    {CONCEPT_COMPONENT, "extrusion", "", "a polygon moved along a line",
     CONCEPT_MAP + CONCEPT_EXTRUSION, false, 0, 0},
    {CONCEPT_COMPONENT, "mesh", "", "closed triangles", CONCEPT_MAP + CONCEPT_MESH, false, 0, 0},
    {CONCEPT_COMPONENT, "tank", "", "box with a liquid", CONCEPT_MAP + CONCEPT_TANK, false, 0, 0},
    {CONCEPT_COMPONENT, "inertia", "kg*m^2",
     "instead of that of the shape: [xx, yy, zz] or [xx, yy, zz, xy, xz, yz] about com",
     CONCEPT_NUMBERS, false, 0, 0},
    {CONCEPT_COMPONENT, "com", "m", "with inertia: mass centre; default: at", CONCEPT_VECTOR, false,
     0, 0},
    {CONCEPT_COMPONENT, "occupant", "kg", "mass of a seated person; at: the hip", CONCEPT_NUMBER,
     false, 1, 300},
    {CONCEPT_COMPONENT, "at", "m", "its centre; of meshes and extrusions: their origin",
     CONCEPT_VECTOR, false, 0, 0},
    {CONCEPT_COMPONENT, "orientation", "", "quaternion [w, x, y, z] or {sequence, angles}",
     CONCEPT_TURN, false, 0, 0},
    PART_KEYS(CONCEPT_COMPONENT),

    {CONCEPT_CYLINDER, "radius", "m", "outer", CONCEPT_NUMBER, true, 1e-6, 100},
    {CONCEPT_CYLINDER, "inner", "m", "radius of the bore; default: 0", CONCEPT_NUMBER, false, 0,
     100},
    {CONCEPT_CYLINDER, "length", "m", "along the axis", CONCEPT_NUMBER, true, 1e-6, 100},
    {CONCEPT_CYLINDER, "axis", "", "x, y, z or three numbers; default: x", CONCEPT_AXIS, false, 0,
     0},

    {CONCEPT_EXTRUSION, "polygon", "m", "corners in a plane", CONCEPT_POINTS, true, 0, 0},
    {CONCEPT_EXTRUSION, "along", "m", "how the polygon is moved", CONCEPT_VECTOR, true, 0, 0},

    {CONCEPT_MESH, "vertices", "m", "places", CONCEPT_POINTS, true, 0, 0},
    {CONCEPT_MESH, "triangles", "", "numbers of three vertices each, from 0", CONCEPT_PAIRS, true,
     0, 0},

    {CONCEPT_TANK, "size", "m", "lengths along x, y, z", CONCEPT_VECTOR, true, 0, 0},
    {CONCEPT_TANK, "level", "-", "filled share of the volume", CONCEPT_NUMBER, true, 0, 1},
    {CONCEPT_TANK, "fluid", "", "material; default: diesel", CONCEPT_TEXT, false, 0, 0},
    {CONCEPT_TANK, "empty", "kg", "mass of the empty tank; default: 0", CONCEPT_NUMBER, false, 0,
     10000},

    {CONCEPT_BUILD_OUT, "factor", "-", "of the mass; default: 1", CONCEPT_NUMBER, false, 0.01, 100},
    {CONCEPT_BUILD_OUT, "mass", "kg", "added, distributed as the rest; default: 0", CONCEPT_NUMBER,
     false, -1e5, 1e5},

    {CONCEPT_CONNECTION, "joint", "", "the kind: see the list of connections", CONCEPT_WORD, true,
     0, 0},
    {CONCEPT_CONNECTION, "from", "", "a part, an assembly or ground", CONCEPT_TEXT, false, 0, 0},
    {CONCEPT_CONNECTION, "to", "", "a part, an assembly or ground", CONCEPT_TEXT, false, 0, 0},
    {CONCEPT_CONNECTION, "parts", "", "rigid: a list instead of from and to, or all", CONCEPT_NAMES,
     false, 0, 0},
    {CONCEPT_CONNECTION, "at", "m", "where; springs and rods: the end on from", CONCEPT_VECTOR,
     false, 0, 0},
    {CONCEPT_CONNECTION, "to_at", "m", "springs and rods: the end on to", CONCEPT_VECTOR, false, 0,
     0},
    {CONCEPT_CONNECTION, "axis", "", "x, -y, ... or three numbers", CONCEPT_AXIS, false, 0, 0},
    {CONCEPT_CONNECTION, "to_axis", "", "second axis, on to", CONCEPT_AXIS, false, 0, 0},
    {CONCEPT_CONNECTION, "stiffness", "", "N/m; hinge: N m/rad; bushing: three of them",
     CONCEPT_ANY, false, 0, 0},
    {CONCEPT_CONNECTION, "damping", "", "N s/m; hinge: N m s/rad; bushing: three of them",
     CONCEPT_ANY, false, 0, 0},
    {CONCEPT_CONNECTION, "rest", "", "travel or angle at which the spring is relaxed",
     CONCEPT_NUMBER, false, 0, 0},
    {CONCEPT_CONNECTION, "length", "m", "relaxed length of a spring", CONCEPT_NUMBER, false, 0,
     100},
    {CONCEPT_CONNECTION, "preload", "N", "instead of length: force as drawn, pushing apart",
     CONCEPT_NUMBER, false, -1e7, 1e7},
    {CONCEPT_CONNECTION, "curve", "", "instead of stiffness: [[compression, force], ...]",
     CONCEPT_PAIRS, false, 0, 0},
    {CONCEPT_CONNECTION, "min", "m", "shortest length, at a stop", CONCEPT_NUMBER, false, 0, 100},
    {CONCEPT_CONNECTION, "max", "m", "longest length, at a stop", CONCEPT_NUMBER, false, 0, 100},
    {CONCEPT_CONNECTION, "load", "", "motor: formula of its torque", CONCEPT_TEXT, false, 0, 0},
    {CONCEPT_CONNECTION, "state", "", "closure: shut or open; default: shut", CONCEPT_WORD, false,
     0, 0},
    {CONCEPT_CONNECTION, "angle", "rad", "closure: how far it is open at the start", CONCEPT_NUMBER,
     false, -3.2, 3.2},
    {CONCEPT_CONNECTION, "free", "", "general: some of tx ty tz rx ry rz", CONCEPT_NAMES, false, 0,
     0},
    {CONCEPT_CONNECTION, "mirror", "", "also on the right", CONCEPT_FLAG, false, 0, 0},

    {CONCEPT_POINT, "part", "", "a part or an assembly", CONCEPT_TEXT, true, 0, 0},
    {CONCEPT_POINT, "at", "m", "where", CONCEPT_VECTOR, true, 0, 0},

    {CONCEPT_AXLE, "template", "", "the suspension: see the list of templates", CONCEPT_WORD, true,
     0, 0},
    {CONCEPT_AXLE, "doc", "", "what it is", CONCEPT_TEXT, false, 0, 0},
    {CONCEPT_AXLE, "chassis", "", "part or assembly that carries it", CONCEPT_TEXT, true, 0, 0},
    {CONCEPT_AXLE, "at", "m", "origin of its hardpoints; default: [0, 0, 0]", CONCEPT_VECTOR, false,
     0, 0},
    {CONCEPT_AXLE, "hardpoints", "m", "places by the names of the template, on the left",
     CONCEPT_VALUES, true, 0, 0},
    {CONCEPT_AXLE, "parts", "", "masses by the names of the template", CONCEPT_VALUES, false, 0, 0},
    {CONCEPT_AXLE, "spring", "", "on each side", CONCEPT_MAP + CONCEPT_SPRING, false, 0, 0},
    {CONCEPT_AXLE, "damper", "", "on each side", CONCEPT_MAP + CONCEPT_DAMPER, false, 0, 0},
    {CONCEPT_AXLE, "wheel", "", "on each side", CONCEPT_MAP + CONCEPT_WHEEL, true, 0, 0},
    {CONCEPT_AXLE, "steered", "", "its tie rods end at a rack; default: false", CONCEPT_FLAG, false,
     0, 0},
    {CONCEPT_AXLE, "rack", "", "of a steered axle", CONCEPT_MAP + CONCEPT_RACK, false, 0, 0},
    {CONCEPT_AXLE, "driven", "", "by the engine; default: false", CONCEPT_FLAG, false, 0, 0},
    {CONCEPT_AXLE, "spread", "m", "leaf: half the distance of its two springs; default: 0.3",
     CONCEPT_NUMBER, false, 0.01, 3},
    {CONCEPT_AXLE, "camber", "", "generalized: [[travel, angle], ...], top outwards", CONCEPT_PAIRS,
     false, 0, 0},
    {CONCEPT_AXLE, "toe", "", "generalized: [[travel, angle], ...], toe-in; dependent: by roll",
     CONCEPT_PAIRS, false, 0, 0},
    {CONCEPT_AXLE, "camber_compliance", "rad/(N*m)", "generalized; default: 0", CONCEPT_NUMBER,
     false, 0, 0.1},
    {CONCEPT_AXLE, "toe_compliance", "rad/(N*m)", "generalized; default: 0", CONCEPT_NUMBER, false,
     0, 0.1},

    {CONCEPT_LINK, "mass", "kg", "of the part", CONCEPT_NUMBER, true, 1e-9, 1e5},
    {CONCEPT_LINK, "at", "m", "its mass centre; default: the middle of its hardpoints",
     CONCEPT_VECTOR, false, 0, 0},
    {CONCEPT_LINK, "inertia", "kg*m^2", "about the mass centre; default: of its hardpoints",
     CONCEPT_NUMBERS, false, 0, 0},

    {CONCEPT_SPRING, "stiffness", "N/m", "linear", CONCEPT_NUMBER, false, 0, 1e9},
    {CONCEPT_SPRING, "curve", "", "instead: [[compression, force], ...]", CONCEPT_PAIRS, false, 0,
     0},
    {CONCEPT_SPRING, "length", "m", "relaxed", CONCEPT_NUMBER, false, 1e-3, 10},
    {CONCEPT_SPRING, "preload", "N", "instead of length: force as drawn, pushing apart",
     CONCEPT_NUMBER, false, 0, 1e7},
    {CONCEPT_SPRING, "min", "m", "shortest length, at a stop", CONCEPT_NUMBER, false, 0, 10},
    {CONCEPT_SPRING, "max", "m", "longest length, at a stop", CONCEPT_NUMBER, false, 0, 10},
    {CONCEPT_SPRING, "stop_stiffness", "N/m", "of the stops; default: 10 times the spring",
     CONCEPT_NUMBER, false, 1, 1e10},

    {CONCEPT_DAMPER, "damping", "N*s/m", "F = c v/(1 + d |v|)", CONCEPT_NUMBER, true, 0, 1e8},
    {CONCEPT_DAMPER, "degressive_bump", "s/m", "d while it is compressed; default: 0",
     CONCEPT_NUMBER, false, 0, 1000},
    {CONCEPT_DAMPER, "degressive_rebound", "s/m", "d while it extends; default: 0", CONCEPT_NUMBER,
     false, 0, 1000},

    {CONCEPT_WHEEL, "radius", "m", "free", CONCEPT_NUMBER, true, 0.01, 5},
    {CONCEPT_WHEEL, "width", "m", "of one tyre", CONCEPT_NUMBER, true, 0.01, 5},
    {CONCEPT_WHEEL, "mass", "kg", "of one wheel with its tyre and hub", CONCEPT_NUMBER, true, 1e-6,
     1e4},
    {CONCEPT_WHEEL, "inertia", "kg*m^2", "[across, spin]; default: of a cylinder", CONCEPT_NUMBERS,
     false, 0, 0},
    {CONCEPT_WHEEL, "dual", "m", "dual wheels: distance of their middles", CONCEPT_NUMBER, false,
     0.01, 2},
    {CONCEPT_WHEEL, "tyre", "", "springs of the tyre", CONCEPT_MAP + CONCEPT_TYRE, false, 0, 0},

    {CONCEPT_TYRE, "stiffness", "N/m", "vertical, of one tyre", CONCEPT_NUMBER, true, 1, 1e8},
    {CONCEPT_TYRE, "damping", "N*s/m", "vertical; default: 0", CONCEPT_NUMBER, false, 0, 1e7},
    {CONCEPT_TYRE, "lateral", "N/m", "lateral, of a standing wheel; default: 0", CONCEPT_NUMBER,
     false, 0, 1e8},

    {CONCEPT_RACK, "mass", "kg", "default: 5 kg", CONCEPT_NUMBER, false, 1e-3, 1000},
    {CONCEPT_RACK, "stiffness", "N/m", "from the steering wheel to the rack; default: 5e6",
     CONCEPT_NUMBER, false, 1, 1e12},
    {CONCEPT_RACK, "damping", "N*s/m", "default: 2e4", CONCEPT_NUMBER, false, 0, 1e9},

    {CONCEPT_DRIVE, "curve", "", "[[speed of the engine in rad/s or rpm, full torque in N m], ...]",
     CONCEPT_PAIRS, false, 0, 0},
    {CONCEPT_DRIVE, "gears", "", "ratios, the first gear first; default: [1]", CONCEPT_ANY, false,
     0, 0},
    {CONCEPT_DRIVE, "final_drive", "-", "ratio of the axles; default: 1", CONCEPT_NUMBER, false,
     0.01, 100},
    {CONCEPT_DRIVE, "efficiency", "-", "of gears and axles; default: 0.95", CONCEPT_NUMBER, false,
     0.01, 1},
    {CONCEPT_DRIVE, "wheel_torque", "N*m", "at most at each driven wheel, instead of the engine's",
     CONCEPT_NUMBER, false, 0, 1e7},
    {CONCEPT_DRIVE, "brake_torque", "N*m", "at most at each wheel; default: 0", CONCEPT_NUMBER,
     false, 0, 1e7},

    {CONCEPT_SIMULATE, "end", "s", "last instant", CONCEPT_NUMBER, false, 1e-9, 1e9},
    {CONCEPT_SIMULATE, "step", "s", "between rows of the result", CONCEPT_NUMBER, false, 1e-9, 1e9},
    {CONCEPT_SIMULATE, "from", "", "rest: on its tyres (default), or start: as drawn", CONCEPT_WORD,
     false, 0, 0},

    {CONCEPT_ROAD, "speed", "m/s", "with which it passes", CONCEPT_NUMBER, true, 0.1, 100},
    {CONCEPT_ROAD, "bumps", "", "by their names", CONCEPT_EACH + CONCEPT_BUMP, false, 0, 0},

    {CONCEPT_BUMP, "at", "m", "where it begins, in front of the first axle at t = 0",
     CONCEPT_NUMBER, true, -1000, 1e5},
    {CONCEPT_BUMP, "length", "m", "from foot to foot; of a ramp: of its rise", CONCEPT_NUMBER, true,
     0.01, 1000},
    {CONCEPT_BUMP, "height", "m", "below 0: a dip", CONCEPT_NUMBER, true, -5, 5},
    {CONCEPT_BUMP, "shape", "", "bump or ramp; default: bump", CONCEPT_WORD, false, 0, 0},
    {CONCEPT_BUMP, "side", "", "both, left or right; default: both", CONCEPT_WORD, false, 0, 0},
    {CONCEPT_BUMP, "count", "-", "how many of them; default: 1", CONCEPT_NUMBER, false, 1, 200},
    {CONCEPT_BUMP, "every", "m", "distance from one to the next; default: twice the length",
     CONCEPT_NUMBER, false, 0.01, 1000},
};

const concept_key *concept_key_at(int i)
{
    return i >= 0 && (size_t)i < sizeof keys / sizeof keys[0] ? &keys[i] : NULL;
}

const concept_key *concept_key_find(concept_section_id section, const char *name)
{
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].section == section && strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

const char *concept_section_name(concept_section_id section)
{
    static const char *const names[CONCEPT_SECTION_COUNT] = {
        "the concept", "a material",  "an assembly",  "a beam",       "a section",
        "a panel",     "a component", "a cylinder",   "an extrusion", "a mesh",
        "a tank",      "a build_out", "a connection", "a point",      "an axle",
        "a link",      "a spring",    "a damper",     "a wheel",      "a tyre",
        "a rack",      "a drive",     "simulate",     "a road",       "a bump",
    };
    return names[section];
}
