// test_joint_loads.c - loads of tree joints and of joints beside the tree against Newton and Euler,
// body by body, with accelerations from differences of velocities; power; the three forms.
#include "mechanism/mechanism.h"
#include "motorcade/simulate.h"
#include "multibody/closing.h"
#include "support/bodies.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Y_MAX = 120, BODY_MAX = 12, OUT_MAX = 400 };
static const double time_of_test = 0.3;

// ---- a mechanism at a state ------------------------------------------------------------------

typedef struct at {
    mc_multibody *m;
    double y[Y_MAX], dy[Y_MAX];
    double kin[OUT_MAX], rate[OUT_MAX]; // kinematics and their rates
    double load[6 * BODY_MAX];
    double out[OUT_MAX];
    double value[60000]; // of the nodes of the model
} at;

static mc_multibody *load(int k, mc_form form)
{
    char text[6000];
    mc_error error = {0};
    const mc_multibody_options options = {.form = form, .compile = MC_COMPILE_NEVER};
    snprintf(text, sizeof text, "%s%s", BODIES_MODEL, bodies_closed[k]);
    mc_multibody *m = mc_multibody_parse(text, "test", &options, &error);
    if (!m && !(form == MC_FORM_INDEPENDENT && strstr(error.text, "does not support")))
        fail_msg("line %d: %s\nof\n%s", error.line, error.text, bodies_closed[k]);
    return m;
}

