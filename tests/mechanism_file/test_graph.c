// test_graph.c - joints given as a graph: the same motion however it is cut, and the cheapest cut.
#include "motorcade/multibody.h"
#include "motorcade/simulate.h"

#include "support/sample.h"
#include "support/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_multibody *try_load(const char *text, mc_error *error)
{
    const mc_multibody_options options = {.compile = MC_COMPILE_NEVER};
    return mc_multibody_parse(text, "test", &options, error);
}

static mc_multibody *load(const char *text)
{
    mc_error error = {0};
    mc_multibody *m = try_load(text, &error);
    if (!m)
        fail_msg("line %d: %s\nof\n%s", error.line, error.text, text);
    return m;
}

static void assert_near(double found, double expected, double within)
{
    if (!(fabs(found - expected) <= within))
        fail_msg("%.17g, expected %.17g", found, expected);
}

// ---- the same motion ----------------------------------------------------------------------------

typedef struct seen {
    const mc_multibody *m;
    mc_simulate_column column[4];
    int count, rows;
    double value[300][4];
} seen;

static void see(void *context, double t, const double *y, const double *outputs)
{
    seen *s = context;
    (void)t;
    for (int k = 0; k < s->count && s->rows < 300; k++)
        s->value[s->rows][k] = mc_simulate_value(s->m, s->column[k], y, outputs);
    s->rows++;
}

static seen run(const char *text, const char *const *names, double end)
{
    mc_multibody *m = load(text);
    seen s = {.m = m};
    mc_error error = {0};
    for (; names[s.count]; s.count++)
        if (mc_simulate_column_find(m, names[s.count], &s.column[s.count], &error) != MC_OK)
            fail_msg("%s", error.text);
    double *y = calloc((size_t)mc_multibody_info_of(m)->y_count + 1, sizeof *y);
    mc_multibody_start(m, y);
    mc_simulate_options o = mc_simulate_defaults(m);
    o.end = end;
    o.step = end / 50;
    o.rtol = 1e-12;
    const mc_simulate_output out = {.row = see, .context = &s};
    if (mc_simulate(m, &o, y, &out, NULL, NULL, &error) != MC_OK)
        fail_msg("%s\nof\n%s", error.text, text);
    if (!strstr(text, "off_when")) // what is off is open
        assert_true(mc_multibody_gap(m, end, y) < 1e-12);
    free(y);
    mc_multibody_free(m);
    return s;
}

static double difference(const seen *a, const seen *b)
{
    double worst = 0.0;
    assert_int_equal(a->rows, b->rows);
    assert_true(a->rows > 40);
    for (int i = 0; i < a->rows; i++)
        for (int k = 0; k < a->count; k++)
            worst = fmax(worst, fabs(a->value[i][k] - b->value[i][k]));
    return worst;
}

#define LINKS                                                                                      \
    "motorcade: multibody\n"                                                                       \
    "name: four_bar\n"                                                                             \
    "gravity: [0, -9.81, 0]\n"
#define CRANK "mass: 1, com: [0.5, 0, 0], inertia: [0, 0.083, 0.083]"
#define COUPLER "mass: 3, com: [1.5, 0, 0], inertia: [0, 2.25, 2.25]"
#define ROCKER "mass: 2.5, com: [1.25, 0, 0], inertia: [0, 1.3, 1.3]"
#define MIDDLE "points: {middle: {body: coupler, at: [1.5, 0, 0]}}\n"

static const char four_bar[] = LINKS
    "bodies:\n"
    "  crank: {" CRANK ", orientation: {sequence: zyx, angles: [90 deg, 0, 0]}}\n"
    "  coupler: {" COUPLER ", position: [0, 1, 0],\n"
    "            orientation: {sequence: zyx, angles: [30 deg, 0, 0]}}\n"
    "  rocker: {" ROCKER ", position: [3, 0, 0],\n"
    "           orientation: {sequence: zyx, angles: [100 deg, 0, 0]}}\n"
    "joints:\n"
    "  o: {joint: hinge, from: ground, to: crank, axis: z}\n"
    "  a: {joint: hinge, from: coupler, to: crank, to_at: [1, 0, 0], axis: z}\n"
    "  b: {joint: hinge, from: coupler, at: [3, 0, 0], to: rocker, to_at: [2.5, 0, 0], axis: z}\n"
    "  c: {joint: hinge, from: rocker, to: ground, to_at: [3, 0, 0], axis: z}\n"
    "keep: [o.angle]\n" MIDDLE;

