// bodies.c - a mechanism asked body by body: kinematics, loads of joints, the paper's matrices.
// Each is derived when it is asked for first.
#include "equations/joint_loads.h"
#include "mechanism/mechanism.h"
#include "multibody/frames.h"
#include "num/vec3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const multibody_load_words[6] = {"force_x",  "force_y",  "force_z",
                                             "torque_x", "torque_y", "torque_z"};

struct matrix_values {
    unsigned char *structure;
    double *value;
};

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the programs");
}

static void *room(mc_multibody *m, int count, size_t size)
{
    return arena_alloc(&m->memory, ((size_t)count + 8) * size);
}

// ---- kinematics ------------------------------------------------------------------------------

typedef struct listing {
    mc_multibody *m;
    expr_id *node;
    int count;
    bool no_memory;
} listing;

static void add_vector(listing *l, const char *owner, const char *word, mb_vec a)
{
    for (int k = 0; k < 3; k++) {
        char name[128];
        const int length = snprintf(name, sizeof name, "%s.%s.%c", owner, word, 'x' + k);
        l->node[l->count] = a.v[k];
        const char *copy = arena_copy_text(&l->m->memory, name, (size_t)length);
        l->no_memory = l->no_memory || !copy;
        l->m->kinematics_name[l->count++] = copy;
    }
}

static void list_kinematics(listing *l, mb_frames *f)
{
    static const expr_id origin[3] = {EXPR_ZERO, EXPR_ZERO, EXPR_ZERO};
    static const char *const axes[] = {"x_axis", "y_axis", "z_axis"};
    const mb_model *model = &l->m->model;
    for (int i = 0; i < model->body_count; i++) {
        const char *name = model->bodies[i].name;
        const mb_mat R = mb_frames_body_turn(f, i);
        add_vector(l, name, "position", mb_frames_point(f, i, origin));
        for (int k = 0; k < 3; k++)
            add_vector(l, name, axes[k], mb_mat_column(&R, k));
        add_vector(l, name, "velocity", mb_frames_point_velocity(f, i, origin));
        add_vector(l, name, "omega", mb_frames_body_spin(f, i));
    }
    for (int i = 0; i < model->point_count; i++) {
        const mb_point *p = &model->points[i];
        add_vector(l, p->name, "position", mb_frames_point(f, p->body, p->at));
        add_vector(l, p->name, "velocity", mb_frames_point_velocity(f, p->body, p->at));
    }
}

static mc_status build_kinematics(mc_multibody *m, mc_error *error)
{
    const int count = 18 * m->model.body_count + 6 * m->model.point_count;
    listing l = {.m = m, .node = calloc((size_t)count + 1, sizeof *l.node)};
    mb_frames *f = mb_frames_create(&m->system.links);
    m->kinematics_name = room(m, count, sizeof *m->kinematics_name);
    mc_status status = MC_NO_MEMORY;
    if (l.node && f && m->kinematics_name) {
        list_kinematics(&l, f);
        status = l.no_memory ? MC_NO_MEMORY : expr_graph_status(m->system.graph, error);
    }
    if (status == MC_OK)
        status =
            multibody_build(m, MULTIBODY_KINEMATICS, l.node, l.count, m->kinematics_name, error);
    m->kinematics_count = status == MC_OK ? l.count : 0;
    mb_frames_destroy(f);
    free(l.node);
    return status == MC_NO_MEMORY ? no_memory(error) : status;
}

// ---- loads of joints -------------------------------------------------------------------------

mc_status multibody_joint_loads(mc_multibody *m, mc_error *error)
{
    if (m->joint_load)
        return MC_OK;
    expr_id *nodes = room(m, 6 * m->model.body_count, sizeof *nodes);
    if (!nodes)
        return no_memory(error);
    const mc_status status = mb_joint_loads(&m->system, nodes, error);
    m->joint_load = status == MC_OK ? nodes : NULL;
    return status;
}

