// rolling.c - wheels on the ground and motors as loads on the derived equations.
#include "mechanism/rolling.h"

#include "equations/bodies.h"
#include "expr/differentiate.h"
#include "mechanism/by_impulses.h"
#include "num/vec3.h"
#include "road/terrain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Its own: units (fmu) stand on wheels, and have no results files, which recording.c writes.
static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the wheels");
}

static const double lag_scale = 0.2; // rad/s or m/s
static const double reach = 0.1;     // m, within which gaps are of interest

enum { // values of a wheel
    SEE_PLACE = 0,
    SEE_VELOCITY = 3,
    SEE_SPIN = 6,
    SEE_AXIS = 9,
    SEE_EACH = 12,
    LOAD_EACH = 6, // force at its centre, torque
    MOTOR_EACH = 2,
};

typedef struct numbers { // of a wheel
    double radius, width, friction, stiffness, damping, slip;
    int planes;
} numbers;

struct rolling {
    mc_multibody *m;
    impulse_ground ground;
    numbers *wheel;
    double *load, *force;
    const double *given; // forces along the ground; NULL: by friction
    int *row, *velocity; // of the partial velocities that are not zero
    int partial_count, value_count;
};

// ---- the program -------------------------------------------------------------------------------

static void put(expr_id *out, mb_vec a)
{
    memcpy(out, a.v, sizeof a.v);
}

static mb_vec axis_of(const mc_multibody *m, mb_frames *f, const mb_wheel *w)
{
    expr_graph *g = m->system.graph;
    const mb_mat turn = mb_frames_body_turn(f, w->body);
    mb_vec axis;
    for (int k = 0; k < 3; k++)
        axis.v[k] = w->axis[k] == 0.0 ? EXPR_ZERO : expr_const(g, w->axis[k]);
    return mb_mat_times(g, &turn, axis);
}

// What is asked of the mechanism, and behind the values of wheels the formulas of motors.
static mc_status list_values(rolling *r, expr_id *value, expr_id *rows, mc_error *error)
{
    const mb_model *model = &r->m->model;
    mb_bodies bodies = {0};
    mc_status status = mb_bodies_make(&r->m->system, &bodies, error);
    for (int i = 0; i < model->wheel_count && status == MC_OK; i++) {
        const mb_wheel *w = &model->wheels[i];
        expr_id *at = value + SEE_EACH * i;
        put(at + SEE_PLACE, mb_frames_point(bodies.frames, w->body, w->at));
        put(at + SEE_VELOCITY, mb_frames_point_velocity(bodies.frames, w->body, w->at));
        put(at + SEE_SPIN, mb_frames_body_spin(bodies.frames, w->body));
        put(at + SEE_AXIS, axis_of(r->m, bodies.frames, w));
        memcpy(rows + LOAD_EACH * i, at + SEE_VELOCITY, LOAD_EACH * sizeof *rows);
    }
    for (int i = 0; i < model->motor_count && status == MC_OK; i++) {
        const mb_motor *from = &model->motors[i];
        const bool turns = model->bodies[from->body].joint == MB_HINGE;
        expr_value speed, max;
        status = mb_scope_formula(bodies.scope, &from->speed, 1, mb_unit(turns ? 0 : 1, 0, -1),
                                  &speed, error);
        if (status == MC_OK)
            status = mb_scope_formula(bodies.scope, &from->max, 1, mb_unit(turns ? 2 : 1, 1, -2),
                                      &max, error);
        if (status != MC_OK)
            break;
        value[SEE_EACH * model->wheel_count + MOTOR_EACH * i] = speed.v[0];
        value[SEE_EACH * model->wheel_count + MOTOR_EACH * i + 1] = max.v[0];
    }
    mb_bodies_free(&bodies);
    return status;
}

