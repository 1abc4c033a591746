// by_impulses.c - a mechanism over time by impulses: its numbers for the engine, its formulas as a
// program, rows from maximal coordinates.
#include "mechanism/by_impulses.h"
#include "mechanism/dips.h"
#include "mechanism/solids.h"

#include "equations/bodies.h"
#include "road/terrain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- numbers -----------------------------------------------------------------------------------

typedef struct builder {
    mc_multibody *m;
    const double *value; // of every node
    impulse_run *to;
    int *place; // of every body of the mechanism in the list of the engine
    mc_status status;
    mc_error *error;
} builder;

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the mechanism");
}

static void *array(builder *b, int count, size_t size)
{
    void *made = arena_alloc(&b->to->memory, ((size_t)count + 1) * size);
    if (made)
        memset(made, 0, ((size_t)count + 1) * size);
    else if (b->status == MC_OK)
        b->status = no_memory(b->error);
    return made;
}

static void values(const builder *b, const expr_id *nodes, int count, double *out)
{
    for (int k = 0; k < count; k++)
        out[k] = b->value[nodes[k]];
}

static void multiply(const double a[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[3 * i] * x[0] + a[3 * i + 1] * x[1] + a[3 * i + 2] * x[2];
}

// Two unit vectors across a unit axis, right-handed with it.
static void across(const double a[3], double first[3], double second[3])
{
    int smallest = 0;
    for (int k = 1; k < 3; k++)
        smallest = fabs(a[k]) < fabs(a[smallest]) ? k : smallest;
    double length = 0.0;
    for (int k = 0; k < 3; k++) {
        first[k] = (k == smallest) - a[smallest] * a[k];
        length += first[k] * first[k];
    }
    for (int k = 0; k < 3; k++)
        first[k] /= sqrt(length);
    for (int k = 0; k < 3; k++)
        second[k] = a[(k + 1) % 3] * first[(k + 2) % 3] - a[(k + 2) % 3] * first[(k + 1) % 3];
}

// Where the joint is on both bodies. The body's frame stands at `mount` in that of the joint.
static void set_joint(builder *b, const mb_body *from, impulse_body *to)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double at[3], mount_at[3] = {0}, mount[9], on_body[3];
    memcpy(mount, identity, sizeof mount);
    values(b, from->at, 3, at);
    values(b, from->turn, 9, to->inboard_axes);
    if (from->joint == MB_FREE) { // its coordinates are those of the body in the world
        memset(at, 0, sizeof at);
        memcpy(to->inboard_axes, identity, sizeof identity);
    }
    if (from->mounted) {
        values(b, from->mount_at, 3, mount_at);
        values(b, from->mount_turn, 9, mount);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to->body_axes[3 * i + j] = mount[3 * j + i];
    multiply(to->body_axes, mount_at, on_body);
    for (int k = 0; k < 3; k++) {
        to->on_body[k] = -on_body[k] - to->com[k];
        to->on_inboard[k] =
            at[k] - (from->inboard < 0 ? 0.0 : b->value[b->m->model.bodies[from->inboard].com[k]]);
    }
    double first[3], second[3];
    memcpy(to->axis, from->axis, sizeof to->axis);
    multiply(to->inboard_axes, to->axis, to->axis_on_inboard);
    multiply(to->body_axes, to->axis, to->axis_on_body);
    if (from->joint != MB_HINGE)
        return;
    across(to->axis, first, second);
    multiply(to->inboard_axes, first, to->across_on_inboard[0]);
    multiply(to->inboard_axes, second, to->across_on_inboard[1]);
    multiply(to->body_axes, first, to->across_on_body);
}

static void set_body(builder *b, int index, impulse_body *to)
{
    static const int place[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    const mb_links *links = &b->m->system.links;
    const mb_body *from = &b->m->model.bodies[index];
    *to = (impulse_body){.name = from->name,
                         .body = index,
                         .inboard = from->inboard < 0 ? -1 : b->place[from->inboard],
                         .joint = from->joint,
                         .mass = b->value[from->mass],
                         .euler = from->euler,
                         .quasi_velocity = from->quasi_velocity,
                         .q = links->body_q[index],
                         .v = links->body_v[index],
                         .freedom_count = mb_velocity_count(from),
                         .formula = -1};
    for (int k = 0; k < 9; k++)
        to->inertia[k] = b->value[from->inertia[place[k]]];
    values(b, from->com, 3, to->com);
    set_joint(b, from, to);
    memcpy(to->sequence, from->sequence, sizeof to->sequence);
    memcpy(to->free, from->free, sizeof to->free);
    values(b, from->held, 6, to->held);
    if (from->joint != MB_HINGE && from->joint != MB_PRISM)
        return;
    to->stiffness = b->value[from->stiffness];
    to->damping = b->value[from->damping];
    to->rest = b->value[from->rest];
    to->has_load = to->stiffness != 0.0 || to->damping != 0.0 || from->load.text;
    if (!from->load.text)
        return;
    const expr_id load = b->m->system.joint_load[index];
    if (expr_node_at(b->m->system.graph, load)->varies)
        to->formula = 0; // set when the program is made
    else
        to->load = b->value[load];
}

static impulse_point point(const builder *b, int index)
{
    const mb_point *from = &b->m->model.points[index];
    impulse_point out = {.body = from->body < 0 ? -1 : b->place[from->body]};
    for (int k = 0; k < 3; k++)
        out.at[k] = b->value[from->at[k]] -
                    (from->body < 0 ? 0.0 : b->value[b->m->model.bodies[from->body].com[k]]);
    return out;
}

static void set_loads(builder *b)
{
    const mb_model *model = &b->m->model;
    impulse_model *to = &b->to->model;
    to->springs = array(b, model->spring_count, sizeof *to->springs);
    to->forces = array(b, model->force_count + model->torque_count, sizeof *to->forces);
    for (int i = 0; i < model->spring_count && b->status == MC_OK; i++) {
        const mb_spring *from = &model->springs[i];
        to->springs[to->spring_count++] = (impulse_spring){.from = point(b, from->from),
                                                           .to = point(b, from->to),
                                                           .stiffness = b->value[from->stiffness],
                                                           .damping = b->value[from->damping],
                                                           .length = b->value[from->length],
                                                           .formula = from->force.text ? 0 : -1};
    }
    for (int i = 0; i < model->force_count && b->status == MC_OK; i++)
        to->forces[to->force_count++] = (impulse_force){
            .at = point(b, model->forces[i].point), .in_body = model->forces[i].frame == MB_BODY};
    for (int i = 0; i < model->torque_count && b->status == MC_OK; i++)
        to->forces[to->force_count++] =
            (impulse_force){.at = {.body = b->place[model->torques[i].body]},
                            .torque = true,
                            .in_body = model->torques[i].frame == MB_BODY};
}

static void set_wheels(builder *b)
{
    const mb_model *model = &b->m->model;
    impulse_model *to = &b->to->model;
    to->wheels = array(b, model->wheel_count, sizeof *to->wheels);
    for (int i = 0; i < model->wheel_count && b->status == MC_OK; i++) {
        const mb_wheel *from = &model->wheels[i];
        impulse_wheel *made = &to->wheels[to->wheel_count++];
        *made = (impulse_wheel){.name = from->name,
                                .body = b->place[from->body],
                                .radius = b->value[from->radius],
                                .width = b->value[from->width],
                                .planes = from->planes,
                                .friction = b->value[from->friction],
                                .restitution = b->value[from->restitution],
                                .stiffness = b->value[from->stiffness],
                                .damping = b->value[from->damping],
                                .slip = b->value[from->slip]};
        for (int k = 0; k < 3; k++) {
            made->at[k] = b->value[from->at[k]] - b->value[model->bodies[from->body].com[k]];
            made->axis[k] = from->axis[k];
        }
        const struct {
            const char *key;
            double value;
            bool zero;
        } numbers[] = {{"radius", made->radius, false},
                       {"width", made->width, true},
                       {"friction", made->friction, true},
                       {"restitution", made->restitution, true},
                       {"stiffness", made->stiffness, from->rigid},
                       {"damping", made->damping, true},
                       {"slip", made->slip, from->rigid}};
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
            if (b->status == MC_OK && !(numbers[k].value >= 0.0 && isfinite(numbers[k].value) &&
                                        (numbers[k].zero || numbers[k].value > 0.0)))
                b->status =
                    mc_error_set(b->error, MC_BAD_INPUT, model->file, from->line, 0,
                                 "%s of wheel %s is %.9g, expected %s", numbers[k].key, from->name,
                                 numbers[k].value, numbers[k].zero ? "0 or above" : "above 0");
    }
}

// One pair for every shape of one body and every shape of the other, or the ground.
static void set_contact(builder *b, int index, impulse_shape *const *shapes)
{
    const mb_model *model = &b->m->model;
    const mb_contact *from = &model->contacts[index];
    impulse_model *to = &b->to->model;
    const int others = from->other < 0 ? 1 : model->bodies[from->other].shape_count;
    const impulse_pair made = {.name = from->name,
                               .body = b->place[from->body],
                               .other = from->other < 0 ? -1 : b->place[from->other],
                               .friction = b->value[from->friction],
                               .restitution = b->value[from->restitution]};
    const double numbers[2] = {made.friction, made.restitution};
    for (int k = 0; k < 2 && b->status == MC_OK; k++)
        if (!(numbers[k] >= 0.0 && isfinite(numbers[k])))
            b->status = mc_error_set(b->error, MC_BAD_INPUT, model->file, from->line, 0,
                                     "%s of contact %s is %.9g, expected 0 or above",
                                     k == 0 ? "friction" : "restitution", from->name, numbers[k]);
    for (int i = 0; i < model->bodies[from->body].shape_count; i++)
        for (int j = 0; j < others; j++) {
            impulse_pair *pair = &to->pairs[to->pair_count];
            b->to->pair_contact[to->pair_count++] = index;
            *pair = made;
            pair->shape = &shapes[from->body][i];
            pair->against = from->other < 0 ? NULL : &shapes[from->other][j];
        }
}

static void set_contacts(builder *b)
{
    const mb_model *model = &b->m->model;
    impulse_model *to = &b->to->model;
    impulse_shape **shapes = array(b, model->body_count, sizeof *shapes);
    int pairs = 0;
    for (int i = 0; i < model->contact_count; i++) {
        const mb_contact *c = &model->contacts[i];
        pairs += model->bodies[c->body].shape_count *
                 (c->other < 0 ? 1 : model->bodies[c->other].shape_count);
    }
    to->pairs = array(b, pairs, sizeof *to->pairs);
    b->to->pair_contact = array(b, pairs, sizeof(int));
    for (int i = 0; i < 2 * model->contact_count && b->status == MC_OK; i++) {
        const mb_contact *c = &model->contacts[i / 2];
        const int body = i % 2 == 0 ? c->body : c->other;
        if (body < 0 || shapes[body])
            continue;
        shapes[body] = array(b, model->bodies[body].shape_count, sizeof *shapes[body]);
        for (int k = 0; k < model->bodies[body].shape_count && b->status == MC_OK; k++)
            b->status = solid_of_shape(b->m, body, k, to->bodies[b->place[body]].com, c->line,
                                       &shapes[body][k], b->error);
    }
    for (int i = 0; i < model->contact_count && b->status == MC_OK; i++)
        set_contact(b, i, shapes);
}

static void set_limits(builder *b)
{
    const mb_model *model = &b->m->model;
    impulse_model *to = &b->to->model;
    to->limits = array(b, model->limit_count, sizeof *to->limits);
    to->motors = array(b, model->motor_count, sizeof *to->motors);
    for (int i = 0; i < model->limit_count && b->status == MC_OK; i++) {
        const mb_limit *from = &model->limits[i];
        const impulse_limit made = {.body = b->place[from->body],
                                    .min = from->has_min ? b->value[from->min] : -INFINITY,
                                    .max = from->has_max ? b->value[from->max] : INFINITY,
                                    .restitution = b->value[from->restitution]};
        to->limits[to->limit_count++] = made;
        if (!(made.min < made.max))
            b->status = mc_error_set(b->error, MC_BAD_INPUT, model->file, from->line, 0,
                                     "limit %s: min %.9g is not below max %.9g", from->name,
                                     made.min, made.max);
    }
    for (int i = 0; i < model->motor_count && b->status == MC_OK; i++)
        to->motors[to->motor_count++] = (impulse_motor){.body = b->place[model->motors[i].body]};
}

// ---- formulas ----------------------------------------------------------------------------------

typedef struct listing {
    builder *b;
    expr_id *node;
    int count, capacity;
} listing;

static int add_node(listing *l, expr_id node)
{
    if (l->count == l->capacity) {
        l->capacity = 2 * l->capacity + 64;
        expr_id *more = realloc(l->node, (size_t)l->capacity * sizeof *more);
        if (!more) {
            l->b->status = no_memory(l->b->error);
            l->capacity = l->count;
            return 0;
        }
        l->node = more;
    }
    l->node[l->count] = node;
    return l->count++;
}

// Rows beside the tree: entries of A, e', the part of e'' without v', e.
static void list_rows(listing *l)
{
    const mb_rows *rows = &l->b->m->system.rows;
    impulse_model *to = &l->b->to->model;
    to->beside = array(l->b, rows->kept_count, sizeof *to->beside);
    for (int i = 0; i < rows->kept_count && l->b->status == MC_OK; i++) {
        const mb_row *row = &rows->row[rows->kept[i]];
        impulse_beside *made = &to->beside[to->beside_count++];
        *made =
            (impulse_beside){.count = row->count, .velocity = row->velocity, .formula = l->count};
        for (int k = 0; k < row->count; k++)
            add_node(l, row->by[k]);
        add_node(l, row->rate);
        add_node(l, row->bias);
        add_node(l, row->e == EXPR_NONE ? EXPR_ZERO : row->e);
    }
}

// What the rows do to bodies directly: for the loads of the joints in the tree.
static void list_pushes(listing *l)
{
    builder *b = l->b;
    const mb_system *s = &b->m->system;
    impulse_model *to = &b->to->model;
    mb_bodies bodies = {0};
    const int count = s->model->body_count;
    expr_id *all = calloc(6 * (size_t)count + 1, sizeof *all);
    b->status = all ? mb_bodies_make(s, &bodies, b->error) : no_memory(b->error);
    for (int i = 0; i < to->beside_count && b->status == MC_OK; i++) {
        int *body = array(b, count, sizeof *body);
        impulse_beside *row = &to->beside[i];
        b->status = mb_body_row(&bodies.rows, s->rows.kept[i], false, all, b->error);
        row->push_body = body;
        row->push_formula = l->count;
        for (int k = 0; k < count && b->status == MC_OK; k++) {
            bool any = false;
            for (int x = 0; x < 6; x++)
                any = any || all[6 * k + x] != EXPR_ZERO;
            for (int x = 0; x < 6 && any; x++)
                add_node(l, all[6 * k + x]);
            if (any)
                body[row->push_count++] = b->place[k];
        }
    }
    mb_bodies_free(&bodies);
    free(all);
}

// Loads of joints beside the tree and of constraints, per multiplier.
static void list_row_loads(listing *l)
{
    const mb_rows *rows = &l->b->m->system.rows;
    l->b->to->load_formula = l->count;
    for (int i = 0; i < rows->load_count; i++)
        for (int r = 0; r < rows->kept_count; r++)
            add_node(l, rows->load[i].by[rows->kept[r]]);
}

static void list_motors(listing *l)
{
    builder *b = l->b;
    const mb_system *s = &b->m->system;
    impulse_model *to = &b->to->model;
    mb_bodies bodies = {0};
    if (to->motor_count == 0)
        return;
    b->status = mb_bodies_make(s, &bodies, b->error);
    for (int i = 0; i < to->motor_count && b->status == MC_OK; i++) {
        const mb_motor *from = &s->model->motors[i];
        const bool turns = to->bodies[to->motors[i].body].joint == MB_HINGE;
        expr_value speed, max;
        b->status = mb_scope_formula(bodies.scope, &from->speed, 1, mb_unit(turns ? 0 : 1, 0, -1),
                                     &speed, b->error);
        if (b->status == MC_OK)
            b->status = mb_scope_formula(bodies.scope, &from->max, 1, mb_unit(turns ? 2 : 1, 1, -2),
                                         &max, b->error);
        if (b->status != MC_OK)
            break;
        to->motors[i].speed_formula = add_node(l, speed.v[0]);
        to->motors[i].max_formula = add_node(l, max.v[0]);
    }
    mb_bodies_free(&bodies);
}

static void list_formulas(listing *l)
{
    const mb_system *s = &l->b->m->system;
    impulse_model *to = &l->b->to->model;
    list_rows(l);
    if (to->beside_count > 0 && to->settings.loads && l->b->status == MC_OK)
        list_pushes(l);
    for (int i = 0; i < to->body_count; i++)
        if (to->bodies[i].formula >= 0)
            to->bodies[i].formula = add_node(l, s->joint_load[to->bodies[i].body]);
    for (int i = 0; i < to->spring_count; i++)
        if (to->springs[i].formula >= 0)
            to->springs[i].formula = add_node(l, s->spring_force[i]);
    for (int i = 0; i < to->force_count; i++) {
        const int torque = i - s->model->force_count;
        const mb_vec *value = torque < 0 ? &s->force[i] : &s->torque[torque];
        to->forces[i].formula = l->count;
        for (int k = 0; k < 3; k++)
            add_node(l, value->v[k]);
    }
    list_motors(l);
    to->rate_formula = l->count;
    for (int i = 0; i < s->state_count; i++)
        add_node(l, s->rate[s->q_count + s->v_count + i]);
    if (s->rows.count > 0)
        list_row_loads(l);
}

static void run_formulas(void *context, double t, const double *y, double *out)
{
    mc_multibody *m = context;
    multibody_set_state(m, t, y);
    multibody_code *code = multibody_use(m, MULTIBODY_IMPULSES);
    expr_kernel_run(code->kernel, m->x, code->kept, out, code->work);
}

static void make_program(builder *b)
{
    listing l = {.b = b};
    impulse_model *to = &b->to->model;
    list_formulas(&l);
    to->formula_count = l.count;
    if (b->status == MC_OK && l.count > 0 && !b->m->code[MULTIBODY_IMPULSES].program)
        b->status = multibody_build(b->m, MULTIBODY_IMPULSES, l.node, l.count, NULL, b->error);
    if (l.count > 0) {
        to->program = run_formulas;
        to->context = b->m;
    }
    free(l.node);
}

// ---- the whole ---------------------------------------------------------------------------------

// The terrain of the file as the ground of the engine.
static terrain_wheel wheel_of(const impulse_disc *disc)
{
    terrain_wheel w = {.radius = disc->radius, .width = disc->width, .planes = disc->planes};
    memcpy(w.centre, disc->centre, sizeof w.centre);
    memcpy(w.axis, disc->axis, sizeof w.axis);
    return w;
}

static void meet_terrain(const void *context, const impulse_disc *disc, double reach,
                         impulse_touch out[IMPULSE_PLANES_MAX])
{
    const terrain_wheel wheel = wheel_of(disc);
    const double reference = ((const road_terrain *)context)->reference;
    terrain_touch touch[TERRAIN_PLANES_MAX];
    terrain_meet(context, &wheel, reach, touch);
    for (int p = 0; p < disc->planes; p++) {
        out[p] = (impulse_touch){.gap = touch[p].gap,
                                 .friction = touch[p].friction / reference,
                                 .restitution = touch[p].restitution};
        memcpy(out[p].point, touch[p].point, sizeof out[p].point);
        memcpy(out[p].normal, touch[p].normal, sizeof out[p].normal);
    }
}

// First order: by the height and the slopes of the ground under the point.
static void under_terrain(const void *context, const double at[3], impulse_touch *out)
{
    const road_terrain *t = context;
    terrain_point p;
    terrain_at(t, at[0], at[1], &p);
    const double steep = 1.0 / sqrt(1.0 + p.zx * p.zx + p.zy * p.zy);
    *out = (impulse_touch){.gap = (at[2] - p.z) * steep,
                           .normal = {-p.zx * steep, -p.zy * steep, steep},
                           .friction = p.friction / t->reference,
                           .restitution = p.restitution};
    for (int k = 0; k < 3; k++)
        out->point[k] = at[k] - out->gap * out->normal[k];
}

static double approach_terrain(const void *context, const impulse_disc *disc, double reach,
                               const double v[3], const double omega[3])
{
    const terrain_wheel wheel = wheel_of(disc);
    return terrain_approach_max(context, &wheel, reach, v, omega);
}

impulse_ground impulse_ground_of(const mb_model *model)
{
    return model->terrain
               ? (impulse_ground){model->terrain, meet_terrain, approach_terrain, under_terrain}
               : impulse_plane;
}

static mc_status check(const mc_multibody *m, const mc_simulate_options *options, mc_error *error)
{
    if (options->load)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "the engine impulses takes no loads from outside; use the engine "
                            "equations, or inputs and formulas");
    const char *owner;
    int line;
    if (mb_switch_at(&m->model, 0, &owner, &line))
        return mc_error_set(
            error, MC_BAD_INPUT, m->model.file, line, 0,
            "%s has a condition (on_when, off_when), which the engine impulses does "
            "not support; use --engine equations, or a limit",
            owner);
    return MC_OK;
}

bool mc_solver_at(int index, mc_solver *out)
{
    const impulse_solver *s = impulse_solver_at(index);
    if (s)
        *out = (mc_solver){impulse_solver_name(s), impulse_solver_doc(s)};
    return s != NULL;
}

mc_status mc_solver_find(const char *name, mc_solver *out, mc_error *error)
{
    char list[120] = "";
    for (int i = 0; mc_solver_at(i, out); i++) {
        if (strcmp(name, out->name) == 0)
            return MC_OK;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", out->name);
    }
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "unknown solver \"%.40s\"; expected one of: %s", name, list);
}

