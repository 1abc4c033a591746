// concept.h - vehicle concepts: an arrangement of parts, what connects them, and what follows from
// it: dimensions, masses, and a mechanism.
//
//     mc_concept *truck = mc_concept_load("concepts/truck_5t.yaml", &error);
//     mc_concept_dimensions size;
//     mc_concept_measure(truck, &size);
//     char *text = mc_concept_mechanism(truck, NULL, &error);      // YAML
//     puts(text); // or mc_multibody_parse(text, ...): multibody.h
//     free(text);
//     mc_concept_free(truck);
//
// Wherever a mechanism file can be used, a concept file can be, too: the readers derive it. SI; x
// forward, y left, z up, in the axes of the file. docs/concept.md explains the files.
//
// Threads: a concept does not change after it is loaded.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stdio.h>

#include "motorcade/begin.h"

typedef struct mc_concept mc_concept;

mc_concept *mc_concept_load(const char *path, mc_error *error); // NULL: see *error
mc_concept *mc_concept_parse(const char *text, const char *name, mc_error *error);
void mc_concept_free(mc_concept *c);

// Whether a file begins with the key "motorcade: concept". false also when it cannot be read.
bool mc_concept_is_file(const char *path);
bool mc_concept_is_text(const char *text); // the same of text in memory
// The JSON Schema of concept files.
mc_status mc_concept_write_schema(FILE *out, mc_error *error);

const char *mc_concept_name(const mc_concept *c);

// ---- masses ------------------------------------------------------------------------------------

typedef struct mc_concept_mass {
    const char *name;
    const char *kind;  // of a part: beam, panel, component, link, wheel; "" otherwise
    const char *group; // of a part: its assembly, or its axle; of a body: ""
    double mass;       // kg, with build-out
    double centre[3];  // m
    double inertia[6]; // kg m2 about the centre: xx yy zz xy xz yz (tensor)
    double area;       // m2, of a panel, one side
    double length;     // m, of a beam
} mc_concept_mass;

// Element i; false: no more. Parts that are ignored are not among them. Bodies: what rigid
// connections unite.
bool mc_concept_part(const mc_concept *c, int i, mc_concept_mass *out);
bool mc_concept_assembly(const mc_concept *c, int i, mc_concept_mass *out);
bool mc_concept_body(const mc_concept *c, int i, mc_concept_mass *out);
void mc_concept_whole(const mc_concept *c, mc_concept_mass *out);

// ---- dimensions --------------------------------------------------------------------------------

enum { MC_CONCEPT_AXLE_MAX = 8 };

typedef struct mc_concept_dimensions {
    double length, width, height; // m, over all parts that are not inertia only
    double wheelbase;             // m, from the first to the last axle; 0: fewer than two
    double clearance;             // m, of anything but wheels and what turns with suspensions
    double approach, departure;   // rad, in front of and behind the wheels; NAN: no wheels
    double break_over;            // rad, between the two axles with the largest gap; NAN
    double frontal_area;          // m2, outline seen from the front, within 0.5 %
    double panel_area;            // m2, one side
    int axle_count;
    struct {
        const char *name;
        double x, track; // m
        double radius;   // m
        bool driven, steered, dual;
    } axle[MC_CONCEPT_AXLE_MAX];
    double ground; // m, height of the road in the axes of the file
} mc_concept_dimensions;

void mc_concept_measure(const mc_concept *c, mc_concept_dimensions *out);

// ---- road --------------------------------------------------------------------------------------

typedef struct mc_concept_bump {
    const char *name;          // of the file; those of one name are repeated
    double at, length, height; // m, in front of the first axle at t = 0
    bool ramp;                 // stays up
    int side;                  // 1: left, -1: right, 0: both
} mc_concept_bump;
bool mc_concept_bump_at(const mc_concept *c, int i, mc_concept_bump *out); // false: no more
double mc_concept_speed(const mc_concept *c); // m/s, of the road; 0: the concept has none

// ---- graph -------------------------------------------------------------------------------------

typedef struct mc_concept_edge {
    const char *name, *kind;
    int from, to;           // parts; -1: the ground
    int from_body, to_body; // bodies; equal: united
    bool rigid;
} mc_concept_edge;
bool mc_concept_connection(const mc_concept *c, int i, mc_concept_edge *out);
int mc_concept_body_of(const mc_concept *c, int part); // parts as of mc_concept_part
// Which shape of its body a part is in the derived mechanism (mc_multibody_shape); -1: none.
int mc_concept_shape_of(const mc_concept *c, int part);

// ---- mechanism ---------------------------------------------------------------------------------

typedef enum mc_concept_cut { // what becomes of the rest when a part of a vehicle is derived
    MC_CONCEPT_CUT_GROUND,    // it stands still
    MC_CONCEPT_CUT_FREE,      // it is left out, with its connections
    MC_CONCEPT_CUT_MOTION,    // bodies at the other ends of cut connections move as prescribed
} mc_concept_cut;

