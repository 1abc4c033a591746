// tree.c - trees of rigid bodies from files and formulas, their states, forces and model files.
#include "support/tree.h"

#include "num/dense.h"
#include "num/vec3.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const joint_name[] = {[TREE_FREE] = "free",
                                         [TREE_FIXED] = "fixed",
                                         [TREE_HINGE] = "hinge",
                                         [TREE_PRISM] = "prism",
                                         [TREE_BALL] = "ball"};

// ---- where things stand in q and v -------------------------------------------------------------

int tree_joint_nq(tree_joint joint)
{
    static const int nq[] = {
        [TREE_FREE] = 7, [TREE_FIXED] = 0, [TREE_HINGE] = 1, [TREE_PRISM] = 1, [TREE_BALL] = 4};
    return nq[joint];
}

int tree_joint_nv(tree_joint joint)
{
    static const int nv[] = {
        [TREE_FREE] = 6, [TREE_FIXED] = 0, [TREE_HINGE] = 1, [TREE_PRISM] = 1, [TREE_BALL] = 3};
    return nv[joint];
}

int tree_q_offset(const tree *t, int body)
{
    int sum = 0;
    for (int i = 0; i < body; i++)
        sum += tree_joint_nq(t->body[i].joint);
    return sum;
}

int tree_v_offset(const tree *t, int body)
{
    int sum = 0;
    for (int i = 0; i < body; i++)
        sum += tree_joint_nv(t->body[i].joint);
    return sum;
}

int tree_nq(const tree *t)
{
    return tree_q_offset(t, t->body_count);
}

int tree_nv(const tree *t)
{
    return tree_v_offset(t, t->body_count);
}

// ---- rotations and inertias --------------------------------------------------------------------

void tree_rotation(const double quaternion[4], double r[9])
{
    const double w = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
    const double m[9] = {w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z),
                         2.0 * (x * z + w * y),         2.0 * (x * y + w * z),
                         w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x),
                         2.0 * (x * z - w * y),         2.0 * (y * z + w * x),
                         w * w - x * x - y * y + z * z};
    memcpy(r, m, sizeof m);
}

// The quaternion of a rotation matrix, from its largest component: no cancellation.
static void quaternion_of(const double r[9], double q[4])
{
    const double trace = r[0] + r[4] + r[8];
    const double square[4] = {1.0 + trace, 1.0 - trace + 2.0 * r[0], 1.0 - trace + 2.0 * r[4],
                              1.0 - trace + 2.0 * r[8]};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (square[i] > square[k])
            k = i;
    const double pair[4][4] = {{square[0], r[7] - r[5], r[2] - r[6], r[3] - r[1]},
                               {r[7] - r[5], square[1], r[1] + r[3], r[2] + r[6]},
                               {r[2] - r[6], r[1] + r[3], square[2], r[5] + r[7]},
                               {r[3] - r[1], r[2] + r[6], r[5] + r[7], square[3]}};
    double norm = 0.0;
    for (int i = 0; i < 4; i++)
        norm += pair[k][i] * pair[k][i];
    for (int i = 0; i < 4; i++)
        q[i] = pair[k][i] / sqrt(norm);
}

void tree_principal(const tree_body *body, double moment[3], double axes[4])
{
    const double *i = body->inertia;
    if (i[3] == 0.0 && i[4] == 0.0 && i[5] == 0.0) {
        memcpy(moment, i, 3 * sizeof *moment);
        memcpy(axes, (double[]){1.0, 0.0, 0.0, 0.0}, 4 * sizeof *axes);
        return;
    }
    // Eigenvectors come as columns of a column-major matrix: as rows of r they turn body axes into
    // principal axes. Their transpose is needed, right-handed.
    double vectors[9] = {i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]};
    const bool solved = dense_symmetric_eigen(3, vectors, moment);
    assert(solved);
    (void)solved;
    const double hand = mat3_det(vectors) < 0.0 ? -1.0 : 1.0;
    double r[9];
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            r[3 * row + column] = hand * vectors[3 * column + row];
    quaternion_of(r, axes);
}

// ---- forces ------------------------------------------------------------------------------------

