// Rigid connections: what is united does not depend on their order; doors weigh the same open and
// shut; the derived mechanism is one that the reader of mechanisms takes.
#include "concept/concept.h"
#include "concept/connection.h"
#include "motorcade/multibody.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BOXES = 40 };

// Boxes in a random order of definition; box i is rigid with box i/2, every fifth one hinged.
static char *chain(const int *parts, const int *edges)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "motorcade: concept\nassemblies:\n  a:\n    components:\n");
    for (int k = 0; k < BOXES; k++) {
        const int i = parts[k];
        fprintf(out, "      b%d: {box: [%g, %g, %g], at: [%g, %g, %g], mass: %g}\n", i,
                0.1 + 0.01 * i, 0.2, 0.3 - 0.005 * i, 0.3 * i, sin(i), cos(3.0 * i), 1.0 + i);
    }
    fprintf(out, "    connections:\n");
    for (int k = 0; k < BOXES - 1; k++) {
        const int i = edges[k] + 1;
        if (i % 5 == 0)
            fprintf(out, "      e%d: {joint: hinge, from: b%d, to: b%d, at: [%g, 0, 0], axis: y}\n",
                    i, i / 2, i, 0.3 * i);
        else
            fprintf(out, "      e%d: {joint: rigid, from: b%d, to: b%d}\n", i, i / 2, i);
    }
    fclose(out);
    return text;
}

static void shuffle(int *list, int count, unsigned *seed)
{
    for (int i = count - 1; i > 0; i--) {
        *seed = *seed * 1664525u + 1013904223u;
        const int k = (int)(*seed >> 8) % (i + 1), t = list[i];
        list[i] = list[k];
        list[k] = t;
    }
}

static double apart(double a, double b)
{
    return fabs(a - b) / fmax(1.0, fmax(fabs(a), fabs(b)));
}

static double compare(const mc_concept *a, const mc_concept *b)
{
    double worst = a->body_count == b->body_count ? 0.0 : 1.0;
    mc_concept_mass x, y;
    for (int i = 0; mc_concept_body(a, i, &x); i++) {
        bool found = false;
        for (int k = 0; mc_concept_body(b, k, &y); k++)
            if (strcmp(x.name, y.name) == 0) {
                found = true;
                worst = fmax(worst, apart(x.mass, y.mass));
                for (int j = 0; j < 3; j++)
                    worst = fmax(worst, apart(x.centre[j], y.centre[j]));
                for (int j = 0; j < 6; j++)
                    worst = fmax(worst, apart(x.inertia[j], y.inertia[j]));
            }
        worst = found ? worst : 1.0;
    }
    return worst;
}

static void order_does_not_matter(void **state)
{
    (void)state;
    int parts[BOXES], edges[BOXES];
    unsigned seed = 7;
    mc_error error = {0};
    for (int i = 0; i < BOXES; i++)
        parts[i] = edges[i] = i;
    char *text = chain(parts, edges);
    mc_concept *first = mc_concept_parse(text, "first.yaml", &error);
    if (!first)
        fail_msg("%s", error.text);
    free(text);
    assert_int_equal(first->body_count, 8); // b0 with what is rigid, and one per hinge
    for (int round = 0; round < 30; round++) {
        shuffle(parts, BOXES, &seed);
        shuffle(edges, BOXES - 1, &seed);
        text = chain(parts, edges);
        mc_concept *other = mc_concept_parse(text, "other.yaml", &error);
        assert_non_null(other);
        assert_true(compare(first, other) <= 1e-12);
        // The same parts, edges united in another order: not even rounding differs.
        int order[BOXES];
        mc_concept_mass before, after;
        for (int i = 0; i < other->edge_count; i++)
            order[i] = i;
        shuffle(order, other->edge_count, &seed);
        mc_concept_whole(other, &before);
        assert_true(mc_concept_body(other, 3, &before));
        assert_int_equal(concept_merge(other, order, &error), MC_OK);
        assert_true(mc_concept_body(other, 3, &after));
        assert_memory_equal(&before.mass, &after.mass, sizeof before.mass);
        assert_memory_equal(before.inertia, after.inertia, sizeof before.inertia);
        free(text);
        mc_concept_free(other);
    }
    mc_concept_free(first);
}

