// motion.c - a mechanism moved to given times, its energy monitored.
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double row = 0.02; // s, longest interval between samples of the energy

// ---- the problem -------------------------------------------------------------------------------

static ode_answer rate(void *context, double t, const double *y, double *dy)
{
    const verify_motion *motion = context;
    mc_multibody_rate(motion->m, t, y, NULL, dy);
    return ODE_OK;
}

static ode_answer jacobian(void *context, double t, const double *y, double *entry)
{
    const verify_motion *motion = context;
    mc_error ignored;
    return mc_multibody_jacobian(motion->m, t, y, entry, NULL, &ignored) == MC_OK ? ODE_OK
                                                                                  : ODE_FAILED;
}

static void project(void *context, double t, double *y, bool step)
{
    (void)step;
    const verify_motion *motion = context;
    mc_multibody_project(motion->m, t, y);
}

// Takes time, state, outputs and energy of an instant.
static void look(verify_motion *motion, double t, const double *y)
{
    memcpy(motion->y, y, (size_t)mc_multibody_info_of(motion->m)->y_count * sizeof *y);
    motion->time = t;
    mc_multibody_outputs(motion->m, t, motion->y, motion->out);
    double energy = motion->out[motion->energy];
    if (motion->lost >= 0)
        energy += motion->y[motion->lost];
    if (!motion->started)
        motion->energy_start = energy;
    motion->started = true;
    motion->max_energy = fmax(motion->max_energy, fmax(fabs(energy), motion->out[motion->kinetic]));
    motion->energy_change = fmax(motion->energy_change, fabs(energy - motion->energy_start));
}

// ---- opening -----------------------------------------------------------------------------------

// Place of a quantity in y or in out.
static mc_status place(const verify_motion *motion, const char *name, bool *in_y, int *index,
                       mc_error *error)
{
    const mc_multibody_info *info = mc_multibody_info_of(motion->m);
    mc_quantity quantity;
    const mc_status status = mc_multibody_find(motion->m, name, &quantity, index, error);
    if (status != MC_OK)
        return status;
    *in_y = quantity != MC_QUANTITY_OUTPUT;
    if (quantity == MC_QUANTITY_VELOCITY)
        *index += info->q_count;
    else if (quantity == MC_QUANTITY_STATE)
        *index += info->q_count + info->v_count;
    else if (quantity != MC_QUANTITY_COORDINATE && quantity != MC_QUANTITY_OUTPUT)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "\"%s\" does not change in a run",
                            name);
    return MC_OK;
}

static mc_status find_energy(verify_motion *motion, mc_error *error)
{
    bool in_y;
    mc_status status = place(motion, "energy.total", &in_y, &motion->energy, error);
    if (status == MC_OK)
        status = place(motion, "energy.kinetic", &in_y, &motion->kinetic, error);
    mc_error ignored;
    if (status == MC_OK &&
        (place(motion, "lost", &in_y, &motion->lost, &ignored) != MC_OK || !in_y))
        motion->lost = -1;
    return status;
}

static mc_status make_ode(verify_motion *motion, const char *method, double tolerance,
                          mc_error *error)
{
    ode_kind kind;
    if (!ode_kind_find(method, &kind))
        return mc_error_set(error, MC_FAILED, NULL, 0, 0, "unknown method \"%s\"", method);
    ode_options options = ode_options_default();
    options.rtol = options.atol = tolerance;
    const ode_problem problem = {.n = mc_multibody_info_of(motion->m)->y_count,
                                 .context = motion,
                                 .rate = rate,
                                 .jacobian = jacobian,
                                 .project = project};
    motion->o = ode_create(&kind, &problem, &options, error);
    return motion->o ? MC_OK : error->code;
}

mc_status verify_motion_open(verify_motion *motion, const char *model, const char *name,
                             const char *method, double tolerance, mc_error *error)
{
    *motion = (verify_motion){.lost = -1};
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    motion->m = mc_multibody_parse(model, name, &options, error);
    if (!motion->m)
        return error->code;
    const mc_multibody_info *info = mc_multibody_info_of(motion->m);
    motion->y = calloc((size_t)info->y_count, sizeof *motion->y);
    motion->out = calloc((size_t)info->output_count, sizeof *motion->out);
    mc_status status = motion->y && motion->out
                           ? MC_OK
                           : mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory");
    if (status == MC_OK)
        status = find_energy(motion, error);
    if (status == MC_OK)
        status = make_ode(motion, method, tolerance, error);
    if (status == MC_OK)
        mc_multibody_start(motion->m, motion->y);
    else
        verify_motion_close(motion);
    return status;
}