// out = rot(axis, angle) x
static void turn(const double axis[3], double angle, const double x[3], double out[3])
{
    double side[3];
    vec3_cross(axis, x, side);
    const double along = vec3_dot(axis, x) * (1.0 - cos(angle));
    for (int k = 0; k < 3; k++)
        out[k] = cos(angle) * x[k] + sin(angle) * side[k] + along * axis[k];
}

// With L the length of the spring, f = -(k (L - L0) + c dL/dt) pushes its ends apart, and
// tau = f dL/dq, dL/dq = (axis x r) . d / L with r the end on the body seen from the hinge and d
// the vector from end to end, all in the body's frame at q = 0.
static double spring_torque(const tree_body *body, const tree_spring *spring, double q, double v)
{
    double r0[9], from_hinge[3], on_parent[3], r[3], d[3], lever[3];
    tree_rotation(body->r0, r0);
    for (int k = 0; k < 3; k++)
        from_hinge[k] = spring->on_parent[k] - body->p[k];
    mat3_tmul_vec(r0, from_hinge, on_parent);
    turn(body->axis, q, spring->on_body, r);
    for (int k = 0; k < 3; k++)
        d[k] = r[k] - on_parent[k];
    vec3_cross(body->axis, r, lever);
    const double length = vec3_norm(d), slope = vec3_dot(lever, d) / length;
    return -(spring->stiffness * (length - spring->free_length) + spring->damping * slope * v) *
           slope;
}

void tree_forces(const tree *t, const double *q, const double *v, double *tau)
{
    memset(tau, 0, (size_t)tree_nv(t) * sizeof *tau);
    for (int i = 0; i < t->spring_count; i++) {
        const tree_spring *spring = &t->spring[i];
        const int at = tree_v_offset(t, spring->body);
        tau[at] +=
            spring_torque(&t->body[spring->body], spring, q[tree_q_offset(t, spring->body)], v[at]);
    }
    for (int i = 0; i < t->torque_count; i++)
        tau[tree_v_offset(t, t->torque[i].body)] += t->torque[i].value;
}

// ---- model files -------------------------------------------------------------------------------

static void write_list(FILE *file, const char *key, const double *value, int count)
{
    fprintf(file, "    %s: [", key);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%.17g", i > 0 ? ", " : "", value[i]);
    fprintf(file, "]\n");
}

void tree_write_yaml(const tree *t, FILE *file)
{
    fprintf(file, "motorcade: multibody\nname: %s\n", t->name);
    fprintf(file, "gravity: [%.17g, %.17g, %.17g]\nbodies:\n", t->gravity[0], t->gravity[1],
            t->gravity[2]);
    for (int i = 0; i < t->body_count; i++) {
        const tree_body *b = &t->body[i];
        fprintf(file, "  %s:\n", b->name);
        fprintf(file, "    inboard: %s\n", b->parent < 0 ? "ground" : t->body[b->parent].name);
        fprintf(file, "    joint: %s\n", joint_name[b->joint]);
        if (b->joint != TREE_FREE) {
            write_list(file, "at", b->p, 3);
            write_list(file, "orientation", b->r0, 4);
        }
        if (b->joint == TREE_HINGE || b->joint == TREE_PRISM)
            write_list(file, "axis", b->axis, 3);
        fprintf(file, "    mass: %.17g\n", b->mass);
        write_list(file, "com", b->com, 3);
        write_list(file, "inertia", b->inertia, 6);
        if (b->axisymmetric != 0)
            fprintf(file, "    axisymmetric: %c\n", b->axisymmetric);
    }
}

// ---- chance ------------------------------------------------------------------------------------

// A multiplicative xorshift (Marsaglia 2003, Vigna 2016): any seed but 0 gives all others in turn.
static unsigned long long random_bits(unsigned long long *seed)
{
    unsigned long long x = *seed != 0 ? *seed : 88172645463325252ULL;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *seed = x;
    return x * 2685821657736338717ULL;
}

double tree_uniform(unsigned long long *seed, double low, double high)
{
    return low + (high - low) * (double)(random_bits(seed) >> 11) * 0x1p-53;
}

// A point of the unit sphere in n dimensions (n <= 4), evenly spread.
static void random_direction(unsigned long long *seed, int n, double *x)
{
    double square;
    do {
        square = 0.0;
        for (int k = 0; k < n; k++) {
            x[k] = tree_uniform(seed, -1.0, 1.0);
            square += x[k] * x[k];
        }
    } while (square > 1.0 || square < 0.01);
    for (int k = 0; k < n; k++)
        x[k] /= sqrt(square);
}