static mc_status build_joint_loads(mc_multibody *m, mc_error *error)
{
    const int count = 6 * m->model.body_count;
    mc_status status = multibody_joint_loads(m, error);
    const char **names = room(m, count, sizeof *names);
    if (status == MC_OK && !names)
        status = no_memory(error);
    for (int i = 0; i < count && status == MC_OK; i++) {
        char name[128];
        const int length = snprintf(name, sizeof name, "%s.%s", m->model.bodies[i / 6].name,
                                    multibody_load_words[i % 6]);
        names[i] = arena_copy_text(&m->memory, name, (size_t)length);
        if (!names[i])
            status = no_memory(error);
    }
    return status == MC_OK
               ? multibody_build(m, MULTIBODY_JOINT_LOADS, m->joint_load, count, names, error)
               : status;
}

// ---- matrices --------------------------------------------------------------------------------

// The name of an entry by those of its row and column, or by their numbers where that is too long.
static const char *entry_name(mc_multibody *m, const mb_matrix *matrix, int i, int j)
{
    char name[512];
    int length;
    if (matrix->columns == 1)
        length = snprintf(name, sizeof name, "%s(%s)", matrix->name, matrix->row_name[i]);
    else
        length = snprintf(name, sizeof name, "%s(%s,%s)", matrix->name, matrix->row_name[i],
                          matrix->column_name[j]);
    if (length > 63)
        length = snprintf(name, sizeof name, "%.40s(%d,%d)", matrix->name, i + 1, j + 1);
    return arena_copy_text(&m->memory, name, (size_t)length);
}

static bool make_values(mc_multibody *m, const mb_matrix *matrix, struct matrix_values *out)
{
    const int size = matrix->rows * matrix->columns;
    out->structure = room(m, size, sizeof *out->structure);
    out->value = room(m, size, sizeof *out->value);
    if (!out->structure || !out->value)
        return false;
    for (int i = 0; i < size; i++) {
        const expr_id node = matrix->entry[i];
        out->structure[i] = node == EXPR_ZERO ? 0 : expr_node_at(m->system.graph, node)->varies + 1;
        out->value[i] = 0.0;
    }
    return true;
}

static mc_status build_matrices(mc_multibody *m, mc_error *error)
{
    mc_status status = mb_matrices_make(&m->system, &m->matrices, error);
    if (status != MC_OK)
        return status;
    size_t count = 0;
    for (int k = 0; k < m->matrices.count; k++)
        count += (size_t)m->matrices.matrix[k].rows * (size_t)m->matrices.matrix[k].columns;
    struct matrix_values *values = room(m, m->matrices.count, sizeof *values);
    expr_id *nodes = calloc(count + 1, sizeof *nodes);
    const char **names = calloc(count + 1, sizeof *names);
    status = values && nodes && names ? MC_OK : no_memory(error);
    int used = 0;
    for (int k = 0; k < m->matrices.count && status == MC_OK; k++) {
        const mb_matrix *matrix = &m->matrices.matrix[k];
        if (!make_values(m, matrix, &values[k]))
            status = no_memory(error);
        for (int i = 0; i < matrix->rows * matrix->columns && status == MC_OK; i++) {
            if (matrix->entry[i] == EXPR_ZERO)
                continue;
            nodes[used] = matrix->entry[i];
            names[used] = entry_name(m, matrix, i / matrix->columns, i % matrix->columns);
            if (!names[used++])
                status = no_memory(error);
        }
    }
    if (status == MC_OK)
        status = multibody_build(m, MULTIBODY_MATRICES, nodes, used, names, error);
    m->matrix_values = status == MC_OK ? values : NULL;
    free(nodes);
    free(names);
    return status;
}

// ---- on numbers ------------------------------------------------------------------------------

mc_status multibody_part_make(mc_multibody *m, multibody_part part, mc_error *error)
{
    mc_error own;
    error = error ? error : &own;
    if (m->code[part].program)
        return MC_OK;
    if (part == MULTIBODY_KINEMATICS)
        return build_kinematics(m, error);
    return part == MULTIBODY_JOINT_LOADS ? build_joint_loads(m, error) : build_matrices(m, error);
}

