// vehicle_type.h - a type of vehicle that scenarios can name: one row.
//
// The row says what a user may write about a model of this type, and creates vehicles from it.
// Everything else follows from it: what scenario files may say, messages, JSON schema, --set and
// sweeps, events, live commands, cards and forms of the studio. How a vehicle moves is its kind
// (vehicle_model.h).
//
//     typedef struct cart { double p[2]; } cart;                   // the spec: what a model says
//     static const mc_param rows[] = {{"mass", "kg", 800, 10, 1e4, "of all of it"},
//                                     {"length", "m", 3, 0.5, 20, "bumper to bumper"}};
//     static const mc_model_key keys[] = {
//         {.name = "model", .form = MC_KEY_FORM_NUMBERS, .at = offsetof(cart, p), .rows = rows,
//          .count = 2, .live = MC_LIVE(0)},                        // mass can change during a run
//     };
//     static const mc_vehicle_type type = {
//         .size = sizeof(mc_vehicle_type), .kind_size = sizeof(mc_vehicle_kind),
//         .name = "cart", .doc = "a block on wheels", .kind = &cart_kind,
//         .spec_size = sizeof(cart), .keys = keys, .key_count = 1,
//         .facts = cart_facts, .create = cart_create,
//     };
//     mc_vehicle_type_register(&type, &error);
//
// Then a scenario may say  models: {light: {kind: cart, mass: 600 kg}}.
//
// A spec is plain memory: models are copied byte by byte (key `like`), and the library writes into
// it what the keys say. Before keys are read, numbers have their defaults and the rest is zero.
//
// What happens when a model is read:
// 1. init, if there is one. With `like`, the spec is then a copy of the other model's; of a
//    model of another type, numbers with the same names are taken.
// 2. Texts, whole numbers and files of the keys are put into the spec.
// 3. load, if there is one: fills the spec from files. Not for a copy that names no file.
// 4. Numbers and tyres of the keys: they are put over what load did.
// 5. check, if there is one: what the ranges of single numbers cannot say.
//
// Threads: functions of a row may be called by several threads at once, each with another spec.
// mc_vehicle_type_register may be called by any thread; scenarios that are read afterwards know the
// type.
#pragma once

#include "motorcade/param.h"
#include "motorcade/road.h"
#include "motorcade/status.h"
#include "motorcade/tyre.h"
#include "motorcade/vehicle_model.h"

#include <stdbool.h>
#include <stddef.h>

#include "motorcade/begin.h"

// ---- what a model may say ----------------------------------------------------------------------

// A file that a model names: read with the scenario, which keeps it. Types open nothing.
typedef struct mc_file {
    const char *path;  // from the working directory, for messages
    const char *bytes; // all of it, followed by a '\0' that is not counted
    size_t size;
    unsigned long long hash; // of the bytes
} mc_file;

typedef enum mc_key_form {
    MC_KEY_FORM_NUMBERS, // the rows are keys of the model itself; at: double[count]
    MC_KEY_FORM_MAP,     // a map whose keys are the rows; at: double[count]
    MC_KEY_FORM_WHOLE,   // a whole number by rows[0]; at: int
    MC_KEY_FORM_TEXT,    // at: const char *; NULL: not given
    MC_KEY_FORM_FILE,    // the path of a file; at: const mc_file *; NULL: not given
    MC_KEY_FORM_TYRE,    // a tyre law with its parameters; at: const mc_tyre *, values: double[48]
    MC_KEY_FORM_COUNT
} mc_key_form;

typedef struct mc_model_key {
    // The word in a file. With MC_KEY_FORM_NUMBERS, the group of its rows in cards and commands,
    // such as "model" for "model.mass"; NULL: they are only keys of files.
    const char *name;
    mc_key_form form;
    const char *doc; // one line for the manual; not of MC_KEY_FORM_NUMBERS, whose rows have theirs
    size_t at;       // offset in the spec of what the form says
    size_t values;   // the same, of a tyre's parameters
    const mc_param *rows;
    int count; // at most 64
    bool needed;
    // Bit k is for row k. Two types may share a table of which one does not have every row.
    unsigned long long live;      // can be changed while a vehicle runs, by set_param of the kind
    unsigned long long without;   // the type does not have it
    unsigned long long from_file; // load sets it: not a key, but cards and --set have it
} mc_model_key;

#define MC_LIVE(row) (1ull << (row))
#define MC_LIVE_ALL (~0ull)

// Rows of these names are what controllers are told of a vehicle. A run follows them itself when
// they are live, whether the kind knows them or not.
#define MC_ROW_MAX_ACCELERATION "max_acceleration" // g
#define MC_ROW_MAX_BRAKE "max_brake"               // g
#define MC_ROW_MAX_DECELERATION "max_deceleration" // g; the smaller of the two is the limit
#define MC_ROW_NOMINAL_MASS "nominal_mass"         // kg
// A dead time, s, that linear models take out of the equations where get_param of the kind knows
// it.
#define MC_ROW_BRAKE_DELAY "brake_delay"