// The command's before the file's.
static void set_settings(const mb_stepping *file, mc_simulate_options o, impulse_settings *to)
{
    o.iterations = o.iterations > 0 ? o.iterations : file->iterations;
    o.tolerance = o.tolerance > 0.0 ? o.tolerance : file->tolerance;
    o.substeps = o.substeps > 0 ? o.substeps : file->substeps;
    o.friction = o.friction ? o.friction : file->friction;
    o.solver = o.solver ? o.solver : file->solver;
    *to = impulse_settings_default();
    if (o.iterations > 0)
        to->iterations = o.iterations;
    if (o.tolerance > 0.0)
        to->tolerance = o.tolerance;
    if (o.substeps > 0)
        to->substeps = o.substeps;
    if (o.friction && strcmp(o.friction, "box") == 0)
        to->friction = IMPULSE_BOX;
    const impulse_solver *solver;
    for (int i = 0; o.solver && (solver = impulse_solver_at(i)); i++)
        if (strcmp(o.solver, impulse_solver_name(solver)) == 0)
            to->solver = solver;
}

mc_status impulse_run_make(mc_multibody *m, const mc_simulate_options *options, impulse_run *out,
                           mc_error *error)
{
    const mb_model *model = &m->model;
    *out = (impulse_run){.m = m};
    mc_status status = check(m, options, error);
    if (status != MC_OK)
        return status;
    double *value = malloc((expr_node_count(m->system.graph) + 1) * sizeof *value);
    if (!value)
        return no_memory(error);
    mb_model_values(model, value);
    builder b = {.m = m, .value = value, .to = out, .error = error};
    impulse_model *to = &out->model;
    b.place = array(&b, model->body_count, sizeof *b.place);
    to->bodies = array(&b, model->body_count, sizeof *to->bodies);
    to->body_count = model->body_count;
    to->q_count = m->system.q_count;
    to->v_count = m->system.v_count;
    to->state_count = m->system.state_count;
    values(&b, model->gravity, 3, to->gravity);
    set_settings(&model->stepping, *options, &to->settings);
    to->settings.loads = model->load_count > 0;
    if (model->terrain)
        to->ground = impulse_ground_of(model);
    for (int i = 0; i < model->body_count && b.status == MC_OK; i++)
        b.place[m->system.links.order[i]] = i;
    for (int i = 0; i < model->body_count && b.status == MC_OK; i++)
        set_body(&b, m->system.links.order[i], &to->bodies[i]);
    if (b.status == MC_OK)
        set_loads(&b);
    if (b.status == MC_OK)
        set_wheels(&b);
    if (b.status == MC_OK)
        set_contacts(&b);
    if (b.status == MC_OK)
        set_limits(&b);
    if (b.status == MC_OK)
        make_program(&b);
    free(value);
    if (b.status == MC_OK)
        out->engine = impulses_create(to, error);
    if (b.status == MC_OK && !out->engine)
        b.status = error->code;
    out->place = b.place;
    if (b.status != MC_OK)
        impulse_run_free(out);
    return b.status;
}

