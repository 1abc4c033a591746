// test_look.c - what pictures are drawn with is complete, and is what the page has.
#include "render/look.h"
#include "render/mesh.h"
#include "render/noise.h"
#include "render/sheet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Every kind has bodies in three levels, a wheel and both sheets; a near body has at most 6,000
// triangles, wheels included, and farther ones have fewer.
static void kinds(void **state)
{
    (void)state;
    char name[32], full[64];
    int n = 0;
    for (; look_line("kinds", n, name, sizeof name); n++) {
        mesh level[3], wheel;
        look_array wheels;
        for (int q = 0; q < 3; q++) {
            snprintf(full, sizeof full, "%s/level%d", name, q);
            assert_true(mesh_from_look(full, &level[q]));
            for (int k = 0; k < 3 * level[q].triangle_count; k++)
                assert_true((int)level[q].index[k] < level[q].corner_count);
        }
        snprintf(full, sizeof full, "%s/wheel", name);
        assert_true(mesh_from_look(full, &wheel));
        snprintf(full, sizeof full, "%s/wheels", name);
        assert_true(look_find(full, &wheels));
        assert_true(wheels.count >= 12);
        assert_true(level[0].triangle_count + 4 * wheel.triangle_count <= 6000);
        assert_true(level[1].triangle_count < level[0].triangle_count + 4 * wheel.triangle_count);
        assert_true(level[2].triangle_count < level[1].triangle_count);
        for (int q = 0; q < 3; q++)
            mesh_free(&level[q]);
        mesh_free(&wheel);
    }
    assert_true(n >= 7);
    look_array none;
    assert_false(look_find("sedan/level9/box", &none));
    assert_false(look_line("kinds", n, name, sizeof name));
}

// A body has its size: the box around it is that of the kind, to mirrors and bumpers.
static void sizes(void **state)
{
    (void)state;
    mesh m;
    const float *size = look_of("compact", "size", 3);
    assert_true(mesh_from_look("compact/level0", &m));
    vec low = m.corner[0].position, high = low;
    for (int k = 0; k < m.corner_count; k++) {
        const vec p = m.corner[k].position;
        low = (vec){fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z)};
        high = (vec){fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z)};
        assert_true(fabsf(vec_length(m.corner[k].normal) - 1.0f) < 1e-3f);
    }
    assert_true(fabsf(high.x - low.x - size[0]) < 0.1f);
    assert_true(high.y - low.y > size[1] && high.y - low.y < size[1] + 0.45f);
    assert_true(fabsf(high.z - size[2]) < 0.03f);
    mesh_free(&m);
}

// Sheets are painted: mostly in the car's own colour, with dark glass and red lamps.
static void sheets(void **state)
{
    (void)state;
    arena a = {0};
    sheet s;
    assert_true(sheet_paint(&a, "sedan", &s));
    assert_int_equal(s.colour.size, 1024);
    int paint = 0, glass = 0, lamp = 0;
    for (int k = 0; k < 1024 * 1024; k++) {
        const uint8_t *c = s.colour.level[0] + 4 * k, *d = s.data.level[0] + 4 * k;
        paint += d[0] > 250;
        glass += d[0] < 5 && d[1] < 20 && c[2] < 60;
        lamp += d[2] > 250 && c[0] > 120 && c[1] < 40;
    }
    assert_true(paint > 400000);
    assert_true(glass > 20000);
    assert_true(lamp > 1000);
    arena_free(&a);
}

// The numbers of web/src/scene3d/noise.ts, computed there.
static void noise(void **state)
{
    (void)state;
    noise_stream r = {3};
    assert_true(noise_next(&r) == 0.7202267837710679);
    assert_true(noise_next(&r) == 0.03866216051392257);
    assert_true(noise_next(&r) == 0.4561921926215291);
    arena a = {0};
    noise_field f;
    assert_true(noise_make(&a, 19, 5, 4, &f));
    assert_true(fabsf(noise_at(&f, 0.3, 0.7) - 0.4217805196841558f) < 1e-6f);
    assert_true(fabsf(noise_at(&f, -1.2, 2.9) - 0.719721273581187f) < 1e-6f);
    assert_true(fabsf(noise_at(&f, 0.0, 0.0) - 0.346368486682574f) < 1e-6f);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds), cmocka_unit_test(sizes),
                                       cmocka_unit_test(sheets), cmocka_unit_test(noise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
