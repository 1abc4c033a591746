// connection.c - kinds of connections.
#include "concept/connection.h"

#include <string.h>

const char *const connection_key_names[CONNECTION_KEY_COUNT] = {
    "parts",   "at",      "to_at", "axis",   "to_axis", "stiffness", "stiffness",
    "damping", "damping", "rest",  "length", "preload", "curve",     "min",
    "max",     "load",    "state", "angle",  "free",
};

#define K(key) (1u << CONNECTION_##key)
static const connection_kind kinds[] = {
    {"rigid", "one body", CLASS_RIGID, NULL, K(PARTS), 0, false, 0},
    {"closure", "door, hood: rigid when shut, a hinge when open", CLASS_RIGID, "hinge",
     K(AT) | K(AXIS) | K(STATE) | K(ANGLE) | K(STIFFNESS) | K(DAMPING), K(AT) | K(AXIS), true, 1},
    {"spring", "spring-damper between two points", CLASS_SPRING, NULL,
     K(AT) | K(TO_AT) | K(STIFFNESS) | K(DAMPING) | K(LENGTH) | K(LOAD_AT_DESIGN) | K(CURVE) |
         K(MIN) | K(MAX),
     K(AT) | K(TO_AT), false, 0},
    {"damper", "damper between two points", CLASS_SPRING, NULL, K(AT) | K(TO_AT) | K(DAMPING),
     K(AT) | K(TO_AT) | K(DAMPING), false, 0},
    {"limit", "stops of the distance of two points", CLASS_SPRING, NULL,
     K(AT) | K(TO_AT) | K(STIFFNESS) | K(MIN) | K(MAX), K(AT) | K(TO_AT) | K(STIFFNESS), false, 0},
    {"bushing", "springs and dampers along x, y and z of `from`", CLASS_BUSHING, NULL,
     K(AT) | K(STIFFNESS_3) | K(DAMPING_3), K(AT) | K(STIFFNESS_3), false, 0},
    {"motor", "hinge with a torque", CLASS_JOINT, "hinge", K(AT) | K(AXIS) | K(LOAD) | K(DAMPING),
     K(AT) | K(AXIS) | K(LOAD), true, 1},
    {"hinge", "turns about an axis", CLASS_JOINT, "hinge",
     K(AT) | K(AXIS) | K(STIFFNESS) | K(DAMPING) | K(REST), K(AT) | K(AXIS), true, 1},
    {"prism", "slides along an axis", CLASS_JOINT, "prism",
     K(AT) | K(AXIS) | K(STIFFNESS) | K(DAMPING) | K(REST), K(AT) | K(AXIS), true, 1},
    {"ball", "turns about a point", CLASS_JOINT, "ball", K(AT), K(AT), true, 3},
    {"general", "moves by the coordinates in `free`", CLASS_JOINT, "general", K(AT) | K(FREE),
     K(AT) | K(FREE), true, 6},
    {"cylinder", "turns about and slides along an axis", CLASS_JOINT, "cylinder", K(AT) | K(AXIS),
     K(AT) | K(AXIS), false, 2},
    {"universal", "Cardan joint", CLASS_JOINT, "universal", K(AT) | K(AXIS) | K(TO_AXIS),
     K(AT) | K(AXIS) | K(TO_AXIS), false, 2},
    {"constant_velocity", "shafts that turn alike", CLASS_JOINT, "constant_velocity",
     K(AT) | K(AXIS) | K(TO_AXIS), K(AT) | K(AXIS) | K(TO_AXIS), false, 2},
    {"distance", "rod between two points", CLASS_JOINT, "distance", K(AT) | K(TO_AT),
     K(AT) | K(TO_AT), false, 5},
    {"point_on_line", "point of `to` on a line of `from`", CLASS_JOINT, "point_on_line",
     K(AT) | K(TO_AT) | K(AXIS), K(AT) | K(AXIS), false, 4},
    {"point_in_plane", "point of `to` in a plane of `from`", CLASS_JOINT, "point_in_plane",
     K(AT) | K(TO_AT) | K(AXIS), K(AT) | K(AXIS), false, 5},
};

const connection_kind *connection_kind_at(int i)
{
    return i >= 0 && (size_t)i < sizeof kinds / sizeof kinds[0] ? &kinds[i] : NULL;
}

const connection_kind *connection_kind_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}