// Values, then how the wheels move with each velocity: partial velocities that are not zero.
static mc_status build(rolling *r, mc_error *error)
{
    const mb_system *s = &r->m->system;
    const int wheels = r->m->model.wheel_count, row_count = LOAD_EACH * wheels;
    const size_t capacity = (size_t)row_count * (size_t)s->v_count + 1;
    r->value_count = SEE_EACH * wheels + MOTOR_EACH * r->m->model.motor_count;
    expr_id *all = malloc(((size_t)r->value_count + capacity) * sizeof *all);
    expr_id *rows = malloc(((size_t)row_count + 1) * sizeof *rows);
    expr_id *by = malloc(capacity * sizeof *by);
    r->row = malloc(capacity * sizeof *r->row);
    r->velocity = malloc(capacity * sizeof *r->velocity);
    mc_status status = all && rows && by && r->row && r->velocity ? MC_OK : no_memory(error);
    if (status == MC_OK)
        status = list_values(r, all, rows, error);
    if (status == MC_OK && row_count > 0)
        status = expr_jacobian(s->graph, rows, row_count, s->links.v_input, s->v_count, by, error);
    for (size_t k = 0; status == MC_OK && k + 1 < capacity; k++)
        if (by[k] != EXPR_ZERO) {
            r->row[r->partial_count] = (int)k / s->v_count;
            r->velocity[r->partial_count] = (int)k % s->v_count;
            all[r->value_count + r->partial_count++] = by[k];
        }
    if (status == MC_OK)
        status = expr_graph_status(s->graph, error);
    if (status == MC_OK && !r->m->code[MULTIBODY_ROLLING].program)
        status = multibody_build(r->m, MULTIBODY_ROLLING, all, r->value_count + r->partial_count,
                                 NULL, error);
    free(all);
    free(rows);
    free(by);
    return status;
}

static mc_status set_numbers(rolling *r, mc_error *error)
{
    const mb_model *model = &r->m->model;
    double *value = malloc((expr_node_count(r->m->system.graph) + 1) * sizeof *value);
    if (!value)
        return no_memory(error);
    mb_model_values(model, value);
    for (int i = 0; i < model->wheel_count; i++) {
        const mb_wheel *w = &model->wheels[i];
        r->wheel[i] =
            (numbers){value[w->radius],  value[w->width], value[w->friction], value[w->stiffness],
                      value[w->damping], value[w->slip],  w->planes};
    }
    for (int i = 0; i < model->wheel_count; i++)
        if (!(r->wheel[i].slip > 0.0)) {
            free(value);
            return mc_error_set(error, MC_BAD_INPUT, model->file, model->wheels[i].line, 0,
                                "slip of wheel %s is %.9g, expected above 0", model->wheels[i].name,
                                r->wheel[i].slip);
        }
    free(value);
    return MC_OK;
}

mc_status rolling_refresh(rolling *r, mc_error *error)
{
    return set_numbers(r, error);
}

void rolling_give(rolling *r, const double *forces)
{
    r->given = forces;
}

mc_status rolling_make(mc_multibody *m, rolling **out, mc_error *error)
{
    const mb_model *model = &m->model;
    *out = NULL;
    if (model->wheel_count + model->motor_count == 0)
        return MC_OK;
    const size_t wheels = (size_t)model->wheel_count + 1;
    rolling *r = calloc(1, sizeof *r);
    if (!r)
        return no_memory(error);
    r->m = m;
    r->ground = impulse_ground_of(model);
    r->wheel = calloc(wheels, sizeof *r->wheel);
    r->load = calloc(wheels * LOAD_EACH, sizeof *r->load);
    r->force = calloc(wheels * 3, sizeof *r->force);
    mc_status status = r->wheel && r->load && r->force ? MC_OK : no_memory(error);
    if (status == MC_OK)
        status = build(r, error);
    if (status == MC_OK)
        status = set_numbers(r, error);
    if (status != MC_OK) {
        rolling_free(r);
        return status;
    }
    *out = r;
    return MC_OK;
}

void rolling_free(rolling *r)
{
    if (!r)
        return;
    free(r->wheel);
    free(r->load);
    free(r->force);
    free(r->row);
    free(r->velocity);
    free(r);
}

// ---- loads -------------------------------------------------------------------------------------