static const char four_bar_tree[] = LINKS
    "bodies:\n"
    "  crank: {joint: hinge, axis: z, " CRANK ", start: {angle: 90 deg}}\n"
    "  coupler: {inboard: crank, joint: hinge, at: [1, 0, 0], axis: z, " COUPLER ",\n"
    "            start: {angle: -60 deg}}\n"
    "  rocker: {joint: hinge, at: [3, 0, 0], axis: z, " ROCKER ", start: {angle: 100 deg}}\n"
    "joints:\n"
    "  b: {joint: hinge, from: coupler, at: [3, 0, 0], to: rocker, to_at: [2.5, 0, 0], axis: z}\n"
    "keep: [crank.angle]\n" MIDDLE;

static void a_four_bar_cut_anywhere_moves_alike(void **state)
{
    (void)state;
    static const char *const names[] = {"middle.x", "middle.y", "energy.kinetic", NULL};
    static const char *const cuts[] = {"", "cut: [a]\n", "cut: [b]\n", "cut: [c]\n"};
    const seen tree = run(four_bar_tree, names, 2.0);
    for (int k = 0; k < 4; k++) {
        char text[3000];
        snprintf(text, sizeof text, "%s%s", four_bar, cuts[k]);
        const seen graph = run(text, names, 2.0);
        const double worst = difference(&tree, &graph);
        if (!(worst < 1e-8))
            fail_msg("cut %d: off by %g", k, worst);
    }
}

// A joint that switches is cut, and acts as one that closes a tree: the coupler falls off at 0.7 s;
// a stop for the crank is a constraint of both.
static void a_switched_joint_of_a_graph(void **state)
{
    (void)state;
    static const char *const names[] = {"middle.x", "middle.y", "energy.kinetic", NULL};
    static const char pin[] = "to_at: [2.5, 0, 0], axis: z}";
    const char *const from[2] = {four_bar_tree, four_bar};
    seen run_of[2];
    for (int k = 0; k < 2; k++) {
        char text[3000];
        const char *const at = strstr(from[k], pin);
        assert_non_null(at);
        snprintf(text, sizeof text,
                 "%.*sto_at: [2.5, 0, 0], axis: z, off_when: t > 0.7 s}%s"
                 "constraints: {stop: {position: %s.angle - 0.6 rad, on_when: %s.angle < 0.6 rad,\n"
                 "              off_when: stop.load < 0}}\n",
                 (int)(at - from[k]), from[k], at + strlen(pin), k ? "o" : "crank",
                 k ? "o" : "crank");
        run_of[k] = run(text, names, 2.0);
        if (k == 1) {
            mc_multibody *m = load(text);
            mc_graph_joint j;
            for (int i = 0; mc_multibody_graph_joint(m, i, &j); i++)
                assert_true(j.in_tree == (strcmp(j.name, "b") != 0));
            mc_multibody_free(m);
        }
    }
    const seen held = run(four_bar_tree, names, 2.0);
    assert_true(difference(&held, &run_of[0]) > 0.1); // it did switch
    assert_true(difference(&run_of[0], &run_of[1]) < 1e-8);
}

// Spatial: hinges across each other, a ball, a prism, frames turned against each other.
static const char spatial[] =
    "motorcade: multibody\n"
    "bodies:\n"
    "  u: {mass: 2, com: [0.1, 0.2, 0], inertia: [0.2, 0.3, 0.4], position: [0, 0, 1]}\n"
    "  v: {mass: 1, com: [0, 0.1, 0.3], inertia: [0.1, 0.2, 0.15], position: [1, 0, 1],\n"
    "      orientation: {sequence: xyz, angles: [90 deg, 0, 0]}}\n"
    "  w: {mass: 1.5, com: [0.2, 0, 0.1], inertia: [0.2, 0.1, 0.2], position: [1, 1, 1.5]}\n"
    "joints:\n"
    "  p: {joint: hinge, from: ground, at: [0, 0, 1], to: u, axis: y}\n"
    "  q: {joint: ball, from: v, to: u, to_at: [1, 0, 0]}\n"
    "  r: {joint: ball, from: v, at: [0, 0.5, -1], to: w}\n"
    "  s: {joint: prism, from: w, at: [0, 0, 0.5], to: ground, to_at: [1, 1, 2], axis: [1, 0, 1]}\n"
    "points: {tip: {body: w, at: [0.5, 0, 0]}}\n";

