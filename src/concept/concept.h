// concept.h - a vehicle concept: parts grouped in assemblies, and the graph of what connects them.
//
// Made by the reader (read.c), which lets the suspension templates add their parts. Places are in
// the axes of the vehicle, m: x forward, y left, z up, the origin where the designer wants it. All
// parts stand as drawn.
//
// A part is a node of the graph, a connection an edge. merge.c unites what is rigidly connected;
// derive.c turns that into a mechanism, as text in the language of mechanism files.
#pragma once

#include "base/arena.h"
#include "shape/skin.h"
#include "motorcade/concept.h"
#include "parts/wheel_drive.h"

#include <stddef.h>

enum { CONCEPT_GROUND = -1, CONCEPT_AXLE_MAX = 8, CONCEPT_NAME = 96 };

typedef struct concept_place { // in the file, for messages
    int line, column;
} concept_place;

typedef enum concept_role { ROLE_STRUCTURAL, ROLE_INERTIA, ROLE_IGNORED, ROLE_COUNT } concept_role;
extern const char *const concept_role_names[ROLE_COUNT];

typedef enum concept_part_kind {
    PART_BEAM,
    PART_PANEL,
    PART_COMPONENT,
    PART_SUSPENSION, // of a template
    PART_WHEEL,
} concept_part_kind;

typedef struct concept_part {
    const char *name;  // "frame.rail_l"; of a template "lower_arm_fl"
    const char *label; // word that bodies can be named after: "frame_rail_l"
    int assembly;      // of a template: that of its axle
    concept_part_kind kind;
    concept_role role;
    concept_moments moments; // with build-out
    bool exact;              // occupants, tanks: build-out of the assembly does not count
    double area;             // panels: of one side, m2
    double length;           // beams, m
    concept_mesh mesh;
    bool glass; // drawn so
    int side;   // 1: left of a mirrored pair, -1: right, 0: single
    // Wheels.
    double centre[3], radius, width;
    int axle;
    concept_place place;
    int body;      // merge.c; -1: ignored, or part of the ground
    bool grounded; // rigidly connected to the ground
} concept_part;

typedef struct concept_assembly {
    const char *name, *doc;
    int first, count; // of its parts; those of an assembly are in a row
    concept_place place;
} concept_assembly;

typedef enum concept_class { // what becomes of a connection
    CLASS_RIGID,             // merged
    CLASS_JOINT,             // a joint
    CLASS_SPRING,            // a spring
    CLASS_BUSHING,           // forces between two points
} concept_class;

typedef struct concept_edge {
    const char *name;
    const struct connection_kind *kind;
    int from, to;           // parts, or CONCEPT_GROUND
    double at[3], to_at[3]; // of joints both the same; springs: the two ends
    double axis[3], to_axis[3];
    const char *free; // general joint: "tx, tz"; NULL: none
    double stiffness, damping, rest;
    double stiffness_3[3], damping_3[3]; // bushing
    double length;                       // spring: relaxed
    double degressive;                   // N s/m, of a damper whose law is in `force`; 0: none
    const char *load;                    // formula of a motor; NULL: none
    const char *force;                   // formula of a spring, with %s for its name; NULL: none
    double start;                        // coordinate at the start
    bool template;                       // of a template: its name is not the user's
    int side;
    int whole[2];    // assembly + 1 that `from` and `to` stand for; 0: a part itself
    bool open;       // closure
    double min, max; // of a spring's length, for the lint; 0: none
    double limit;    // N, largest force of a spring's curve; 0: none
    concept_place place;
} concept_edge;

typedef struct concept_point {
    const char *name;
    int part;
    double at[3];
    concept_place place;
} concept_point;

typedef struct concept_constraint { // the angle of a part's joint is a formula
    const char *name;
    int part;
    const char *angle;
} concept_constraint;

typedef struct concept_axle {
    const char *name;
    const struct suspension_template *template;
    const char *suffix; // of its names: f, r; 1, 2, ...
    int wheel[2];       // parts, left and right
    double tyre_stiffness, tyre_damping, tyre_lateral;
    bool driven, steered;
    const char *spring[2]; // names of edges; NULL: none
    int carrier[2];        // parts that carry the wheels
    int chassis;           // part
    concept_place place;
} concept_axle;

struct mc_concept {
    arena memory;
    const char *file, *name, *doc;
    double ground; // m, height of the road in the axes of the vehicle
    bool ground_given;
    double brake_front; // share of the braking force at the first axle
    double end, step;   // s, of a simulation; 0: not given
    bool as_drawn;      // it begins so, not at rest
    concept_assembly *assemblies;
    concept_part *parts;
    concept_edge *edges;
    concept_point *points;
    concept_constraint *constraints;
    concept_axle axles[CONCEPT_AXLE_MAX];
    int assembly_count, part_count, edge_count, point_count, constraint_count, axle_count;
    int assembly_room, part_room, edge_room, point_room, constraint_room;
    // Bodies, after merging.
    struct concept_body *bodies;
    int body_count;
    int chassis; // body; -1: none carries an axle
    bool has_drive;
    wheel_drive drive;
    bool has_rack;
    struct concept_road *road; // NULL: plane
    double rack_stiffness, rack_damping;
};

typedef struct concept_body {
    const char *name;
    concept_moments moments;
    int heaviest; // part
    bool wheel, structural;
    int part; // the first; of a wheel: that
} concept_body;

// Room for one more at the end of an array of the concept; NULL: no memory. Zeroed.
concept_part *concept_add_part(mc_concept *c);
concept_edge *concept_add_edge(mc_concept *c);
concept_point *concept_add_point(mc_concept *c);
concept_assembly *concept_add_assembly(mc_concept *c);
concept_constraint *concept_add_constraint(mc_concept *c);
const char *concept_text(mc_concept *c, const char *format, ...)
    __attribute__((format(printf, 2, 3))); // in its memory; "" without memory

bool concept_edge_is_rigid(const concept_edge *e);

// merge.c: unites parts that rigid edges connect, until no rigid edge remains, and names the
// bodies. order: of the edges, NULL: as in the file (the result does not depend on it).
mc_status concept_merge(mc_concept *c, const int *order, mc_error *error);

// As mc_concept_parse, without merging.
mc_status concept_read(const char *text, size_t length, const char *name, mc_concept *out,
                       mc_error *error);

// "motorcade: concept"?
bool concept_is_text(const char *text, size_t length);
// The mechanism of the text of a concept, allocated in memory; for the readers of mechanisms.
mc_status concept_derive_text(const char *text, size_t length, const char *name, bool vehicle,
                              arena *memory, char **out, size_t *out_length, mc_error *error);