// Force of the ground in one plane: normal N = max(-k gap - d n.v, 0)/planes, friction against the
// slip of the contact point, or its share of what is given. Adds to load and to force.
static void press(const numbers *w, const double *see, const impulse_touch *touch,
                  const double *given, double *load, double *force)
{
    const double *n = touch->normal, *v = see + SEE_VELOCITY, *axis = see + SEE_AXIS;
    const double normal = (-w->stiffness * touch->gap - w->damping * vec3_dot(n, v)) / w->planes;
    double along[3], across[3], arm[3], slip[3], F[3], torque[3];
    if (!(touch->gap < 0.0) || !(normal > 0.0))
        return;
    vec3_cross(axis, n, along);
    const double level = fmax(vec3_norm(along), 1e-9); // 0: the axis is upright, nothing rolls
    for (int k = 0; k < 3; k++)
        along[k] /= level;
    vec3_cross(n, along, across);
    for (int k = 0; k < 3; k++)
        arm[k] = touch->point[k] - see[SEE_PLACE + k];
    vec3_cross(see + SEE_SPIN, arm, slip);
    for (int k = 0; k < 3; k++)
        slip[k] += v[k];
    const double u = vec3_dot(along, slip), s = vec3_dot(across, slip);
    const double mu = w->friction * (isnan(touch->friction) ? 1.0 : touch->friction);
    const double share = -mu * normal / sqrt(u * u + s * s + w->slip * w->slip);
    const double f = given ? given[1] / w->planes : share * u;
    const double g = given ? given[2] / w->planes : share * s;
    for (int k = 0; k < 3; k++)
        F[k] = given ? normal * n[k] + f * along[k] + g * across[k]
                     : normal * n[k] + share * (u * along[k] + s * across[k]);
    vec3_cross(arm, F, torque);
    for (int k = 0; k < 3; k++) {
        load[k] += F[k];
        load[3 + k] += torque[k];
    }
    force[0] += normal;
    force[1] += f;
    force[2] += g;
}

static void press_wheel(const rolling *r, int i, const double *see)
{
    const numbers *w = &r->wheel[i];
    impulse_disc disc = {.radius = w->radius, .width = w->width, .planes = w->planes, .tyre = true};
    impulse_touch touch[IMPULSE_PLANES_MAX];
    memcpy(disc.centre, see + SEE_PLACE, sizeof disc.centre);
    memcpy(disc.axis, see + SEE_AXIS, sizeof disc.axis);
    r->ground.meet(r->ground.context, &disc, reach, touch);
    for (int p = 0; p < w->planes; p++)
        press(w, see, &touch[p], r->given ? r->given + 3 * i : NULL, r->load + LOAD_EACH * i,
              r->force + 3 * i);
}

void rolling_load(rolling *r, double t, const double *y, double *tau)
{
    mc_multibody *m = r->m;
    const mb_model *model = &m->model;
    multibody_set_state(m, t, y);
    multibody_code *code = multibody_use(m, MULTIBODY_ROLLING);
    expr_kernel_run(code->kernel, m->x, code->kept, code->result, code->work);
    memset(r->load, 0, (size_t)model->wheel_count * LOAD_EACH * sizeof *r->load);
    memset(r->force, 0, (size_t)model->wheel_count * 3 * sizeof *r->force);
    for (int i = 0; i < model->wheel_count; i++)
        press_wheel(r, i, code->result + SEE_EACH * i);
    for (int k = 0; k < r->partial_count; k++)
        tau[r->velocity[k]] += r->load[r->row[k]] * code->result[r->value_count + k];
    const double *asked = code->result + SEE_EACH * model->wheel_count;
    for (int i = 0; i < model->motor_count; i++) {
        const int at = m->system.links.body_v[model->motors[i].body];
        const double missing = asked[MOTOR_EACH * i] - y[m->system.q_count + at];
        tau[at] +=
            asked[MOTOR_EACH * i + 1] * missing / sqrt(missing * missing + lag_scale * lag_scale);
    }
}

bool mc_multibody_ground(const mc_multibody *m, double x, double y, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    if (m->model.terrain)
        terrain_height(m->model.terrain, x, y, false, out);
    return m->model.terrain != NULL;
}

const double *rolling_forces(const rolling *r)
{
    return r->force;
}