static void a_spatial_loop_cut_anywhere_moves_alike(void **state)
{
    (void)state;
    static const char *const names[] = {"tip.x", "tip.z", "energy.kinetic", NULL};
    static const char *const cuts[] = {"", "cut: [p]\n", "cut: [q]\n", "cut: [r]\n", "cut: [s]\n"};
    seen first;
    for (int k = 0; k < 5; k++) {
        char text[3000];
        snprintf(text, sizeof text, "%s%s", spatial, cuts[k]);
        const seen graph = run(text, names, 0.5);
        if (k == 0)
            first = graph;
        const double worst = difference(&first, &graph);
        if (!(worst < 1e-8))
            fail_msg("%s: off by %g", cuts[k], worst);
    }
    assert_true(fabs(first.value[50][0] - first.value[0][0]) > 1e-3); // it moves
}

// ---- names, directions, roots -------------------------------------------------------------------

// A hinge passed backwards keeps its coordinate: the angle of `to` against `from`.
static void a_coordinate_does_not_depend_on_the_direction(void **state)
{
    (void)state;
    static const char *const names[] = {"j.angle", "j.angle_rate", "end.x", NULL};
    static const char *const ways[] = {"from: ground, to: rod", "from: rod, to: ground"};
    seen s[2];
    for (int k = 0; k < 2; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "motorcade: multibody\nbodies: {rod: {mass: 1, com: [0, 0, -1]}}\n"
                 "joints: {j: {joint: hinge, %s, axis: y, damping: 0.3,\n"
                 "             start: {angle: %s40 deg}, load: %s1 N*m}}\n"
                 "points: {end: {body: rod, at: [0, 0, -1]}}\n",
                 ways[k], k ? "-" : "", k ? "-" : "");
        s[k] = run(text, names, 1.0);
    }
    for (int i = 0; i < s[0].rows; i++) {
        assert_near(s[0].value[i][0], -s[1].value[i][0], 1e-11);
        assert_near(s[0].value[i][1], -s[1].value[i][1], 1e-11);
        assert_near(s[0].value[i][2], s[1].value[i][2], 1e-11);
    }
}

static bool in_tree(const char *text, const char *name)
{
    mc_multibody *m = load(text);
    mc_graph_joint j;
    bool found = false, is = false;
    for (int i = 0; mc_multibody_graph_joint(m, i, &j); i++)
        if (strcmp(j.name, name) == 0) {
            found = true;
            is = j.in_tree;
        }
    assert_true(found);
    mc_multibody_free(m);
    return is;
}

// A joint whose coordinate the file uses stays in the tree.
static void a_joint_that_is_spoken_of_is_not_cut(void **state)
{
    (void)state;
    char text[3000];
    assert_false(in_tree(four_bar, "a"));
    snprintf(text, sizeof text, "%svariables: {twice: 2*a.angle}\n", four_bar);
    assert_true(in_tree(text, "a"));
    snprintf(text, sizeof text,
             "%sparameters: {aa: 1}\nvariables: {x: 2*aa, y: middle.position.x}\n", four_bar);
    assert_false(in_tree(text, "a"));
}

static void a_gear_holds_joints(void **state)
{
    (void)state;
    static const char *const names[] = {"a.angle", "b.angle", NULL};
    const seen s = run("motorcade: multibody\n"
                       "bodies: {u: {mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1]},\n"
                       "         v: {mass: 1, com: [0, 0, -1], inertia: [1, 1, 1]}}\n"
                       "joints:\n"
                       "  a: {joint: hinge, from: ground, to: u, axis: y}\n"
                       "  b: {joint: hinge, from: v, to: ground, to_at: [1, 0, 0], axis: y,\n"
                       "      start: {angle: 30 deg}}\n"
                       "  g: {joint: gear, from: b, to: a, ratio: -2}\n"
                       "keep: [b.angle]\n",
                       names, 1.0);
    assert_near(s.value[0][1], 30.0 * M_PI / 180.0, 1e-14);
    for (int i = 0; i < s.rows; i++)
        assert_near(s.value[i][0], -2.0 * s.value[i][1], 1e-12);
}