void verify_motion_close(verify_motion *motion)
{
    ode_free(motion->o);
    mc_multibody_free(motion->m);
    free(motion->y);
    free(motion->out);
    *motion = (verify_motion){.lost = -1};
}

// ---- moving ------------------------------------------------------------------------------------

mc_status verify_motion_put(verify_motion *motion, const char *name, double value, mc_error *error)
{
    bool in_y;
    int index;
    const mc_status status = place(motion, name, &in_y, &index, error);
    if (status == MC_OK && !in_y)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "\"%s\" has no start value", name);
    if (status == MC_OK)
        motion->y[index] = value;
    return status;
}

static mc_status start(verify_motion *motion, mc_error *error)
{
    if (motion->started)
        return MC_OK;
    mc_multibody_normalise(motion->m, motion->y);
    const mc_status status = ode_start(motion->o, 0.0, motion->y, error);
    if (status == MC_OK)
        look(motion, 0.0, ode_state(motion->o));
    return status;
}

// Lands on every instant at which the energy is looked at: an interpolated row would show the error
// of the interpolation.
mc_status verify_motion_to(verify_motion *motion, double time, mc_error *error)
{
    mc_status status = start(motion, error);
    const double from = motion->time;
    const long count = (long)ceil(fabs(time - from) / row);
    for (long i = 1; i <= count && status == MC_OK; i++) {
        const double to = i == count ? time : from + (time - from) * (double)i / (double)count;
        status = ode_run(motion->o, to, NULL, 0, NULL, NULL, error);
        if (status == MC_OK)
            look(motion, to, ode_state(motion->o));
    }
    return status;
}

mc_status verify_motion_get(verify_motion *motion, const char *name, double *value, mc_error *error)
{
    bool in_y;
    int index;
    const mc_status status = place(motion, name, &in_y, &index, error);
    if (status == MC_OK)
        *value = in_y ? motion->y[index] : motion->out[index];
    return status;
}

// Newton's method on the time, from a bracket no longer than `step`.
static mc_status polish(verify_motion *motion, int index, double step, mc_error *error)
{
    mc_status status = MC_OK;
    double *dy = calloc((size_t)mc_multibody_info_of(motion->m)->y_count, sizeof *dy);
    if (!dy)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory");
    for (int i = 0; i < 8 && status == MC_OK; i++) {
        mc_multibody_rate(motion->m, motion->time, motion->y, NULL, dy);
        const double move = -motion->y[index] / dy[index];
        if (!(fabs(move) <= step))
            status = mc_error_set(error, MC_FAILED, NULL, 0, 0,
                                  "no clear zero near %g s: the value is %g, its rate %g",
                                  motion->time, motion->y[index], dy[index]);
        else if (fabs(move) < 1e-14 * fmax(motion->time, 1.0))
            break;
        else
            status = verify_motion_to(motion, motion->time + move, error);
    }
    free(dy);
    return status;
}

mc_status verify_motion_zero(verify_motion *motion, const char *name, double step, double limit,
                             mc_error *error)
{
    bool in_y;
    int index;
    mc_status status = place(motion, name, &in_y, &index, error);
    if (status == MC_OK && !in_y)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "\"%s\" is not a coordinate", name);
    if (status == MC_OK)
        status = start(motion, error);
    if (status == MC_OK) // away from a zero that was found before
        status = verify_motion_to(motion, motion->time + step, error);
    while (status == MC_OK) {
        const double before = motion->y[index];
        if (motion->time > limit)
            return mc_error_set(error, MC_FAILED, NULL, 0, 0, "%s has no zero before %g s", name,
                                limit);
        status = verify_motion_to(motion, motion->time + step, error);
        if (status == MC_OK && before * motion->y[index] <= 0.0)
            return polish(motion, index, 2.0 * step, error);
    }
    return status;
}