// ---- files -------------------------------------------------------------------------------------

static bool joint_of(const char *word, tree_joint *joint)
{
    for (size_t i = 0; i < sizeof joint_name / sizeof joint_name[0]; i++)
        if (strcmp(word, joint_name[i]) == 0) {
            *joint = (tree_joint)i;
            return true;
        }
    return false;
}

// A body that looks the same however far its hinge has turned: its angle drops out of the
// equations.
static void mark_axisymmetric(tree *t)
{
    for (int i = 0; i < t->body_count; i++) {
        tree_body *b = &t->body[i];
        const double *in = b->inertia;
        bool leaf = true;
        for (int k = 0; k < t->body_count; k++)
            leaf = leaf && t->body[k].parent != i;
        if (b->joint != TREE_HINGE || !leaf || in[3] != 0.0 || in[4] != 0.0 || in[5] != 0.0)
            continue;
        for (int k = 0; k < 3; k++) {
            const int m = (k + 1) % 3, n = (k + 2) % 3;
            if (fabs(b->axis[k]) == 1.0 && b->com[m] == 0.0 && b->com[n] == 0.0 && in[m] == in[n])
                b->axisymmetric = (char)('x' + k);
        }
    }
}

// Each reader of a record answers what is wrong, or NULL.
static const char *read_body(tree *t, const char *line)
{
    tree_body b = {.parent = -1};
    int index;
    char joint[16];
    if (t->body_count == TREE_BODY_MAX)
        return "too many bodies";
    const int count = sscanf(
        line,
        "body %d %31s %d %15s %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf "
        "%lf %lf %lf",
        &index, b.name, &b.parent, joint, &b.p[0], &b.p[1], &b.p[2], &b.r0[0], &b.r0[1], &b.r0[2],
        &b.r0[3], &b.axis[0], &b.axis[1], &b.axis[2], &b.mass, &b.com[0], &b.com[1], &b.com[2],
        &b.inertia[0], &b.inertia[1], &b.inertia[2], &b.inertia[3], &b.inertia[4], &b.inertia[5]);
    if (count != 24)
        return "a body has 24 values";
    if (index != t->body_count)
        return "bodies stand in order, from 0";
    if (b.parent < -1 || b.parent >= index)
        return "the parent is -1 or a body above";
    if (!joint_of(joint, &b.joint))
        return "a joint is free, fixed, hinge, prism or ball";
    if (b.joint == TREE_FREE && b.parent >= 0)
        return "only a child of the world can be free";
    t->body[t->body_count++] = b;
    return NULL;
}

static bool has_axis(const tree *t, int body)
{
    return body >= 0 && body < t->body_count &&
           (t->body[body].joint == TREE_HINGE || t->body[body].joint == TREE_PRISM);
}

static const char *read_spring(tree *t, const char *line)
{
    tree_spring s = {0};
    const int count =
        sscanf(line, "tsda %d %lf %lf %lf %lf %lf %lf %lf %lf %lf", &s.body, &s.on_parent[0],
               &s.on_parent[1], &s.on_parent[2], &s.on_body[0], &s.on_body[1], &s.on_body[2],
               &s.stiffness, &s.damping, &s.free_length);
    if (count != 10 || t->spring_count == TREE_BODY_MAX)
        return "a spring has 10 values";
    if (!has_axis(t, s.body) || t->body[s.body].joint != TREE_HINGE)
        return "a spring acts on a body with a hinge";
    t->spring[t->spring_count++] = s;
    return NULL;
}

static const char *read_torque(tree *t, const char *line)
{
    tree_torque u = {0};
    if (sscanf(line, "torque %d %lf", &u.body, &u.value) != 2 || t->torque_count == TREE_BODY_MAX)
        return "a torque has 2 values";
    if (!has_axis(t, u.body))
        return "a torque acts on a body with a hinge or prism";
    t->torque[t->torque_count++] = u;
    return NULL;
}