// The model that is being read, for load and check.
typedef struct mc_section mc_section;

// Whether a key is given: "file", "drive.brake_front".
bool mc_section_has(const mc_section *section, const char *key);
// Says what is wrong, at the place of the key (NULL: of the model), and returns MC_BAD_INPUT.
mc_status mc_section_reject(mc_section *section, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// For functions that fill an mc_error themselves; load and check return their status.
mc_error *mc_section_error(mc_section *section);
// Zeroed memory that lives as long as the scenario; NULL: none is left, which is said already.
void *mc_section_alloc(mc_section *section, size_t size);

// ---- what the rest of the program must know ----------------------------------------------------

enum { MC_TURN_COUNT = 10 };
#define MC_TURN_STEP 1.0 // m/s^2

typedef struct mc_vehicle_facts {
    double length, width, height; // m, of its outline
    double mass;                  // kg
    double nominal_mass;          // kg, that control laws are told
    double max_acceleration;      // m/s^2, that controllers may ask for
    double max_brake;             // m/s^2, the same, as a positive number
    bool pedals;                  // driven by throttle and brake; else by mc_inputs.acceleration
    bool immediate;               // without pedals: the acceleration is there at once
    bool deformable;              // its surface changes
    // Why the friction of the road does nothing to it, "is a point car", and what would help; both
    // may be NULL.
    const char *no_friction, *friction_hint;
    // What steering laws are told: the axles and how stiff they are sideways. 0: not known.
    double front, rear;             // m, mass centre to the axles
    double yaw_inertia;             // kg m^2
    double stiff_front, stiff_rear; // N/rad, of both tyres together
    // Steady turns of a vehicle whose tyres are not linear, on a dry road: slip angle of an axle
    // over lateral acceleration, rad/(m/s^2), at 0, MC_TURN_STEP, 2 MC_TURN_STEP ... All 0: linear.
    double turn_front[MC_TURN_COUNT], turn_rear[MC_TURN_COUNT];
} mc_vehicle_facts;

// ---- creating vehicles -------------------------------------------------------------------------

typedef struct mc_vehicle_start {
    const void *spec;
    double x, y, heading, v; // m, m, rad, m/s: mass centre, in the axes of mc_motion
    double a;                // m/s^2, of a vehicle that was already moving
    bool restored;           // its saved state is restored next: nothing has to settle
} mc_vehicle_start;

typedef struct mc_vehicle_setup {
    size_t size;         // sizeof(mc_vehicle_setup) of the library
    const mc_road *road; // outlives the batch, or is replaced by set_road
    double step;         // s, between two inputs
    double max_step;     // s, longest inner step that contact allows
    double time;         // s, of the run
} mc_vehicle_setup;

typedef struct mc_vehicle_type {
    // ---- required ----
    size_t size, kind_size;      // sizeof(mc_vehicle_type), sizeof(mc_vehicle_kind)
    const char *name, *doc;      // the word of `kind:` in a scenario; one line for the manual
    const mc_vehicle_kind *kind; // of the batches; all that scenarios drive by must be there
    size_t spec_size;            // bytes
    void (*facts)(const void *spec, mc_vehicle_facts *out);
    // A batch of vehicles whose specs may share one, placed on the road. NULL: see *error.
    mc_batch *(*create)(const mc_vehicle_start *starts, int count, const mc_vehicle_setup *setup,
                        mc_error *error);

    // ---- optional ----
    const mc_model_key *keys;
    int key_count;
    void (*init)(void *spec);
    mc_status (*load)(mc_section *section, void *spec);
    mc_status (*check)(mc_section *section, void *spec);
    // Further names that set_param of the kind knows, of any value; NULL past the last.
    const char *(*extra)(const void *spec, int index);
    // May vehicles of two models share a batch? NULL: only those of one model.
    bool (*same_batch)(const void *a, const void *b);
    // Parameters belong to the batch: in a scenario of at most so many vehicles each gets a batch
    // of its own, so that they can be changed while it runs. 0: every vehicle has its own
    // parameters.
    int alone;
    // Can the saved state of a vehicle of one model be restored in one of the other, of the same
    // outline and with a state of the same size? NULL: yes.
    bool (*same_state)(const void *a, const void *b);
    bool asks_road;   // slope, bank and friction act on it on roads with curves, too (mc_road_at)
    const char *look; // of models that do not say: a word of the key `look`; NULL: "car"
} mc_vehicle_type;

// Adds a type, which must live as long as the program. MC_BAD_INPUT: it breaks a rule above, its
// name is taken, or a key of it means something else in another type.
mc_status mc_vehicle_type_register(const mc_vehicle_type *type, mc_error *error);

// Type number `index`: those of the library in the order of the manual, then those that were added.
// NULL past the last.
const mc_vehicle_type *mc_vehicle_type_at(int index);
const mc_vehicle_type *mc_vehicle_type_default(void); // of models that do not say

#include "motorcade/end.h"