static void a_graph_without_ground_floats(void **state)
{
    (void)state;
    static const char text[] =
        "motorcade: multibody\ngravity: [0, 0, 0]\n"
        "bodies:\n"
        "  u: {mass: 1, inertia: [1, 1, 1], position: [1, 2, 3]}\n"
        "  v: {mass: 2, inertia: [1, 1, 1], position: [2, 2, 3]%s}\n"
        "joints: {j: {joint: hinge, from: u, at: [0.5, 0, 0], to: v, to_at: [-0.5, 0, 0], axis: "
        "z}}\n"
        "points: {pu: {body: u, at: [0, 0, 0]}, pv: {body: v, at: [0, 0, 0]}}\n";
    static const char *const names[] = {"pu.x", "pv.x", "pv.z", NULL};
    char moving[1000];
    snprintf(moving, sizeof moving, text, ", start: {vx: 3}");
    const seen s = run(moving, names, 1.0);
    assert_near(s.value[0][0], 1.0, 1e-14);
    assert_near(s.value[50][0], 4.0, 1e-9);
    assert_near(s.value[50][1], 5.0, 1e-9);
    assert_near(s.value[50][2], 3.0, 1e-9);
    mc_multibody *m = load(moving);
    mc_graph g;
    assert_true(mc_multibody_graph(m, &g));
    assert_int_equal(g.root_count, 1);
    assert_string_equal(g.root, "v");
    mc_multibody_free(m);
}

// ---- the cheapest cut ---------------------------------------------------------------------------

enum { EDGES = 24 };

typedef struct made {
    char text[8000];
    int edges, cuts;
} made;

// Plates in a plane, every joint at a point where both are at the start: hinges about z and a prism
// now and then. loops joints more than a tree needs.
static made plates(unsigned long long *seed, int bodies, int loops)
{
    made out = {.edges = bodies + loops, .cuts = loops};
    char *at = out.text, *end = out.text + sizeof out.text;
    double x[16][2];
    at +=
        snprintf(at, (size_t)(end - at), "motorcade: multibody\ngravity: [0, -9.81, 0]\nbodies:\n");
    for (int b = 0; b < bodies; b++) {
        for (int k = 0; k < 2; k++)
            x[b][k] = round(100.0 * sample_uniform(seed, -2.0, 2.0)) / 100.0;
        at += snprintf(
            at, (size_t)(end - at),
            "  b%d: {mass: %.2f, com: [%.2f, %.2f, 0], inertia: [0.5, 0.5, %.2f], position: "
            "[%.2f, %.2f, 0]}\n",
            b, sample_uniform(seed, 0.5, 2.0), sample_uniform(seed, -0.5, 0.5),
            sample_uniform(seed, -0.5, 0.5), sample_uniform(seed, 0.1, 0.5), x[b][0], x[b][1]);
    }
    at += snprintf(at, (size_t)(end - at), "joints:\n");
    for (int e = 0; e < out.edges; e++) {
        int to = e < bodies ? e : (int)(sample_random(seed) % (unsigned)bodies), from = to;
        while (from == to) // ground: -1
            from = (int)(sample_random(seed) % (unsigned)((e < bodies ? e : bodies) + 1)) - 1;
        const double p[2] = {round(100.0 * sample_uniform(seed, -2.0, 2.0)) / 100.0,
                             round(100.0 * sample_uniform(seed, -2.0, 2.0)) / 100.0};
        const double none[2] = {0.0, 0.0}, *f = from < 0 ? none : x[from];
        char name[16] = "ground";
        if (from >= 0)
            snprintf(name, sizeof name, "b%d", from);
        const bool prism = e < bodies && sample_uniform(seed, 0.0, 1.0) < 0.15;
        at += snprintf(at, (size_t)(end - at),
                       "  j%d: {joint: %s, from: %s, at: [%.2f, %.2f, 0], to: b%d, to_at: [%.2f, "
                       "%.2f, 0], axis: %s}\n",
                       e, prism ? "prism" : "hinge", name, p[0] - f[0], p[1] - f[1], to,
                       p[0] - x[to][0], p[1] - x[to][1], prism ? "x" : "z");
    }
    return out;
}

