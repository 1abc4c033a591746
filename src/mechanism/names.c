// names.c - the names of a mechanism for those who run it: meanings, values from outside, columns.
#include "motorcade/simulate.h"

#include "mechanism/mechanism.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- names and what they mean ------------------------------------------------------------------

// The body whose joint has coordinate (velocity) i, and which of the joint's it is.
static const mb_body *owner(const mc_multibody *m, bool velocity, int i, int *k)
{
    for (int b = 0; b < m->model.body_count; b++) {
        const mb_body *body = &m->model.bodies[b];
        const int first = velocity ? m->system.links.body_v[b] : m->system.links.body_q[b];
        const int count = velocity ? mb_velocity_count(body) : mb_coordinate_count(body);
        *k = i - first;
        if (i >= first && *k < count)
            return body;
    }
    return NULL;
}

static void describe_motion(const mc_multibody *m, bool velocity, int i, char *out, size_t size)
{
    int k;
    const mb_body *body = owner(m, velocity, i, &k);
    if (!body)
        return;
    const char *on = body->inboard < 0 ? "ground" : m->model.bodies[body->inboard].name;
    const char *rate = velocity ? "rate of the " : "";
    const char *const parts[] = {"x", "y", "z"};
    switch (body->joint) {
    case MB_HINGE:
        snprintf(out, size, "%sangle of the hinge from %s to %s", rate, on, body->name);
        break;
    case MB_PRISM:
        snprintf(out, size, "%stravel of %s along its axis on %s", rate, body->name, on);
        break;
    case MB_FREE:
        if (velocity)
            snprintf(out, size,
                     k < 3 ? "velocity of the origin of %s, %s in %s axes"
                           : "angular velocity of %s, %s in %s axes",
                     body->name, parts[k % 3], k < 3 && !body->quasi_velocity ? "world" : "body");
        else if (k < 3)
            snprintf(out, size, "position of the origin of %s, %s in world axes", body->name,
                     parts[k]);
        else
            snprintf(out, size, "orientation of %s, part of %s", body->name,
                     body->euler ? "its Euler angles" : "a unit quaternion");
        break;
    case MB_BALL:
        if (velocity)
            snprintf(out, size, "angular velocity of %s relative to %s, %s in its own axes",
                     body->name, on, parts[k]);
        else
            snprintf(out, size, "orientation of %s on %s, part of a unit quaternion", body->name,
                     on);
        break;
    default:
        snprintf(out, size, "%scoordinate %d of the joint from %s to %s", rate, k + 1, on,
                 body->name);
    }
}

static void describe_output(const mc_multibody *m, int i, char *out, size_t size)
{
    const mb_model *model = &m->model;
    static const char *const energies[] = {"kinetic energy of all bodies",
                                           "energy of gravity and springs", "sum of both"};
    if (i < model->variable_count) {
        snprintf(out, size, "= %s", model->variables[i].value.text);
        return;
    }
    i -= model->variable_count;
    if (i < 3) {
        snprintf(out, size, "%s", energies[i]);
        return;
    }
    i -= 3;
    if (i < 2 * model->spring_count) {
        const mb_spring *spring = &model->springs[i / 2];
        snprintf(out, size,
                 i % 2 ? "force of the spring, positive pushes %s and %s apart"
                       : "distance from %s to %s",
                 model->points[spring->from].name, model->points[spring->to].name);
        return;
    }
    i -= 2 * model->spring_count;
    if (i < 3 * model->point_count) {
        const mb_point *point = &model->points[i / 3];
        snprintf(out, size, "position of the point on %s, %s in world axes",
                 point->body < 0 ? "ground" : model->bodies[point->body].name,
                 (const char *[]){"x", "y", "z"}[i % 3]);
        return;
    }
    i -= 3 * model->point_count;
    if (i < 3 * model->wheel_count) {
        static const char *const ways[] = {"away from it", "in the direction of rolling",
                                           "across the wheel"};
        snprintf(out, size, "force of the ground on the wheel, %s", ways[i % 3]);
        return;
    }
    i -= 3 * model->wheel_count;
    if (i < 3 * model->contact_count) {
        static const char *const ways[] = {"away from it", "in the face, across y",
                                           "in the face, across that"};
        const mb_contact *contact = &model->contacts[i / 3];
        snprintf(out, size, "force of %s on %s, %s",
                 contact->other < 0 ? "the ground" : model->bodies[contact->other].name,
                 model->bodies[contact->body].name, ways[i % 3]);
        return;
    }
    i -= 3 * model->contact_count + m->system.rows.load_count;
    if (i >= 0) {
        const mb_body *body = &model->bodies[model->loads[i / 6]];
        snprintf(out, size, "load of the joint on %s, in the axes of the joint on %s", body->name,
                 body->inboard < 0 ? "ground" : model->bodies[body->inboard].name);
    }
}

