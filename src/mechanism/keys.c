// keys.c - the keys of mechanism files.
#include "mechanism/read.h"

#define ON(joint) (1u << (joint))
#define TURNING (ON(MB_HINGE) | ON(MB_PRISM))
#define MOVING (~ON(MB_FIXED))
#define EACH(section) (VALUE_EACH + (section))

const char *const multibody_kind_words[1] = {"multibody"};
const char *const multibody_all_words[1] = {"all"};
const char *const multibody_frame_words[2] = {"world", "body"};
const char *const multibody_axis_words[6] = {"x", "y", "z", "-x", "-y", "-z"};

static const multibody_key keys[] = {
    {MULTIBODY_TOP, "motorcade", "", "what the file is: multibody", 0, VALUE_KIND, true},
    {MULTIBODY_TOP, "name", "", "of the model, for titles and file names", 0, VALUE_TEXT, false},
    {MULTIBODY_TOP, "gravity", "m/s^2", "three numbers, world axes; default: [0, 0, -9.81]", 0,
     VALUE_VECTOR, false},
    {MULTIBODY_TOP, "parameters", "", "named numbers that can be changed between runs", 0,
     EACH(MULTIBODY_PARAMETER), false},
    {MULTIBODY_TOP, "inputs", "", "named numbers set from outside during a run", 0,
     EACH(MULTIBODY_INPUT), false},
    {MULTIBODY_TOP, "bodies", "", "the rigid bodies, in the order of the states", 0,
     EACH(MULTIBODY_BODY), true},
    {MULTIBODY_TOP, "points", "", "named points on bodies or on the ground", 0,
     EACH(MULTIBODY_POINT), false},
    {MULTIBODY_TOP, "springs", "", "spring-dampers between two points", 0, EACH(MULTIBODY_SPRING),
     false},
    {MULTIBODY_TOP, "forces", "", "forces at points", 0, EACH(MULTIBODY_FORCE), false},
    {MULTIBODY_TOP, "torques", "", "torques on bodies", 0, EACH(MULTIBODY_TORQUE), false},
    {MULTIBODY_TOP, "joints", "", "joints beside the tree: they close loops", 0,
     EACH(MULTIBODY_JOINT), false},
    {MULTIBODY_TOP, "constraints", "", "formulas of positions or velocities that stay zero", 0,
     EACH(MULTIBODY_CONSTRAINT), false},
    {MULTIBODY_TOP, "keep", "", "coordinates and velocities that closing the loops must not move",
     0, VALUE_NAMES, false},
    {MULTIBODY_TOP, "loads", "", "bodies whose joints give their six loads: a list, or all", 0,
     VALUE_NAMES_OR_ALL, false},
    {MULTIBODY_TOP, "states", "", "states, each with its rate", 0, EACH(MULTIBODY_STATE), false},
    {MULTIBODY_TOP, "variables", "", "names for formulas", 0, VALUE_FORMULAS, false},
    {MULTIBODY_TOP, "simulate", "", "duration and step of a run", 0, VALUE_SIMULATE, false},

    {MULTIBODY_PARAMETER, "value", "", "a number, with its unit if it has one", 0, VALUE_NUMBER,
     true},
    {MULTIBODY_PARAMETER, "unit", "", "unit of value, if not written after it", 0, VALUE_TEXT,
     false},
    {MULTIBODY_PARAMETER, "doc", "", "what it is", 0, VALUE_TEXT, false},
    {MULTIBODY_PARAMETER, "min", "", "smallest value that makes sense", 0, VALUE_NUMBER, false},
    {MULTIBODY_PARAMETER, "max", "", "largest value that makes sense", 0, VALUE_NUMBER, false},

    {MULTIBODY_INPUT, "value", "", "value when it is not set; default: 0", 0, VALUE_NUMBER, false},
    {MULTIBODY_INPUT, "unit", "", "unit of value, if not written after it", 0, VALUE_TEXT, false},
    {MULTIBODY_INPUT, "doc", "", "what it is", 0, VALUE_TEXT, false},

    {MULTIBODY_BODY, "inboard", "", "the body it is attached to; default: ground", 0, VALUE_TEXT,
     false},
    {MULTIBODY_BODY, "joint", "", "free, fixed, hinge, prism, ball or general", 0, VALUE_TREE_JOINT,
     true},
    {MULTIBODY_BODY, "at", "m", "the joint, in the frame of the inboard body", 0, VALUE_VECTOR,
     false},
    {MULTIBODY_BODY, "orientation", "", "of the joint: quaternion [w, x, y, z] or a map", 0,
     VALUE_ORIENTATION, false},
    {MULTIBODY_BODY, "axis", "", "x, y, z, -x, -y, -z or three numbers", TURNING, VALUE_AXIS,
     false},
    {MULTIBODY_BODY, "mass", "kg", "default: 0", 0, VALUE_NUMBER, false},
    {MULTIBODY_BODY, "com", "m", "mass centre, from the joint, in the frame of the body", 0,
     VALUE_VECTOR, false},
    {MULTIBODY_BODY, "inertia", "kg*m^2",
     "about the mass centre: [xx, yy, zz] or [xx, yy, zz, xy, xz, yz] (tensor elements)", 0,
     VALUE_INERTIA, false},
    {MULTIBODY_BODY, "axisymmetric", "", "x, y or z: the body looks the same at every angle",
     ON(MB_HINGE), VALUE_XYZ, false},
    {MULTIBODY_BODY, "angles", "", "quaternion, or a sequence such as zyx", ON(MB_FREE), VALUE_TEXT,
     false},
    {MULTIBODY_BODY, "velocity", "", "world or body: axes of the velocity states", ON(MB_FREE),
     VALUE_FRAME, false},
    {MULTIBODY_BODY, "stiffness", "N*m", "torsion spring at the hinge, N m/rad", ON(MB_HINGE),
     VALUE_NUMBER, false},
    {MULTIBODY_BODY, "stiffness", "N/m", "spring along the axis", ON(MB_PRISM), VALUE_NUMBER,
     false},
    {MULTIBODY_BODY, "damping", "N*m*s", "damper at the hinge, N m s/rad", ON(MB_HINGE),
     VALUE_NUMBER, false},
    {MULTIBODY_BODY, "damping", "N*s/m", "damper along the axis", ON(MB_PRISM), VALUE_NUMBER,
     false},
    {MULTIBODY_BODY, "rest", "rad", "angle at which the spring is relaxed", ON(MB_HINGE),
     VALUE_NUMBER, false},
    {MULTIBODY_BODY, "rest", "m", "travel at which the spring is relaxed", ON(MB_PRISM),
     VALUE_NUMBER, false},
    {MULTIBODY_BODY, "load", "", "formula: torque or force along the coordinate", TURNING,
     VALUE_NUMBER, false},
    {MULTIBODY_BODY, "free", "", "the coordinates that move: some of tx ty tz rx ry rz",
     ON(MB_GENERAL), VALUE_NAMES, false},
    {MULTIBODY_BODY, "sequence", "", "order of the three angles; default: xyz", ON(MB_GENERAL),
     VALUE_TEXT, false},
    {MULTIBODY_BODY, "held", "", "values of coordinates that do not move", ON(MB_GENERAL),
     VALUE_VALUES, false},
    {MULTIBODY_BODY, "start", "", "coordinates and velocities at the start; default: 0", MOVING,
     VALUE_VALUES, false},

    {MULTIBODY_ORIENTATION, "sequence", "", "order of the three angles, such as zyx", 0, VALUE_TEXT,
     true},
    {MULTIBODY_ORIENTATION, "angles", "rad", "three numbers", 0, VALUE_VECTOR, true},

    {MULTIBODY_POINT, "body", "", "the body it belongs to, or ground", 0, VALUE_TEXT, true},
    {MULTIBODY_POINT, "at", "m", "in the frame of that body", 0, VALUE_VECTOR, true},

    {MULTIBODY_SPRING, "from", "", "a point", 0, VALUE_TEXT, true},
    {MULTIBODY_SPRING, "to", "", "a point", 0, VALUE_TEXT, true},
    {MULTIBODY_SPRING, "stiffness", "N/m", "default: 0", 0, VALUE_NUMBER, false},
    {MULTIBODY_SPRING, "damping", "N*s/m", "default: 0", 0, VALUE_NUMBER, false},
    {MULTIBODY_SPRING, "length", "m", "relaxed length; default: 0", 0, VALUE_NUMBER, false},
    {MULTIBODY_SPRING, "force", "", "formula: added force, positive pushes apart", 0, VALUE_NUMBER,
     false},

    {MULTIBODY_FORCE, "point", "", "where it acts", 0, VALUE_TEXT, true},
    {MULTIBODY_FORCE, "force", "", "three formulas, or one that gives a vector", 0,
     VALUE_VECTOR_FORMULA, true},
    {MULTIBODY_FORCE, "in", "", "world or body: axes of the force; default: world", 0, VALUE_FRAME,
     false},

    {MULTIBODY_TORQUE, "body", "", "what it acts on", 0, VALUE_TEXT, true},
    {MULTIBODY_TORQUE, "torque", "", "three formulas, or one that gives a vector", 0,
     VALUE_VECTOR_FORMULA, true},
    {MULTIBODY_TORQUE, "in", "", "world or body: axes of the torque; default: world", 0,
     VALUE_FRAME, false},

    {MULTIBODY_JOINT, "joint", "", "the kind: see the list of joints", 0, VALUE_JOINT, true},
    {MULTIBODY_JOINT, "from", "", "a body, a point or ground", 0, VALUE_TEXT, true},
    {MULTIBODY_JOINT, "to", "", "a body, a point or ground", 0, VALUE_TEXT, true},
    {MULTIBODY_JOINT, "at", "m", "the joint, in the frame of from, if that is a body", 0,
     VALUE_VECTOR, false},
    {MULTIBODY_JOINT, "to_at", "m", "the joint, in the frame of to, if that is a body", 0,
     VALUE_VECTOR, false},
    {MULTIBODY_JOINT, "orientation", "", "of the joint in the frame of from", 0, VALUE_ORIENTATION,
     false},
    {MULTIBODY_JOINT, "to_orientation", "", "of the joint in the frame of to", 0, VALUE_ORIENTATION,
     false},
    {MULTIBODY_JOINT, "axis", "", "x, y, z, -x, -y, -z or three numbers, in the joint's axes", 0,
     VALUE_AXIS, false},
    {MULTIBODY_JOINT, "to_axis", "", "the same axis on to; default: as axis", 0, VALUE_AXIS, false},
    {MULTIBODY_JOINT, "length", "m", "distance: of the rod", 0, VALUE_NUMBER, false},
    {MULTIBODY_JOINT, "ratio", "", "gear: angle of to per angle of from", 0, VALUE_NUMBER, false},
    {MULTIBODY_JOINT, "radius", "m", "rack: travel per angle; rolling: of the disc", 0,
     VALUE_NUMBER, false},
    {MULTIBODY_JOINT, "offset", "", "gear, rack: coordinate of to when that of from is 0", 0,
     VALUE_NUMBER, false},
    {MULTIBODY_JOINT, "free", "", "general: the coordinates that move, some of tx ty tz rx ry rz",
     0, VALUE_NAMES, false},
    {MULTIBODY_JOINT, "sequence", "", "general: order of the three angles; default: xyz", 0,
     VALUE_TEXT, false},
    {MULTIBODY_JOINT, "held", "", "general: values of coordinates that do not move", 0,
     VALUE_VALUES, false},
    {MULTIBODY_JOINT, "on_when", "", "condition: switches on when it becomes true", 0, VALUE_NUMBER,
     false},
    {MULTIBODY_JOINT, "off_when", "", "condition: switches off when it becomes true", 0,
     VALUE_NUMBER, false},

    {MULTIBODY_CONSTRAINT, "position", "", "formula of positions and time that stays zero", 0,
     VALUE_NUMBER, false},
    {MULTIBODY_CONSTRAINT, "velocity", "", "formula, linear in velocities, that stays zero", 0,
     VALUE_NUMBER, false},
    {MULTIBODY_CONSTRAINT, "on_when", "", "condition: switches on when it becomes true", 0,
     VALUE_NUMBER, false},
    {MULTIBODY_CONSTRAINT, "off_when", "", "condition: switches off when it becomes true", 0,
     VALUE_NUMBER, false},

    {MULTIBODY_STATE, "start", "", "value at the start; default: 0", 0, VALUE_NUMBER, false},
    {MULTIBODY_STATE, "unit", "", "of the state", 0, VALUE_TEXT, false},
    {MULTIBODY_STATE, "rate", "", "formula: its time derivative", 0, VALUE_NUMBER, true},

    {MULTIBODY_SIMULATE, "end", "s", "last instant", 0, VALUE_NUMBER, false},
    {MULTIBODY_SIMULATE, "step", "s", "between rows of the result", 0, VALUE_NUMBER, false},
};

const multibody_key *multibody_key_at(int i)
{
    return i >= 0 && (size_t)i < sizeof keys / sizeof keys[0] ? &keys[i] : NULL;
}

const char *multibody_section_name(multibody_section section)
{
    static const char *const names[MULTIBODY_SECTION_COUNT] = {
        "the model",    "a parameter", "an input", "a body",   "an orientation",
        "a point",      "a spring",    "a force",  "a torque", "a joint",
        "a constraint", "a state",     "simulate",
    };
    return names[section];
}
