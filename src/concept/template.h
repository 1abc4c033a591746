// template.h - suspension templates: what a kind of suspension is made of.
//
// A template names its hardpoints and its parts, and adds bodies and connections to the concept.
// It is called for the left side with side = 1 and again with side = -1; whatever it gives is then
// mirrored. A dependent suspension adds what both sides share when side is 0, which comes first.
// One file per template, one word in the list of templates.c.
#pragma once

#include "concept/connection.h"
#include "reader/reader.h"

enum { TEMPLATE_POINTS_MAX = 16, TEMPLATE_PARTS_MAX = 6, TEMPLATE_TABLE_MAX = 64 };

typedef struct template_point {
    const char *name, *doc;
    bool optional;
} template_point;

typedef struct template_part {
    const char *name, *doc;
    bool optional; // without it the part has no mass of its own
} template_part;

typedef struct template_table { // of a generalized suspension
    double x[TEMPLATE_TABLE_MAX], y[TEMPLATE_TABLE_MAX];
    int count;
    double compliance; // rad/(N m)
} template_table;

struct suspension;

typedef struct suspension_template {
    const char *name, *doc;
    template_point points[TEMPLATE_POINTS_MAX]; // name NULL: no more
    template_part parts[TEMPLATE_PARTS_MAX];
    bool steerable;  // has tie rods
    bool dependent;  // called with side 0 first
    int axle_count;  // 0: 1
    unsigned tables; // 1: camber, 2: toe; may have them
    void (*build)(struct suspension *s);
} suspension_template;

const suspension_template *template_at(int i); // NULL past the last

typedef struct template_spring {
    bool given;
    double stiffness, damping, length, preload, min, max, stop, bump, rebound;
    bool preloaded;
    template_table curve; // count 0: linear
} template_spring;

typedef struct template_wheel {
    double radius, width, mass, across, spin, dual;
} template_wheel;

typedef struct suspension { // one being built
    mc_concept *concept;
    reader *r;
    const yaml_node *node; // for messages
    const suspension_template *kind;
    int axle; // index; of a tandem the first
    const char *suffix;
    int side;    // 1 left, -1 right, 0 both
    int chassis; // part
    double point[TEMPLATE_POINTS_MAX][3];
    bool has_point[TEMPLATE_POINTS_MAX];
    struct {
        bool given, centred, inertia_given;
        double mass, com[3], inertia[6];
    } part[TEMPLATE_PARTS_MAX];
    int shared[4]; // parts that a dependent suspension adds first
    template_spring spring, damper;
    template_wheel wheel;
    template_table camber, toe;
    double spread;
    bool steered;
    int rack;          // part; CONCEPT_GROUND: none
    concept_edge lost; // where writes go when memory has run out
} suspension;

// ---- what a template uses; places as on the left, mirrored by the call ----

// Hardpoint by name; the template's table has it, and it is given or optional with `other`.
const double *template_place(const suspension *s, const char *name, const double other[3]);
bool template_has(const suspension *s, const char *name);

// The part `name` of the template as a body: NAME_fl; without a side NAME_f. Its hardpoints give
// mass centre and inertia if the file does not: equal masses at them.
int template_body(suspension *s, const char *name, int point_count, const char *const *points);
// A body without mass of its own.
int template_frame(suspension *s, const char *name);

concept_edge *template_edge(suspension *s, const char *name, const char *kind, int from, int to,
                            const double at[3]);
void template_axis(const suspension *s, concept_edge *e, const double from[3], const double to[3]);
void template_hinge(suspension *s, const char *name, int from, int to, const double a[3],
                    const double b[3]); // about the line from a to b
void template_rod(suspension *s, const char *name, int from, const double a[3], int to,
                  const double b[3]);
// Spring and damper of the axle between two places; either may be missing.
void template_springs(suspension *s, int from, const double top[3], int to, const double low[3],
                      const double damper_top[3], const double damper_low[3]);
void template_wheel_on(suspension *s, int carrier, const double centre[3], int axle);
// y = table(x) along a hinge: exactly, or through its compliance.
void template_follow(suspension *s, concept_edge *hinge, const template_table *table,
                     const char *travel, double sign);
