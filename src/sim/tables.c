// tables.c - every table of parameters, for help and forms.
#include "motorcade/scenario.h"

#include "cars/car.h"
#include "control/avoid.h"
#include "control/inner.h"
#include "control/link.h"
#include "cosserat/model.h"
#include "parts/powertrain.h"
#include "parts/tyre.h"
#include "parts/tyre_vertical.h"

#include <math.h>

// Numbers of the sections of scenario files, as rows; a test compares them with the keys.
static const mc_param time_rows[] = {
    {"end", "s", NAN, 1e-6, 1e7, "last instant"},
    {"step", "s", 0.05, 1e-5, 1, "between two looks of the controllers"},
    {"record", "s", NAN, 1e-5, 1e5,
     "between rows of the result: a whole number of steps; every step if left out"},
};
static const mc_param road_rows[] = {
    {"lanes", "-", 1, 1, 64, "lane 1 is the leftmost"},
    {"lane_width", "m", 3.4, 1, 20, "lane k has its centre at y = -(k - 1) lane_width"},
    {"headway", "s", 1, 0, 60,
     "commanded time headway: the wanted gap is headway times speed plus distance"},
    {"distance", "m", 5, 0, 1000, "commanded gap at rest, bumper to bumper"},
    {"speed", "m/s", 29, 0, 150, "commanded speed"},
};
static const mc_param grade_rows[] = {
    {"from", "m", NAN, -1e7, 1e7, "where it begins"},
    {"to", "m", NAN, -1e7, 1e7, "where it ends"},
    {"grade", "rad", NAN, -0.8, 0.8, "uphill positive: an angle, or rise over run such as 4 %"},
    {"transition", "m", 20, 1e-3, 1e7,
     "road over which the slope comes and goes, within from .. to"},
};
static const mc_param friction_rows[] = {
    {"from", "m", NAN, -1e7, 1e7, "where it begins"},
    {"to", "m", NAN, -1e7, 1e7, "where it ends"},
    {"mu", "-", NAN, 0.001, 2, "friction relative to the dry road"},
    {"transition", "m", 1, 1e-3, 1e7, "road over which it comes and goes, within from .. to"},
};
static const mc_param contact_rows[] = {
    {"restitution", "-", 1, 0, 1, "of a touch: 1 keeps the energy, 0 none of the approach"},
    {"friction", "-", 0, 0, 10, "Coulomb friction between vehicles that touch"},
};
static const mc_param vehicle_rows[] = {
    {"x", "m", NAN, -1e7, 1e7, "of the mass centre; of the first with count"},
    {"lane", "-", 1, 1, 64, "1 is the leftmost"},
    {"v", "m/s", NAN, -50, 150,
     "at the start; if left out the profile's first speed, with a controller the roadway's, else "
     "0"},
    {"headway", "s", NAN, 0, 60, "wanted time headway; the controller's if left out"},
    {"distance", "m", NAN, 0, 1000, "wanted gap at rest; the controller's if left out"},
};
static const mc_param drive_input_rows[] = {
    {"throttle", "-", 0, 0, 1, "0 .. 1"},
    {"brake", "-", 0, 0, 1, "0 .. 1"},
    {"steer", "rad", 0, -1, 1, "angle of the steered wheels, left positive"},
    {"acceleration", "m/s^2", 0, -30, 30, "for a point car, which has no pedals"},
};

#define ROWS(rows) rows, sizeof rows / sizeof rows[0]

static const mc_table fixed[] = {
    {"time", "time", ROWS(time_rows)},
    {"road", "the road", ROWS(road_rows)},
    {"grade", "a stretch of slope", ROWS(grade_rows)},
    {"friction", "a stretch of friction", ROWS(friction_rows)},
    {"contact", "contact of vehicles", ROWS(contact_rows)},
    {"vehicle", "a vehicle", ROWS(vehicle_rows)},
    {"pedals", "what a driver does", ROWS(drive_input_rows)},
    {"car", "a model: point and powertrain", car_params, CAR_PARAM_COUNT},
    {"cosserat", "a model: deformable", cosserat_params, COSSERAT_PARAM_COUNT},
    {"drive", "wheels, brakes and axles of a model", drive_params, DRIVE_PARAM_COUNT},
    {"wheels", "tyres across the road, multibody", vertical_params, VERTICAL_PARAM_COUNT},
    {"inner", "from wanted acceleration to pedals", inner_params, INNER_PARAM_COUNT},
    {"radio", "radio of a controller", link_params, LINK_PARAM_COUNT},
    {"sensor", "range sensor of a controller", sensor_params, SENSOR_PARAM_COUNT},
    {"avoid", "collision avoidance", avoid_params, AVOID_PARAM_COUNT},
};
enum { FIXED_COUNT = sizeof fixed / sizeof fixed[0] };

int mc_table_at(int index, mc_table *out)
{
    if (index < 0)
        return 0;
    if (index < FIXED_COUNT) {
        *out = fixed[index];
        return 1;
    }
    index -= FIXED_COUNT;
    int powertrains = 0;
    while (powertrain_kind_at(powertrains))
        powertrains++;
    if (index < powertrains) {
        const powertrain_kind *p = powertrain_kind_at(index);
        *out = (mc_table){p->name, "a powertrain", p->params, p->param_count};
        return 1;
    }
    const tyre_kind *t = tyre_kind_at(index - powertrains);
    if (!t)
        return 0;
    *out = (mc_table){t->name, "a law of tyres", t->params, t->param_count};
    return 1;
}