void mc_simulate_describe(const mc_multibody *m, mc_quantity quantity, int i,
                          mc_simulate_about *out)
{
    *out = (mc_simulate_about){0};
    if (!mc_multibody_name(m, quantity, i))
        return;
    snprintf(out->unit, sizeof out->unit, "%s", mc_multibody_unit(m, quantity, i));
    switch (quantity) {
    case MC_QUANTITY_COORDINATE:
    case MC_QUANTITY_VELOCITY:
        describe_motion(m, quantity == MC_QUANTITY_VELOCITY, i, out->doc, sizeof out->doc);
        break;
    case MC_QUANTITY_STATE:
        expr_unit_short(m->model.states[i].unit, out->unit);
        snprintf(out->doc, sizeof out->doc, "rate = %s", m->model.states[i].rate.text);
        break;
    case MC_QUANTITY_INPUT:
        expr_unit_short(m->model.inputs[i].unit, out->unit);
        snprintf(out->doc, sizeof out->doc, "external input");
        break;
    case MC_QUANTITY_PARAMETER:
        if (m->model.parameters[i].doc[0] || m->model.parameters[i].line == 0)
            snprintf(out->doc, sizeof out->doc, "%s", m->model.parameters[i].doc);
        else
            snprintf(out->doc, sizeof out->doc, "line %d of the file", m->model.parameters[i].line);
        break;
    case MC_QUANTITY_OUTPUT:
        describe_output(m, i, out->doc, sizeof out->doc);
        break;
    }
}

// ---- values from outside -----------------------------------------------------------------------

mc_status multibody_read_value(const mc_multibody *m, mc_quantity quantity, int i, const char *name,
                               const char *text, double *value, mc_error *error)
{
    mc_simulate_about about;
    mc_simulate_describe(m, quantity, i, &about);
    expr_unit unit = {0};
    double factor;
    int bad;
    if (!about.unit[0] ||
        !expr_unit_read(about.unit, (int)strlen(about.unit), &unit, &factor, &bad))
        unit = (expr_unit){0};
    const expr_source source = {.text = text};
    bool is_number;
    mc_error reason;
    if (expr_parse_number(&source, unit, value, &is_number, &reason) != MC_OK)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "%.80s=%.80s: %.300s", name, text,
                            reason.text);
    if (!is_number || !isfinite(*value))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%.80s=%.80s: expected a number, with a unit or in SI%s%s", name, text,
                            about.unit[0] ? ": " : "", about.unit);
    return MC_OK;
}

mc_status mc_simulate_set(mc_multibody *m, double *y, const char *name, const char *text,
                          mc_error *error)
{
    mc_quantity quantity;
    int i;
    double value;
    mc_status status = mc_multibody_find(m, name, &quantity, &i, error);
    if (status != MC_OK)
        return status;
    if (quantity == MC_QUANTITY_OUTPUT)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s is computed; parameters, inputs and the start of coordinates, "
                            "velocities and states can be set",
                            name);
    if (!y && quantity != MC_QUANTITY_PARAMETER && quantity != MC_QUANTITY_INPUT)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s is not a parameter or an input; only those can be set here", name);
    status = multibody_read_value(m, quantity, i, name, text, &value, error);
    if (status != MC_OK)
        return status;
    switch (quantity) {
    case MC_QUANTITY_PARAMETER:
        return mc_multibody_set(m, name, value, error);
    case MC_QUANTITY_INPUT:
        return mc_multibody_set(m, name, value, error);
    case MC_QUANTITY_COORDINATE:
        y[i] = value;
        break;
    case MC_QUANTITY_VELOCITY:
        y[m->info.q_count + i] = value;
        break;
    default:
        y[m->info.q_count + m->info.v_count + i] = value;
    }
    return MC_OK;
}

// ---- columns -----------------------------------------------------------------------------------

mc_status mc_simulate_column_find(const mc_multibody *m, const char *name, mc_simulate_column *out,
                                  mc_error *error)
{
    const mc_status status = mc_multibody_find(m, name, &out->quantity, &out->index, error);
    if (status != MC_OK)
        return status;
    if (out->quantity == MC_QUANTITY_PARAMETER || out->quantity == MC_QUANTITY_INPUT)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "%s is %s and is constant during the run; expected a coordinate, "
                            "velocity, state or output",
                            name,
                            out->quantity == MC_QUANTITY_PARAMETER ? "a parameter" : "an input");
    return MC_OK;
}

double mc_simulate_value(const mc_multibody *m, mc_simulate_column column, const double *y,
                         const double *outputs)
{
    switch (column.quantity) {
    case MC_QUANTITY_COORDINATE:
        return y[column.index];
    case MC_QUANTITY_VELOCITY:
        return y[m->info.q_count + column.index];
    case MC_QUANTITY_STATE:
        return y[m->info.q_count + m->info.v_count + column.index];
    case MC_QUANTITY_OUTPUT:
        return outputs[column.index];
    default:
        return NAN; // mc_simulate_column_find gives no such column
    }
}