typedef struct mc_concept_start { // a coordinate or velocity where a run begins
    char name[112];               // chassis.z, wheel_fl.angle_rate
    double value;
} mc_concept_start;

typedef struct mc_concept_options { // NULL or all zero: the whole vehicle on its tyres
    bool vehicle;     // without tyre springs, for scenarios, which have tyres of their own
    bool wheels;      // wheels on the ground (key `wheels`) instead of tyre springs, for impulses
    const char *only; // an assembly, with what is rigidly connected to it; NULL: everything
    mc_concept_cut cut;
    // MC_CONCEPT_CUT_MOTION: "chassis.tz=FORMULA" of t, for tx ty tz (m, from where the body is
    // drawn) and rx ry rz (rad, in this order about axes turned so far); others stay 0.
    const char *const *motion;
    int motion_count;
    bool recorded; // polynomials whose coefficients are inputs, for mc_concept_repeat
    // With wheels: the target speed of the driven wheels, m/s, and the share of the brakes, 0 .. 1,
    // as formulas of t; NULL: none. The file needs a drive.
    const char *target, *brake;
    const double *rolling;         // m, over which the target is taken, by axle; NULL: free radii
    const mc_concept_start *start; // NULL: as drawn, at rest
    int start_count;
    const char *tail;        // further keys of the mechanism, as text; NULL: none
    const char *axle;        // one suspension with its chassis fixed, for a rig; NULL: none
    const char *const *open; // closures that are open, whatever the file says
    int open_count;
} mc_concept_options;

// The mechanism as YAML, in the language of docs/modelling.md; freed by the caller. NULL: see
// *error.
char *mc_concept_mechanism(const mc_concept *c, const mc_concept_options *options, mc_error *error);

// ---- on its wheels -----------------------------------------------------------------------------

// Load of each axle, N. By equilibrium on the tyres if all axles have tyre springs, or else, with
// two axles, from the mass centre as drawn. MC_FAILED: neither, or no equilibrium.
typedef struct mc_concept_loads {
    int axle_count;
    double load[MC_CONCEPT_AXLE_MAX];
    bool settled;                     // by equilibrium
    double sink[MC_CONCEPT_AXLE_MAX]; // m, of the left hub below where it is drawn; settled
} mc_concept_loads;
mc_status mc_concept_stand(const mc_concept *c, mc_concept_loads *out, mc_error *error);

// What may be wrong although the file can be read: mass ratios, sizes that look like wrong units,
// hardpoints far from their wheels, springs whose equilibrium is beyond a stop. Finding by finding;
// a text per call. Returns how many.
int mc_concept_lint(const mc_concept *c, void (*finding)(void *context, const char *text),
                    void *context);

// A run on the ground: the vehicle in equilibrium on its tyres, then rolling at `speed`.
typedef struct mc_concept_ride {
    double speed;       // m/s
    const char *target; // m/s, of the driven wheels, a formula of t; NULL: the speed, if the file
                        // has a drive
    const char *brake;  // 0 .. 1, a formula of t; NULL: none
    // A terrain file (docs/terrain.md), level under the start; NULL: the bumps of the concept's
    // road, or z = 0.
    const char *terrain;
} mc_concept_ride;

// The mechanism of the run as YAML, for both engines; freed by the caller. NULL: see *error.
char *mc_concept_ride_mechanism(const mc_concept *c, const mc_concept_ride *ride, mc_error *error);

// Both graphs, of parts and of bodies, as SVG.
mc_status mc_concept_draw_graph(const mc_concept *c, const char *path, mc_error *error);

// The whole vehicle is run from its start, an assembly alone is driven by what it is connected to,
// and both are compared. The rest must be the chassis; what is at the other end of its connections.
typedef struct mc_concept_repeat_report {
    int row_count, coordinate_count; // compared
    double largest;                  // m or rad, largest difference of a coordinate
    char worst[128];                 // whose
    double moved;                    // m or rad, how far that coordinate goes in the full run
} mc_concept_repeat_report;
mc_status mc_concept_repeat(const mc_concept *c, const char *only, double end, double step,
                            mc_concept_repeat_report *out, mc_error *error);

// ---- templates ---------------------------------------------------------------------------------

typedef struct mc_concept_template {
    const char *name, *doc;
} mc_concept_template;
bool mc_concept_template_at(int i, mc_concept_template *out);
// Kind i of connections; false: no more.
bool mc_concept_connection_kind_at(int i, const char **name, const char **doc);
// Hardpoint k of template i; false: no more.
bool mc_concept_hardpoint_at(int i, int k, const char **name, const char **doc, bool *needed);

#include "motorcade/end.h"