static mc_status evaluate(mc_multibody *m, multibody_part part, double t, const double *y,
                          const double *tau, double *out, mc_error *error)
{
    const mc_status status = multibody_part_make(m, part, error);
    if (status != MC_OK)
        return status;
    multibody_set_state(m, t, y);
    double *at = m->x + mb_at_tau(&m->system);
    for (int k = 0; k < m->system.v_count; k++)
        at[k] = tau ? tau[k] : 0.0;
    multibody_code *code = multibody_use(m, part);
    expr_kernel_run(code->kernel, m->x, code->kept, out ? out : code->result, code->work);
    return MC_OK;
}

mc_status mc_multibody_kinematics(mc_multibody *m, double t, const double *y, double *out,
                                  mc_error *error)
{
    return evaluate(m, MULTIBODY_KINEMATICS, t, y, NULL, out, error);
}

const char *mc_multibody_kinematics_name(mc_multibody *m, int i)
{
    if (multibody_part_make(m, MULTIBODY_KINEMATICS, NULL) != MC_OK || i < 0 ||
        i >= m->kinematics_count)
        return NULL;
    return m->kinematics_name[i];
}

mc_status mc_multibody_joint_loads(mc_multibody *m, double t, const double *y, const double *tau,
                                   double *loads, mc_error *error)
{
    return evaluate(m, MULTIBODY_JOINT_LOADS, t, y, tau, loads, error);
}

// tau_k = F . dv_P/dv_k, by the velocities of the point for unit velocities of the mechanism: they
// are linear in v.
mc_status mc_multibody_push(mc_multibody *m, double t, const double *y, int body,
                            const double at[3], const double force[3], double *tau, mc_error *error)
{
    const mb_system *s = &m->system;
    if (body < 0 || body >= m->model.body_count)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "there is no body %d", body);
    mc_status status = multibody_part_make(m, MULTIBODY_KINEMATICS, error);
    double unit[m->info.y_count + 1];
    memcpy(unit, y, (size_t)m->info.y_count * sizeof *unit);
    memset(unit + s->q_count, 0, (size_t)s->v_count * sizeof *unit);
    for (int k = 0; k < s->v_count && status == MC_OK; k++) {
        unit[s->q_count + k] = 1.0;
        status = evaluate(m, MULTIBODY_KINEMATICS, t, unit, NULL, NULL, error);
        const double *b = m->code[MULTIBODY_KINEMATICS].result + 18 * body;
        double arm[3], turned[3];
        for (int i = 0; i < 3; i++)
            arm[i] = b[3 + i] * at[0] + b[6 + i] * at[1] + b[9 + i] * at[2];
        vec3_cross(b + 15, arm, turned);
        for (int i = 0; i < 3; i++)
            tau[k] += force[i] * (b[12 + i] + turned[i]);
        unit[s->q_count + k] = 0.0;
    }
    return status;
}

mc_status mc_multibody_matrices(mc_multibody *m, double t, const double *y, mc_error *error)
{
    const mc_status status = evaluate(m, MULTIBODY_MATRICES, t, y, NULL, NULL, error);
    const double *result = m->code[MULTIBODY_MATRICES].result;
    for (int k = 0; k < m->matrices.count && status == MC_OK; k++) {
        const mb_matrix *matrix = &m->matrices.matrix[k];
        for (int i = 0; i < matrix->rows * matrix->columns; i++)
            if (m->matrix_values[k].structure[i])
                m->matrix_values[k].value[i] = *result++;
    }
    return status;
}

bool mc_multibody_matrix(const mc_multibody *m, int i, mc_matrix *out)
{
    if (i < 0 || !m->matrix_values || i >= m->matrices.count)
        return false;
    const mb_matrix *matrix = &m->matrices.matrix[i];
    *out = (mc_matrix){.name = matrix->name,
                       .rows = matrix->rows,
                       .columns = matrix->columns,
                       .row_names = matrix->row_name,
                       .column_names = matrix->column_name,
                       .structure = m->matrix_values[i].structure,
                       .value = m->matrix_values[i].value};
    return true;
}