// Flops with these joints cut; 0: they do not leave a tree, or it cannot be derived.
static int flops_cut(const made *g, const int *cut)
{
    char text[9000], list[200] = "";
    for (int k = 0; k < g->cuts; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%sj%d", k ? ", " : "", cut[k]);
    snprintf(text, sizeof text, "%scut: [%s]\n", g->text, list);
    mc_error error;
    mc_multibody *m = try_load(text, &error);
    mc_graph found;
    const int flops = m && mc_multibody_graph(m, &found) && found.root_count == 0 ? found.flops : 0;
    mc_multibody_free(m);
    return flops;
}

static int best_of_all(const made *g, int k, int first, int *cut, int *count)
{
    if (k == g->cuts) {
        const int flops = flops_cut(g, cut);
        *count += flops > 0;
        return flops;
    }
    int best = 0;
    for (int e = first; e < g->edges; e++) {
        cut[k] = e;
        const int flops = best_of_all(g, k + 1, e + 1, cut, count);
        if (flops && (!best || flops < best))
            best = flops;
    }
    return best;
}

static int best_of_random(const made *g, unsigned long long *seed, int target, int *count)
{
    int best = 0, cut[EDGES];
    for (int tries = 0; *count < target && tries < 20 * target; tries++) {
        bool taken[EDGES] = {0};
        for (int k = 0; k < g->cuts;) {
            const int e = (int)(sample_random(seed) % (unsigned)g->edges);
            if (!taken[e])
                taken[cut[k++] = e] = true;
        }
        const int flops = flops_cut(g, cut);
        *count += flops > 0;
        if (flops && (!best || flops < best))
            best = flops;
    }
    return best;
}

static void the_cheapest_cut_is_taken(void **state)
{
    (void)state;
    struct {
        unsigned long long seed;
        double worst;
        int derived, counted, looked;
    } k = {.seed = 3};
    series s = series_open("cuts", 200, &k, sizeof k);
    for (long i; series_next(&s, &i);) {
        const bool small = i % 2 == 0;
        const made g = small ? plates(&k.seed, 4 + (int)(i / 2 % 3), 1 + (int)(i / 6 % 2))
                             : plates(&k.seed, 9 + (int)(i / 2 % 3), 3 + (int)(i / 6 % 2));
        mc_error error;
        mc_multibody *m = try_load(g.text, &error);
        mc_graph chosen;
        if (!m)
            continue; // too many loops: it cannot move, or does not close
        assert_true(mc_multibody_graph(m, &chosen));
        int cut[EDGES], count = 0;
        const int target = s.count < 100 ? 10 : 1000;
        const int best = small ? best_of_all(&g, 0, 0, cut, &count)
                               : best_of_random(&g, &k.seed, target, &count);
        assert_true(best > 0);
        const double ratio = (double)chosen.flops / best;
        if (!(ratio <= 1.05))
            fail_msg("case %ld: %d flops, but %d are enough\n%s", i, chosen.flops, best, g.text);
        k.worst = fmax(k.worst, ratio);
        k.derived += chosen.derived;
        k.counted += count;
        k.looked++;
        mc_multibody_free(m);
    }
    assert_true(k.looked > 0);
    printf("%d graphs: chosen tree at most %.3f of the cheapest of %d; %d derived to choose\n",
           k.looked, k.worst, k.counted, k.derived);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_four_bar_cut_anywhere_moves_alike),
        cmocka_unit_test(a_switched_joint_of_a_graph),
        cmocka_unit_test(a_spatial_loop_cut_anywhere_moves_alike),
        cmocka_unit_test(a_coordinate_does_not_depend_on_the_direction),
        cmocka_unit_test(a_joint_that_is_spoken_of_is_not_cut),
        cmocka_unit_test(a_gear_holds_joints),
        cmocka_unit_test(a_graph_without_ground_floats),
        cmocka_unit_test(the_cheapest_cut_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