static const char *read_line(tree *t, const char *line)
{
    char word[16] = "";
    if (sscanf(line, "%15s", word) != 1 || word[0] == '#')
        return NULL;
    if (strcmp(word, "body") == 0)
        return read_body(t, line);
    if (strcmp(word, "tsda") == 0)
        return read_spring(t, line);
    if (strcmp(word, "torque") == 0)
        return read_torque(t, line);
    if (strcmp(word, "gravity") == 0)
        return sscanf(line, "gravity %lf %lf %lf", &t->gravity[0], &t->gravity[1],
                      &t->gravity[2]) == 3
                   ? NULL
                   : "gravity has 3 values";
    return "a record is gravity, body, tsda or torque";
}

bool tree_read(tree *t, const char *path)
{
    memset(t, 0, sizeof *t);
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    const size_t length = strcspn(base, ".");
    snprintf(t->name, sizeof t->name, "%.*s", (int)length, base);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        return false;
    }
    char *line = NULL;
    size_t size = 0;
    const char *wrong = NULL;
    for (int number = 1; wrong == NULL && getline(&line, &size, file) >= 0; number++) {
        wrong = read_line(t, line);
        if (wrong != NULL)
            fprintf(stderr, "%s:%d: %s\n", path, number, wrong);
    }
    free(line);
    fclose(file);
    mark_axisymmetric(t);
    return wrong == NULL && t->body_count > 0;
}

// ---- formulas ----------------------------------------------------------------------------------

// Inertia of a cloud of mass with second moments s about its principal axes, turned by a
// quaternion: moments s_y + s_z and so on, so that no moment exceeds the sum of the others.
static void set_inertia(tree_body *body, const double s[3], const double axes[4])
{
    const double moment[3] = {s[1] + s[2], s[0] + s[2], s[0] + s[1]};
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    double r[9];
    tree_rotation(axes, r);
    for (int k = 0; k < 6; k++) {
        body->inertia[k] = 0.0;
        for (int m = 0; m < 3; m++)
            body->inertia[k] += r[3 * row[k] + m] * moment[m] * r[3 * column[k] + m];
    }
}

static void set_unit(double *x, int n, const double *value)
{
    double square = 0.0;
    for (int k = 0; k < n; k++)
        square += value[k] * value[k];
    for (int k = 0; k < n; k++)
        x[k] = value[k] / sqrt(square);
}

static tree named(const char *name)
{
    tree t = {.gravity = {0.0, 0.0, -9.81}};
    snprintf(t.name, sizeof t.name, "%s", name);
    return t;
}

static tree_body *add(tree *t, const char *prefix, int parent, tree_joint joint)
{
    tree_body *b = &t->body[t->body_count];
    snprintf(b->name, sizeof b->name, "%s%d", prefix, t->body_count++);
    b->parent = parent;
    b->joint = joint;
    b->r0[0] = 1.0;
    return b;
}

tree tree_chain8(void)
{
    tree t = named("chain8");
    for (int i = 0; i < 8; i++) {
        tree_body *b = add(&t, "link", i - 1, TREE_HINGE);
        const double axis[3] = {i % 3 == 0, (i % 3 == 1) + 0.25 * i, (i % 3 == 2) + 0.125 * i};
        const double tilt[4] = {1.0, 0.1 * i, -0.05 * i, 0.03 * i};
        set_unit(b->axis, 3, axis);
        set_unit(b->r0, 4, tilt);
        if (i > 0)
            memcpy(b->p, (double[]){0.3 + 0.02 * i, 0.01 * i, -0.02}, sizeof b->p);
        b->mass = 2.0 - 0.15 * i;
        memcpy(b->com, (double[]){0.16 + 0.01 * i, 0.005 * i, 0.01}, sizeof b->com);
        const double second[3] = {0.012 * b->mass, 0.0004 * b->mass, 0.0007 * b->mass};
        const double axes[4] = {0.995, 0.01, 0.0, sqrt(1.0 - 0.995 * 0.995 - 0.0001)};
        set_inertia(b, second, axes);
    }
    return t;
}

