// standing.c - wheels and motors of a mechanism outside of a run: what they do at any state.
#include "mechanism/recording.h"
#include "mechanism/rolling.h"

mc_status multibody_standing(mc_multibody *m, rolling **out, mc_error *error)
{
    *out = m->standing;
    if (m->standing)
        return rolling_refresh(m->standing, error);
    const mc_status status = rolling_make(m, &m->standing, error);
    m->standing_free = rolling_free;
    *out = m->standing;
    return status;
}

int multibody_contact_output(const mc_multibody *m)
{
    const mb_model *model = &m->model;
    return model->variable_count + ENERGIES + 2 * model->spring_count + 3 * model->point_count;
}

int mc_multibody_wheel_count(const mc_multibody *m)
{
    return m->model.wheel_count;
}

const char *mc_multibody_wheel_body(const mc_multibody *m, int i)
{
    const mb_model *model = &m->model;
    return i >= 0 && i < model->wheel_count ? model->bodies[model->wheels[i].body].name : NULL;
}

mc_status mc_multibody_wheel_loads(mc_multibody *m, double t, const double *y, double *tau,
                                   mc_error *error)
{
    mc_error own;
    rolling *wheels;
    const mc_status status = multibody_standing(m, &wheels, error ? error : &own);
    if (status == MC_OK && wheels)
        rolling_load(wheels, t, y, tau);
    return status;
}
