// tables.c - every table of parameters, for help and forms.
#include "motorcade/scenario.h"

#include "control/avoid.h"
#include "control/ersc.h"
#include "control/inner.h"
#include "control/link.h"
#include "parts/powertrain.h"
#include "parts/tyre.h"
#include "vehicles/types.h"

#include <math.h>

// Numbers of the sections of scenario files, as rows; a test compares them with the keys.
static const mc_param time_rows[] = {
    {"end", "s", NAN, 1e-6, 1e7, "last instant"},
    {"step", "s", 0.05, 1e-5, 1, "controller sampling interval"},
    {"record", "s", NAN, 1e-5, 1e5,
     "interval between rows of the results, a whole number of steps; default: every step"},
};
static const mc_param road_rows[] = {
    {"lanes", "-", 1, 1, 64, "lane 1 is the leftmost"},
    {"lane_width", "m", 3.4, 1, 20, "lane k has its centre at y = -(k - 1) lane_width"},
    {"headway", "s", 1, 0, 60,
     "commanded time headway: the desired gap is headway times speed plus distance"},
    {"distance", "m", 5, 0, 1000, "commanded gap at rest, bumper to bumper"},
    {"speed", "m/s", 29, 0, 150, "commanded speed"},
};
static const mc_param grade_rows[] = {
    {"from", "m", NAN, -1e7, 1e7, "where it begins"},
    {"to", "m", NAN, -1e7, 1e7, "where it ends"},
    {"grade", "rad", NAN, -0.8, 0.8, "uphill positive: an angle, or rise over run such as 4 %"},
    {"transition", "m", 20, 1e-3, 1e7,
     "length over which the slope builds up and dies out, within from .. to"},
};
static const mc_param friction_rows[] = {
    {"from", "m", NAN, -1e7, 1e7, "where it begins"},
    {"to", "m", NAN, -1e7, 1e7, "where it ends"},
    {"mu", "-", NAN, 0.001, 2, "friction relative to the dry road"},
    {"mu_right", "-", NAN, 0.001, 2,
     "the same on the right side of the road, where mu is that of the left side; default: mu"},
    {"divide", "m", 0, -1000, 1000,
     "with mu_right: where the sides meet, from the reference line to the left"},
    {"seam", "m", 0.1, 1e-3, 100,
     "with mu_right: width over which friction changes from one side to the other"},
    {"transition", "m", 1, 1e-3, 1e7,
     "length over which it builds up and dies out, within from .. to"},
};
static const mc_param contact_rows[] = {
    {"restitution", "-", 1, 0, 1, "coefficient of restitution: 1 is elastic, 0 plastic"},
    {"friction", "-", 0, 0, 10, "Coulomb friction between vehicles in contact"},
};
static const mc_param start_rows[] = {
    {"x", "m", NAN, -1e7, 1e7, "of the mass centre; of the first with count"},
    {"lane", "-", 1, 1, 64, "1 is the leftmost"},
    {"v", "m/s", NAN, -50, 150,
     "at the start; default: the profile's first speed, with a controller the roadway's, else 0"},
    {"headway", "s", NAN, 0, 60, "desired time headway; default: the controller's"},
    {"distance", "m", NAN, 0, 1000, "desired gap at rest; default: the controller's"},
};
static const mc_param drive_input_rows[] = {
    {"throttle", "-", 0, 0, 1, "0 .. 1"},
    {"brake", "-", 0, 0, 1, "0 .. 1"},
    {"steer", "rad", 0, -1, 1, "angle of the steered wheels, left positive"},
    {"acceleration", "m/s^2", 0, -30, 30, "for a car without pedals"},
};

#define ROWS(rows) rows, sizeof rows / sizeof rows[0]

static const mc_table fixed[] = {
    {"time", "", "time", ROWS(time_rows)},
    {"road", "", "the road", ROWS(road_rows)},
    {"grade", "", "a stretch of slope", ROWS(grade_rows)},
    {"friction", "", "a stretch of friction", ROWS(friction_rows)},
    {"contact", "", "contact of vehicles", ROWS(contact_rows)},
    {"vehicle", "desired", "a vehicle", ROWS(start_rows)},
    {"pedals", "", "what a driver does", ROWS(drive_input_rows)},
    {"inner", "inner", "inner loop from desired acceleration to pedals", inner_params,
     INNER_PARAM_COUNT},
    {"radio", "radio", "radio of a controller", link_params, LINK_PARAM_COUNT},
    {"sensor", "sensor", "range sensor of a controller", sensor_params, SENSOR_PARAM_COUNT},
    {"avoid", "avoid", "collision avoidance", avoid_params, AVOID_PARAM_COUNT},
    {"ersc", "", "the ERSC", ersc_params, ERSC_PARAM_COUNT},
};
enum { FIXED_COUNT = sizeof fixed / sizeof fixed[0] };

// ---- of vehicle types ----

static bool has_table(const mc_model_key *key)
{
    return key->form == MC_KEY_FORM_MAP || (key->form == MC_KEY_FORM_NUMBERS && key->name);
}

static int missing(const mc_model_key *key) // rows of the table that the type does not have
{
    int count = 0;
    for (int i = 0; i < key->count; i++)
        count += !vehicle_has_row(key, i);
    return count;
}

// Whether the rows of b are rows of a, too, and a is the one to show.
static bool covers(const mc_model_key *a, const mc_model_key *b)
{
    if (!has_table(a) || a->rows > b->rows || a->rows + a->count < b->rows + b->count)
        return false;
    if (a->count != b->count)
        return true;
    return missing(a) != missing(b) ? missing(a) < missing(b) : a < b;
}

// Every table is shown once: by the type that has most of it.
static bool is_shown(const mc_model_key *key)
{
    const mc_vehicle_type *type;
    for (int t = 0; (type = mc_vehicle_type_at(t)); t++)
        for (int k = 0; k < type->key_count; k++)
            if (&type->keys[k] != key && covers(&type->keys[k], key))
                return false;
    return has_table(key);
}

// Table number *index of the types; else *index is counted down by those there are.
static bool type_table(int *index, mc_table *out)
{
    const mc_vehicle_type *type;
    for (int t = 0; (type = mc_vehicle_type_at(t)); t++)
        for (int k = 0; k < type->key_count; k++) {
            const mc_model_key *key = &type->keys[k];
            if (!is_shown(key) || (*index)-- > 0)
                continue;
            const bool map = key->form == MC_KEY_FORM_MAP;
            *out = (mc_table){map ? key->name : type->name, key->name, map ? key->doc : type->doc,
                              key->rows, key->count};
            return true;
        }
    return false;
}

bool mc_table_at(int index, mc_table *out)
{
    if (index < 0)
        return 0;
    if (index < FIXED_COUNT) {
        *out = fixed[index];
        return 1;
    }
    index -= FIXED_COUNT;
    if (type_table(&index, out))
        return 1;
    const powertrain_kind *p;
    for (int i = 0; (p = powertrain_kind_at(i)); i++)
        if (index-- == 0) {
            *out = (mc_table){p->name, "powertrain", "a powertrain", p->params, p->param_count};
            return 1;
        }
    const tyre_kind *t = tyre_kind_at(index);
    if (!t)
        return 0;
    *out = (mc_table){t->name, "tyre", "a tyre law", t->params, t->param_count};
    return 1;
}