void impulse_run_free(impulse_run *r)
{
    dips_free(r->dips);
    impulses_destroy(r->engine);
    arena_free(&r->memory);
    *r = (impulse_run){0};
}

// ---- what it is now ----------------------------------------------------------------------------

void impulse_run_amend(void *context, double *outputs)
{
    const impulse_run *run = context;
    const mb_model *model = &run->m->model;
    const mb_rows *rows = &run->m->system.rows;
    if (!run->stepped)
        return; // no impulse yet: the equations' loads of the start
    double *at = outputs + model->variable_count + ENERGIES + 2 * model->spring_count +
                 3 * model->point_count;
    for (int i = 0; i < model->wheel_count; i++, at += 3)
        impulses_wheel_force(run->engine, i, at);
    memset(at, 0, 3 * (size_t)model->contact_count * sizeof *at);
    for (int i = 0; i < run->model.pair_count; i++) {
        double force[3];
        impulses_pair_force(run->engine, i, force);
        for (int k = 0; k < 3; k++)
            at[3 * run->pair_contact[i] + k] += force[k];
    }
    at += 3 * model->contact_count;
    for (int i = 0; i < rows->load_count; i++, at++) {
        *at = 0.0;
        for (int r = 0; r < rows->kept_count; r++)
            *at += run->by[i * rows->kept_count + r] * impulses_multiplier(run->engine, r);
    }
    for (int i = 0; i < model->load_count; i++, at += 6)
        impulses_joint_load(run->engine, run->place[model->loads[i]], at);
}

void impulse_run_read(impulse_run *run, double t, double *y)
{
    impulses_read(run->engine, y);
    if (run->m->system.rows.load_count > 0) {
        multibody_code *code = multibody_use(run->m, MULTIBODY_IMPULSES);
        run_formulas(run->m, t, y, code->result);
        run->by = code->result + run->load_formula;
    }
}

void impulse_run_row(impulse_run *run, double t, double *y, double *outputs)
{
    impulse_run_read(run, t, y);
    mc_multibody_outputs(run->m, t, y, outputs);
    impulse_run_amend(run, outputs);
}