static void doors(void **state)
{
    (void)state;
    mc_error error = {0};
    mc_concept *c = mc_concept_load(SOURCE_DIR "/concepts/pickup.yaml", &error);
    if (!c)
        fail_msg("%s", error.text);
    const char *const open[] = {"cab_door_hinge_l", "cab_door_hinge_r", "bed_tailgate_hinge"};
    double mass[2] = {0};
    int bodies[2];
    for (int k = 0; k < 2; k++) {
        const mc_concept_options o = {.open = open, .open_count = k ? 3 : 0};
        char *text = mc_concept_mechanism(c, &o, &error);
        assert_non_null(text);
        const mc_multibody_options interpreted = {.compile = MC_COMPILE_NEVER};
        mc_multibody *m = mc_multibody_parse(text, "pickup", &interpreted, &error);
        if (!m)
            fail_msg("%s", error.text);
        mc_part_body part;
        for (bodies[k] = 0; mc_multibody_body(m, bodies[k], &part); bodies[k]++)
            mass[k] += part.mass;
        mc_multibody_free(m);
        free(text);
    }
    assert_int_equal(bodies[1], bodies[0] + 3);
    assert_true(fabs(mass[0] - mass[1]) <= 1e-12 * mass[0]);
    // For scenarios without tyres; for impulses with wheels instead of tyre forces.
    char *bare = mc_concept_mechanism(c, &(mc_concept_options){.vehicle = true}, &error);
    char *rolling = mc_concept_mechanism(c, &(mc_concept_options){.wheels = true}, &error);
    assert_non_null(bare);
    assert_non_null(rolling);
    assert_null(strstr(bare, "tyre_fl"));
    assert_null(strstr(rolling, "\nforces:"));
    assert_non_null(strstr(rolling, "  tyre_fl: {body: wheel_fl, radius: 0.4"));
    free(bare);
    free(rolling);
    const char *const wrong[] = {"cab_door"};
    assert_null(
        mc_concept_mechanism(c, &(mc_concept_options){.open = wrong, .open_count = 1}, &error));
    assert_string_equal(error.text, "unknown closure \"cab_door\"");
    mc_concept_free(c);
}

static void build_out(void **state)
{
    (void)state;
    mc_error error = {0};
    mc_concept_mass m;
    static const char text[] = "motorcade: concept\nbuild_out: {factor: 2}\nassemblies:\n"
                               "  a:\n    components:\n"
                               "      p: {box: [1, 1, 1], mass: 10, build_out: {mass: 2}}\n"
                               "      q: {box: [1, 1, 1], mass: 6, mirror: true, at: [0, 2, 0]}\n"
                               "      man: {occupant: 70}\n"
                               "      ghost: {box: [1, 1, 1], mass: 500, role: ignored}\n"
                               "    build_out: {mass: 12}\n"
                               "    connections: {all: {joint: rigid, parts: all}}\n";
    char fixed[sizeof text + 8];
    snprintf(fixed, sizeof fixed, "%s", text);
    memcpy(strstr(fixed, "{all:"), "{one:", 5);
    mc_concept *c = mc_concept_parse(fixed, "build.yaml", &error);
    if (!c)
        fail_msg("%d: %s", error.line, error.text);
    // (10 + 2 + 6 + 6 + 12) times 2, and the person as he is.
    mc_concept_whole(c, &m);
    assert_true(fabs(m.mass - 142.0) < 1e-12);
    assert_true(mc_concept_part(c, 0, &m));
    assert_true(fabs(m.mass - 12.0 * 36.0 / 24.0 * 2.0) < 1e-12);
    mc_concept_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(doors),
        cmocka_unit_test(build_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