// Rates by differences of eighth order along y'.
static void find_rates(at *a, int count)
{
    static const double c[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    const mc_multibody_info *info = mc_multibody_info_of(a->m);
    const double h = 0.004;
    double y[Y_MAX], one[OUT_MAX];
    memset(a->rate, 0, sizeof a->rate);
    for (int k = -4; k <= 4; k++) {
        if (k == 0)
            continue;
        for (int i = 0; i < info->y_count; i++)
            y[i] = a->y[i] + k * h * a->dy[i];
        assert_int_equal(mc_multibody_kinematics(a->m, time_of_test, y, one, NULL), MC_OK);
        for (int i = 0; i < count; i++)
            a->rate[i] += c[abs(k) - 1] * (k > 0 ? 1 : -1) * one[i] / h;
    }
}

static bool open_at(int k, mc_form form, unsigned long long seed, at *a)
{
    a->m = load(k, form);
    if (!a->m)
        return false;
    const mc_multibody_info *info = mc_multibody_info_of(a->m);
    mc_error error = {0};
    assert_true(info->y_count < Y_MAX && info->body_count < BODY_MAX);
    mc_multibody_start(a->m, a->y);
    for (int i = 0; i < info->q_count + info->v_count; i++)
        a->y[i] +=
            i < info->q_count ? sample_uniform(&seed, -0.15, 0.15) : sample_uniform(&seed, -1, 1);
    mc_multibody_normalise(a->m, a->y);
    if (mc_multibody_assemble(a->m, time_of_test, a->y, &error) != MC_OK)
        fail_msg("%s: %s", bodies_closed[k], error.text);
    mc_multibody_rate(a->m, time_of_test, a->y, NULL, a->dy);
    if (mc_multibody_joint_loads(a->m, time_of_test, a->y, NULL, a->load, &error) != MC_OK)
        fail_msg("%s", error.text);
    assert_int_equal(mc_multibody_kinematics(a->m, time_of_test, a->y, a->kin, NULL), MC_OK);
    mc_multibody_outputs(a->m, time_of_test, a->y, a->out);
    find_rates(a, a->m->kinematics_count);
    return true;
}

static double output(const at *a, const char *owner, const char *word)
{
    char name[96];
    snprintf(name, sizeof name, "%s.%s", owner, word);
    for (int i = 0; i < a->m->output_count; i++)
        if (strcmp(mc_multibody_name(a->m, MC_QUANTITY_OUTPUT, i), name) == 0)
            return a->out[i];
    return 0.0; // a joint has only the loads it can carry
}

// ---- vectors ---------------------------------------------------------------------------------

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Components in a body's axes to world axes; NULL: the ground.
static void turn(const at *a, int body, const double in[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = in[i];
        if (body >= 0)
            out[i] = a->kin[18 * body + 3 + i] * in[0] + a->kin[18 * body + 6 + i] * in[1] +
                     a->kin[18 * body + 9 + i] * in[2];
    }
}

// A vector of nodes that are constants or parameters.
static void known(const at *a, const expr_id *node, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a->value[node[i]];
}

static void times(const at *a, const expr_id matrix[9], const double in[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a->value[matrix[3 * i]] * in[0] + a->value[matrix[3 * i + 1]] * in[1] +
                 a->value[matrix[3 * i + 2]] * in[2];
}

// ---- sums on bodies --------------------------------------------------------------------------

typedef struct sums {
    double force[BODY_MAX][3], torque[BODY_MAX][3], size; // about the origin of the body; world
} sums;

static void push(const at *a, sums *s, int body, const double place[3], const double force[3],
                 const double torque[3], double sign)
{
    double arm[3], about[3];
    if (body < 0)
        return;
    for (int i = 0; i < 3; i++)
        arm[i] = place[i] - a->kin[18 * body + i];
    cross(arm, force, about);
    for (int i = 0; i < 3; i++) {
        s->force[body][i] += sign * force[i];
        s->torque[body][i] += sign * (about[i] + torque[i]);
        s->size = fmax(s->size, fmax(fabs(force[i]), fabs(about[i] + torque[i])));
    }
}

static void place_of(const at *a, int body, const expr_id at_body[3], double out[3])
{
    double local[3];
    known(a, at_body, local);
    turn(a, body, local, out);
    for (int i = 0; i < 3 && body >= 0; i++)
        out[i] += a->kin[18 * body + i];
}

static void add_joints(const at *a, sums *s)
{
    const mb_model *m = &a->m->model;
    for (int b = 0; b < m->body_count; b++) {
        const mb_body *body = &m->bodies[b];
        double local[3], force[3], torque[3];
        for (int k = 0; k < 2; k++) {
            memcpy(local, &a->load[6 * b + 3 * k], sizeof local);
            if (body->joint != MB_FREE)
                times(a, body->turn, &a->load[6 * b + 3 * k], local);
            turn(a, body->inboard, local, k ? torque : force);
        }
        push(a, s, b, &a->kin[18 * b], force, torque, 1.0);
        push(a, s, body->inboard, &a->kin[18 * b], force, torque, -1.0);
    }
}

static void add_applied(const at *a, sums *s)
{
    static const double none[3] = {0};
    const mb_model *m = &a->m->model;
    double p[2][3], f[3];
    for (int i = 0; i < m->spring_count; i++) {
        double length = 0.0;
        const mb_point *end[2] = {&m->points[m->springs[i].from], &m->points[m->springs[i].to]};
        for (int k = 0; k < 2; k++)
            place_of(a, end[k]->body, end[k]->at, p[k]);
        for (int k = 0; k < 3; k++)
            length += (p[1][k] - p[0][k]) * (p[1][k] - p[0][k]);
        for (int k = 0; k < 3; k++)
            f[k] = output(a, m->springs[i].name, "force") * (p[1][k] - p[0][k]) / sqrt(length);
        push(a, s, end[1]->body, p[1], f, none, 1.0);
        push(a, s, end[0]->body, p[0], f, none, -1.0);
    }
    // the forces and torques as in the model
    const double forces[3][3] = {{1, 2, -0.5}, {0.5, 0, 1.5 * cos(time_of_test)}, {0.2, 0.3, 0.4}};
    const double torques[2][3] = {{0.1, -0.2, 0.3}, {0.3, 0.2, 0.1}};
    for (int i = 0; i < m->force_count; i++) {
        const mb_point *point = &m->points[m->forces[i].point];
        place_of(a, point->body, point->at, p[0]);
        turn(a, m->forces[i].frame == MB_BODY ? point->body : -1, forces[i], f);
        push(a, s, point->body, p[0], f, none, 1.0);
    }
    for (int i = 0; i < m->torque_count; i++) {
        const int body = m->torques[i].body;
        turn(a, m->torques[i].frame == MB_BODY ? body : -1, torques[i], f);
        push(a, s, body, &a->kin[18 * body], none, f, 1.0);
    }
}

// Joints beside the tree by their own columns: on `to` at its point, in the axes on `from`.
static void closing_load(const at *a, const mb_closing *joint, double force[3], double torque[3])
{
    for (int k = 0; k < 2; k++) {
        double local[3], on_body[3];
        for (int i = 0; i < 3; i++)
            local[i] = output(a, joint->name, multibody_load_words[3 * k + i]);
        times(a, joint->from.turn, local, on_body);
        turn(a, joint->from.body, on_body, k ? torque : force);
    }
}

static void add_closings(const at *a, sums *s)
{
    const mb_model *m = &a->m->model;
    for (int i = 0; i < m->closing_count; i++) {
        const mb_closing *joint = &m->closings[i];
        double force[3], torque[3], p[3];
        if (joint->kind->of_joints)
            continue;
        closing_load(a, joint, force, torque);
        place_of(a, joint->to.body, joint->to.at, p);
        push(a, s, joint->to.body, p, force, torque, 1.0);
        push(a, s, joint->from.body, p, force, torque, -1.0);
    }
}

// Mass times acceleration, rate of the angular momentum about the mass centre.
static void subtract_motion(const at *a, sums *s)
{
    const mb_model *m = &a->m->model;
    double gravity[3];
    known(a, m->gravity, gravity);
    for (int b = 0; b < m->body_count; b++) {
        const mb_body *body = &m->bodies[b];
        const double *w = &a->kin[18 * b + 15], *turning = &a->rate[18 * b + 15];
        double local[3], c[3], inner[3], swing[3], force[3], torque[3], h[3], J[3][3] = {{0}};
        known(a, body->com, local);
        turn(a, b, local, c);
        cross(w, c, inner);
        cross(w, inner, swing);
        cross(turning, c, inner);
        for (int i = 0; i < 3; i++)
            force[i] = a->value[body->mass] *
                       (a->rate[18 * b + 12 + i] + inner[i] + swing[i] - gravity[i]);
        const expr_id six[9] = {body->inertia[0], body->inertia[3], body->inertia[4],
                                body->inertia[3], body->inertia[1], body->inertia[5],
                                body->inertia[4], body->inertia[5], body->inertia[2]};
        for (int j = 0; j < 3; j++) { // R J R' by columns
            double back[3], column[3], out[3];
            for (int i = 0; i < 3; i++)
                back[i] = a->kin[18 * b + 3 + 3 * i + j];
            times(a, six, back, column);
            turn(a, b, column, out);
            for (int i = 0; i < 3; i++)
                J[i][j] = out[i];
        }
        for (int i = 0; i < 3; i++)
            h[i] = dot(J[i], w);
        cross(w, h, torque);
        for (int i = 0; i < 3; i++) {
            torque[i] += dot(J[i], turning);
            local[i] = a->kin[18 * b + i] + c[i];
        }
        push(a, s, b, local, force, torque, -1.0);
    }
}

static void take_values(at *a)
{
    assert_true(expr_node_count(a->m->model.graph) <= 60000);
    mb_model_values(&a->m->model, a->value);
}

// ---- tests -----------------------------------------------------------------------------------

// Constraints of the user act on bodies as the rows of B say.
static void add_constraints(at *a, sums *s)
{
    const mb_system *sys = &a->m->system;
    double lambda[80];
    mc_matrix matrix, B = {0};
    assert_int_equal(mc_multibody_matrices(a->m, time_of_test, a->y, NULL), MC_OK);
    for (int i = 0; mc_multibody_matrix(a->m, i, &matrix); i++)
        if (strcmp(matrix.name, "B") == 0)
            B = matrix;
    mc_multibody_rate(a->m, time_of_test, a->y, NULL, a->dy);
    multibody_loops_lambda(a->m, lambda);
    for (int r = 0; r < sys->rows.kept_count; r++) {
        const mb_row *row = &sys->rows.row[sys->rows.kept[r]];
        for (int b = 0; b < a->m->model.body_count && row->closing < 0; b++) {
            double force[3], torque[3], wrench[6];
            for (int k = 0; k < 6; k++)
                wrench[k] = lambda[r] * B.value[sys->rows.kept[r] * B.columns + 6 * b + k];
            turn(a, b, wrench, torque);
            turn(a, b, wrench + 3, force);
            push(a, s, b, &a->kin[18 * b], force, torque, 1.0);
        }
    }
}

// A constraint that speaks of coordinates of joints is part of the loads of these joints.
static bool speaks_of_joints(const char *text)
{
    return strstr(text, "rate +") || strstr(text, "gate.angle") || strstr(text, "travel_rate");
}

static void newton_and_euler(void **state)
{
    (void)state;
    static at a;
    double worst = 0.0;
    int checked = 0;
    for (int k = 0; k < BODIES_CLOSED; k++)
        for (mc_form form = MC_FORM_LAGRANGE; form <= MC_FORM_INDEPENDENT; form++) {
            if (!open_at(k, form, 11 + (unsigned)k, &a))
                continue;
            sums s = {0};
            take_values(&a);
            add_joints(&a, &s);
            add_applied(&a, &s);
            add_closings(&a, &s);
            if (!speaks_of_joints(bodies_closed[k]))
                add_constraints(&a, &s);
            subtract_motion(&a, &s);
            double off = 0.0;
            for (int b = 0; b < a.m->model.body_count; b++)
                for (int i = 0; i < 3; i++)
                    off = fmax(off, fmax(fabs(s.force[b][i]), fabs(s.torque[b][i])));
            if (!(off <= 1e-10 * fmax(1.0, s.size)))
                fail_msg("%s form %d: off by %.3g of %.3g", bodies_closed[k], form, off, s.size);
            worst = fmax(worst, off / fmax(1.0, s.size));
            checked++;
            mc_multibody_free(a.m);
        }
    print_message("Newton and Euler: %d mechanisms and forms, %.2g of the largest load\n", checked,
                  worst);
}

// Along its free coordinates a joint carries its own spring, damper and load, what tau says, and
// what gears and constraints do there.
static void along_free_coordinates(void **state)
{
    (void)state;
    static at a;
    double worst = 0.0;
    for (int k = 0; k < BODIES_CLOSED; k++) {
        assert_true(open_at(k, MC_FORM_RECURSIVE, 31 + (unsigned)k, &a));
        const mb_system *s = &a.m->system;
        const mb_model *m = &a.m->model;
        double size = 1.0, tau[Y_MAX] = {0};
        for (int i = 0; i < 6 * m->body_count; i++)
            size = fmax(size, fabs(a.load[i]));
        take_values(&a);
        for (int b = 0; b < m->body_count; b++) {
            const mb_body *body = &m->bodies[b];
            const double q = a.y[s->links.body_q[b]], v = a.y[s->q_count + s->links.body_v[b]];
            if (body->joint != MB_HINGE && body->joint != MB_PRISM)
                continue;
            tau[b] =
                -a.value[body->stiffness] * (q - a.value[body->rest]) - a.value[body->damping] * v;
            if (strcmp(body->name, "a1") == 0)
                tau[b] += 0.7 * cos(2 * q);
            if (strcmp(body->name, "slide") == 0)
                tau[b] += 3.0;
        }
        for (int b = 0; b < m->body_count && !speaks_of_joints(bodies_closed[k]); b++) {
            const mb_body *body = &m->bodies[b];
            double gear = 0.0;
            for (int i = 0; i < m->closing_count; i++) {
                const mb_closing *j = &m->closings[i];
                if (j->kind->of_joints && j->to.body == b)
                    gear += output(&a, j->name, "load");
                if (j->kind->of_joints && j->from.body == b)
                    gear -= output(&a, j->name, "load") * a.value[j->value[0]];
            }
            const double *six = &a.load[6 * b];
            double off = 0.0;
            if (body->joint == MB_HINGE)
                off = dot(six + 3, body->axis) - tau[b] - gear;
            else if (body->joint == MB_PRISM)
                off = dot(six, body->axis) - tau[b] - gear;
            else if (body->joint == MB_BALL)
                off = fabs(six[3]) + fabs(six[4]) + fabs(six[5]);
            else if (body->joint == MB_FREE)
                off = fabs(six[0]) + fabs(six[1]) + fabs(six[2]) + fabs(six[3]) + fabs(six[4]) +
                      fabs(six[5]);
            else if (body->joint == MB_GENERAL)
                off = body->free[0] ? six[0] : dot(six + 3, six + 3);
            if (!(fabs(off) <= 1e-11 * size))
                fail_msg("%s, %s: off by %.3g of %.3g", bodies_closed[k], body->name, off, size);
            worst = fmax(worst, fabs(off) / size);
        }
        mc_multibody_free(a.m);
    }
    print_message("along free coordinates: %.2g of the largest load\n", worst);
}

// What the loads of a joint beside the tree do to both bodies is lambda b: zero, since their rows
// do not move. A constraint in time gives lambda b.
static void power(void **state)
{
    (void)state;
    static at a;
    double worst = 0.0, driven = 0.0;
    for (int k = 1; k < BODIES_CLOSED; k++) {
        assert_true(open_at(k, MC_FORM_LAGRANGE, 71 + (unsigned)k, &a));
        const mb_system *s = &a.m->system;
        const mb_model *m = &a.m->model;
        take_values(&a);
        double sum = 0.0, size = 1e-3, lambda[80], asked = 0.0;
        for (int i = 0; i < m->closing_count; i++) {
            const mb_closing *joint = &m->closings[i];
            double force[3], torque[3], p[3];
            if (joint->kind->of_joints)
                continue;
            closing_load(&a, joint, force, torque);
            place_of(&a, joint->to.body, joint->to.at, p);
            for (int side = 0; side < 2; side++) {
                const int body = side ? joint->from.body : joint->to.body;
                double arm[3], moved[3];
                if (body < 0)
                    continue;
                for (int j = 0; j < 3; j++)
                    arm[j] = p[j] - a.kin[18 * body + j];
                cross(&a.kin[18 * body + 15], arm, moved);
                for (int j = 0; j < 3; j++) {
                    const double part = force[j] * (moved[j] + a.kin[18 * body + 12 + j]) +
                                        torque[j] * a.kin[18 * body + 15 + j];
                    sum += side ? -part : part;
                    size += fabs(part);
                }
            }
        }
        assert_int_equal(mc_multibody_matrices(a.m, time_of_test, a.y, NULL), MC_OK);
        mc_multibody_rate(a.m, time_of_test, a.y, NULL, a.dy);
        multibody_loops_lambda(a.m, lambda);
        mc_matrix matrix, B = {0}, V = {0}, b = {0};
        for (int i = 0; mc_multibody_matrix(a.m, i, &matrix); i++)
            *(strcmp(matrix.name, "B") == 0   ? &B
              : strcmp(matrix.name, "V") == 0 ? &V
              : strcmp(matrix.name, "b") == 0 ? &b
                                              : &(mc_matrix){0}) = matrix;
        for (int r = 0; r < s->rows.kept_count; r++) {
            const int row = s->rows.kept[r];
            if (s->rows.row[row].closing >= 0)
                continue;
            for (int j = 0; j < B.columns; j++) {
                sum += lambda[r] * B.value[row * B.columns + j] * V.value[j];
                size += fabs(lambda[r] * B.value[row * B.columns + j] * V.value[j]);
            }
            asked += lambda[r] * b.value[row];
        }
        driven = fmax(driven, fabs(asked));
        if (!(fabs(sum - asked) <= 1e-13 * size))
            fail_msg("%s: power %.3g, lambda b %.3g, of %.3g", bodies_closed[k], sum, asked, size);
        worst = fmax(worst, fabs(sum - asked) / size);
        mc_multibody_free(a.m);
    }
    assert_true(driven > 1e-3);
    print_message("power: %.2g of its parts, lambda b up to %.2g W\n", worst, driven);
}

static void by_name(void **state)
{
    (void)state;
    char text[6000];
    mc_error error = {0};
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    snprintf(text, sizeof text, "%s%s%s", BODIES_MODEL, bodies_closed[1], "loads: [slide, a1]\n");
    mc_multibody *m = mc_multibody_parse(text, "test", &options, &error);
    if (!m)
        fail_msg("%s", error.text);
    double y[Y_MAX], out[OUT_MAX], all[6 * BODY_MAX];
    mc_multibody_start(m, y);
    mc_multibody_outputs(m, 0.2, y, out);
    assert_int_equal(mc_multibody_joint_loads(m, 0.2, y, NULL, all, &error), MC_OK);
    static const int bodies[] = {8, 1};
    for (int i = 0; i < 12; i++) {
        char name[64];
        mc_quantity quantity;
        int index;
        snprintf(name, sizeof name, "%s.%s", i < 6 ? "slide" : "a1", multibody_load_words[i % 6]);
        assert_int_equal(mc_multibody_find(m, name, &quantity, &index, &error), MC_OK);
        assert_int_equal(quantity, MC_QUANTITY_OUTPUT);
        assert_string_equal(mc_multibody_unit(m, quantity, index), i % 6 < 3 ? "N" : "N m");
        assert_float_equal(out[index], all[6 * bodies[i / 6] + i % 6], 1e-12);
        mc_simulate_about about;
        mc_simulate_describe(m, quantity, index, &about);
        assert_non_null(strstr(about.doc, "in the axes of the joint on base"));
    }
    mc_multibody_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newton_and_euler),
        cmocka_unit_test(along_free_coordinates),
        cmocka_unit_test(power),
        cmocka_unit_test(by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
