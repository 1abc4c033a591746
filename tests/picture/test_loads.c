// test_loads.c - forces in the picture of a mechanism: what carries a car is its weight, a spring
// pushes its two ends apart alike; lifted glass.
#include "picture/loads.h"
#include "picture/parts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double GRAVITY = 9.81;

static void open_at_rest(posed *k, const char *path)
{
    mc_error error;
    mc_render_options o = mc_render_defaults();
    o.rest = true;
    if (posed_open(k, path, &o, &error) != MC_OK)
        fail_msg("%s", error.text);
}

static void weight(void **state)
{
    (void)state;
    posed k;
    loads l;
    double mass, up = 0.0;
    int wheels = 0;
    open_at_rest(&k, SOURCE_DIR "/models/hmmwv_loops.yaml");
    assert_true(k.still);
    const vec centre = parts_centre(&k, &mass);
    assert_true(fabs(mass - 2573.1) < 0.1); // docs/hmmwv.md
    assert_true(fabsf(centre.y) < 1e-3f);
    assert_true(loads_find(&l, &k, 5.0f));
    for (int i = 0; i < l.count; i++)
        if (l.list[i].road) {
            up += (double)l.list[i].force.z;
            wheels++;
            assert_true(l.list[i].from.z < centre.z);
        }
    assert_int_equal(wheels, 4);
    assert_true(fabs(up - mass * GRAVITY) < 1e-5 * mass * GRAVITY);
    loads_free(&l);
    posed_close(&k);
}

static void springs(void **state)
{
    (void)state;
    posed k;
    loads l;
    open_at_rest(&k, SOURCE_DIR "/models/hmmwv_loops.yaml");
    assert_true(loads_find(&l, &k, 5.0f));
    int pairs = 0;
    float most = 0.0f;
    for (int i = 0; i < l.count; i++)
        most = fmaxf(most, vec_length(l.list[i].force) * l.scale);
    for (int i = 0; i + 1 < l.count && !l.list[i].road; i += 2, pairs++) {
        const loads_arrow *a = &l.list[i], *b = a + 1;
        assert_true(vec_length(vec_add(a->force, b->force)) == 0.0f);
        // They push their ends apart: each along the line between them, away from the other.
        const vec way = vec_sub(b->from, a->from);
        assert_true(vec_dot(way, b->force) >= -1e-3f);
        assert_true(vec_length(vec_cross(way, b->force)) <=
                    1e-4f * vec_length(way) * vec_length(b->force) + 1e-6f);
    }
    assert_int_equal(pairs, 8);
    assert_true(most > 0.1f * 5.0f && most < 0.25f * 5.0f);
    loads_free(&l);
    posed_close(&k);
}

static void lifted(void **state)
{
    (void)state;
    posed k;
    mc_error error;
    parts_box box[2];
    open_at_rest(&k, SOURCE_DIR "/models/hmmwv_loops.yaml");
    for (int i = 0; i < 2; i++) {
        scene s = {0};
        assert_true(scene_begin(&s, "day", 0.0f));
        assert_int_equal(parts_draw(&s, &k, false, i ? 0.5f : 0.0f, &box[i], &error), MC_OK);
        scene_end(&s);
    }
    assert_true(fabsf(box[1].high.z - box[0].high.z - 0.5f) < 1e-4f);
    assert_true(box[1].low.z == box[0].low.z && box[1].high.x == box[0].high.x);
    posed_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(weight), cmocka_unit_test(springs),
                                       cmocka_unit_test(lifted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
