// planar.c - the type of a car in the plane on four wheels with spin.
#include "vehicles/planar.h"

#include "base/gravity.h"
#include "parts/axle_slip.h"
#include "vehicles/gear.h"

#include <math.h>

static const mc_model_key keys[] = {
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(planar_spec, model.body),
     .rows = &car_params[CAR_MASS],
     .count = BODY_COUNT,
     .live = MC_LIVE(BODY_MASS)},
    GEAR_TOLD_KEYS(planar_spec, acceleration, model.nominal_mass),
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(planar_spec, model.axle),
     .rows = &car_params[CAR_FRONT],
     .count = 2},
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(planar_spec, model.p),
     .rows = planar_params,
     .count = PLANAR_PARAM_COUNT},
    {.name = "model",
     .form = MC_KEY_FORM_NUMBERS,
     .at = offsetof(planar_spec, model.layout),
     .rows = &car_params[CAR_CG_HEIGHT],
     .count = LAYOUT_COUNT},
    GEAR_KEYS(planar_spec, model.gear, 0),
};
_Static_assert((int)CAR_MASS == (int)BODY_MASS && (int)CAR_LENGTH == (int)BODY_LENGTH &&
                   (int)CAR_WIDTH == (int)BODY_WIDTH && (int)CAR_HEIGHT == (int)BODY_HEIGHT &&
                   (int)CAR_YAW_INERTIA == (int)BODY_YAW_INERTIA && CAR_REAR == CAR_FRONT + 1 &&
                   CAR_STEER_MAX - CAR_CG_HEIGHT == LAYOUT_STEER_MAX - LAYOUT_CG &&
                   CAR_STEER_LAG - CAR_CG_HEIGHT == LAYOUT_STEER_LAG,
               "rows of cars");

static void init(void *spec)
{
    ((planar_spec *)spec)->model.gear.driven = true; // every vehicle of a scenario is
}

static mc_status check(mc_section *section, void *in)
{
    const double order = ((const planar_spec *)in)->model.p[PLANAR_ORDER];
    if (order != 2.0 && order != 4.0)
        return mc_section_reject(section, "order", "order is %g; expected 2 or 4", order);
    return gear_check(section, in);
}

// Steady turns; axles as stiff as both tyres under the loads of rest.
static void tell_axles(const planar_model *m, mc_vehicle_facts *out)
{
    const double mass = m->body[BODY_MASS], wheelbase = m->axle[0] + m->axle[1];
    const double share[2] = {m->axle[1] / wheelbase, m->axle[0] / wheelbase};
    const double roll[2] = {m->p[PLANAR_ROLL_FRONT], 1.0 - m->p[PLANAR_ROLL_FRONT]};
    double *slip[2] = {out->turn_front, out->turn_rear};
    double *stiff[2] = {&out->stiff_front, &out->stiff_rear};
    for (int k = 0; k < 2; k++) {
        const axle_turn axle = {.load = share[k] * mass * GRAVITY,
                                .force = share[k] * mass,
                                .transfer = roll[k] * m->layout[LAYOUT_CG] * mass /
                                            m->p[PLANAR_TRACK_FRONT + k]};
        axle_slip(tyre_for_spin(m->gear.tyre), m->gear.tyre_p, &axle, MC_TURN_STEP, MC_TURN_COUNT,
                  slip[k]);
        *stiff[k] = slip[k][0] > 0.0 ? axle.force / slip[k][0] : 0.0;
    }
}

static void facts(const void *from, mc_vehicle_facts *out)
{
    const planar_spec *spec = from;
    const planar_model *m = &spec->model;
    *out = (mc_vehicle_facts){
        .length = m->body[BODY_LENGTH],
        .width = m->body[BODY_WIDTH],
        .height = m->body[BODY_HEIGHT],
        .mass = m->body[BODY_MASS],
        .nominal_mass = isnan(m->nominal_mass) ? m->body[BODY_MASS] : m->nominal_mass,
        .max_acceleration = spec->acceleration * GRAVITY,
        .max_brake = m->gear.drive[DRIVE_BRAKE_MAX] * GRAVITY,
        .pedals = true,
        .front = m->axle[0],
        .rear = m->axle[1],
        .yaw_inertia = m->body[BODY_YAW_INERTIA],
    };
    tell_axles(m, out);
}

static bool same_state(const void *a, const void *b)
{
    const running_gear *m = &((const planar_spec *)a)->model.gear;
    const running_gear *n = &((const planar_spec *)b)->model.gear;
    return tyre_same_states(m->tyre, n->tyre) && m->powertrain == n->powertrain;
}

static mc_batch *create(const mc_vehicle_start *starts, int count, const mc_vehicle_setup *setup,
                        mc_error *error)
{
    const planar_spec *spec = starts[0].spec;
    mc_batch *batch = planar_batch_create(&spec->model, count, setup->step);
    if (!batch) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the vehicles");
        return NULL;
    }
    batch->kind->set_road(batch, setup->road);
    for (int k = 0; k < count; k++) {
        const mc_vehicle_start *s = &starts[k];
        planar_batch_place(batch, k, s->x, s->y, s->heading, s->v);
    }
    return batch;
}

const mc_vehicle_type vehicle_planar = {
    .name = "planar",
    .doc = "a car in the plane on four wheels with spin, load transfer and any tyre law",
    .kind = &planar_kind,
    .spec_size = sizeof(planar_spec),
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .init = init,
    .check = check,
    .facts = facts,
    .create = create,
    .alone = 64,
    .asks_road = true,
    .same_state = same_state,
};