tree tree_branched12(void)
{
    static const tree_joint joint[12] = {TREE_HINGE, TREE_BALL,  TREE_PRISM, TREE_HINGE,
                                         TREE_BALL,  TREE_PRISM, TREE_HINGE, TREE_BALL,
                                         TREE_HINGE, TREE_PRISM, TREE_BALL,  TREE_HINGE};
    tree t = named("branched12");
    for (int i = 0; i < 12; i++) {
        tree_body *b = add(&t, "body", i == 0 ? -1 : (i - 1) / 2, joint[i]);
        const double side = i % 2 == 1 ? 1.0 : -1.0;
        const double axis[3] = {1.0, 0.3 * side * i, 2.0 - 0.4 * i};
        const double tilt[4] = {1.0, 0.2 * side, 0.07 * i, -0.04 * i};
        const double axes[4] = {0.8, 0.6 * side, 0.0, 0.0};
        set_unit(b->r0, 4, tilt);
        if (b->joint != TREE_BALL)
            set_unit(b->axis, 3, axis);
        if (i > 0)
            memcpy(b->p, (double[]){0.25, 0.15 * side, -0.05 + 0.01 * i}, sizeof b->p);
        b->mass = 6.0 / (1.0 + 0.25 * i);
        memcpy(b->com, (double[]){0.12, 0.05 * side, 0.02 - 0.003 * i}, sizeof b->com);
        const double second[3] = {0.02 * b->mass, 0.008 * b->mass, 0.003 * b->mass};
        set_inertia(b, second, axes);
    }
    return t;
}

static tree_joint random_joint(unsigned long long *seed, bool at_world)
{
    const double x = tree_uniform(seed, 0.0, 1.0);
    if (at_world && x < 0.5)
        return TREE_FREE;
    const double y = tree_uniform(seed, 0.0, 1.0);
    return y < 0.45 ? TREE_HINGE : y < 0.65 ? TREE_PRISM : y < 0.85 ? TREE_BALL : TREE_FIXED;
}

static void random_body(tree *t, unsigned long long *seed)
{
    const int i = t->body_count;
    const bool at_world = i == 0 || tree_uniform(seed, 0.0, 1.0) < 0.05;
    const int parent = at_world ? -1 : (int)tree_uniform(seed, 0.0, (double)i);
    tree_body *b = add(t, "body", parent, random_joint(seed, at_world));
    if (b->joint != TREE_FREE) {
        for (int k = 0; k < 3; k++)
            b->p[k] = tree_uniform(seed, -0.5, 0.5);
        random_direction(seed, 4, b->r0);
    }
    if (b->joint == TREE_HINGE || b->joint == TREE_PRISM)
        random_direction(seed, 3, b->axis);
    b->mass = exp(tree_uniform(seed, log(0.5), log(20.0)));
    double second[3], axes[4];
    for (int k = 0; k < 3; k++) {
        const double radius = tree_uniform(seed, 0.05, 0.3);
        b->com[k] = tree_uniform(seed, -0.2, 0.2);
        second[k] = b->mass * radius * radius;
    }
    random_direction(seed, 4, axes);
    set_inertia(b, second, axes);
}

tree tree_random(unsigned long long *seed, int body_count)
{
    tree t = named("random");
    while (t.body_count < body_count)
        random_body(&t, seed);
    if (tree_nv(&t) == 0) {
        tree_body *last = &t.body[body_count - 1];
        last->joint = TREE_HINGE;
        random_direction(seed, 3, last->axis);
    }
    return t;
}

// ---- states ------------------------------------------------------------------------------------

void tree_random_state(const tree *t, unsigned long long *seed, double *q, double *v)
{
    for (int i = 0; i < t->body_count; i++) {
        const tree_joint joint = t->body[i].joint;
        const double range = joint == TREE_PRISM ? 0.5 : 3.14;
        const int place = joint == TREE_BALL || joint == TREE_FIXED ? 0
                          : joint == TREE_FREE                      ? 3
                                                                    : 1;
        for (int k = 0; k < place; k++)
            *q++ = tree_uniform(seed, -range, range);
        if (joint == TREE_FREE || joint == TREE_BALL) {
            random_direction(seed, 4, q);
            q += 4;
        }
        for (int k = 0; k < tree_joint_nv(joint); k++)
            *v++ = tree_uniform(seed, -3.0, 3.0);
    }
}

void tree_random_forces(const tree *t, unsigned long long *seed, double *tau)
{
    for (int i = 0; i < tree_nv(t); i++)
        tau[i] = tree_uniform(seed, -30.0, 30.0);
}
