// test_pictures.c - what every picture must show, by its pixels: vehicles that stand on the road,
// bodies of several kinds, no flat faces, what the camera is for inside the frame; the same pixels
// from any number of threads.
#include "picture/traffic.h"
#include "support/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct taken {
    char path[1024];
    mc_render_options o;
    traffic t;
    image image;
} taken;

static taken *take(const char *run, const char *from, double at, int width, int height)
{
    taken *p = calloc(1, sizeof *p);
    mc_error error;
    assert_non_null(p);
    snprintf(p->path, sizeof p->path, "%s", cli_path(run));
    p->o = mc_render_defaults();
    p->o.camera = from;
    p->o.at = at;
    p->o.width = width;
    p->o.height = height;
    if (traffic_open(&p->t, p->path, &p->o, &error) != MC_OK ||
        traffic_draw(&p->t, &p->image, &error) != MC_OK)
        fail_msg("%s", error.text);
    return p;
}

static void drop(taken *p)
{
    traffic_close(&p->t);
    image_free(&p->image);
    free(p);
}

static double light(const image *m, int x, int y)
{
    const uint32_t p = m->pixel[y * m->width + x];
    return 0.3 * (p >> 16 & 255) + 0.6 * (p >> 8 & 255) + 0.1 * (p & 255);
}

static bool in_frame(const taken *p, const frame_car *car)
{
    vec box[8];
    fleet_box(&p->t.fleet, car, box);
    for (int k = 0; k < 8; k++) {
        double x, y;
        if (!camera_pixel(&p->t.scene.view, box[k], &x, &y) || x < 0 || y < 0 ||
            x >= p->image.width || y >= p->image.height)
            return false;
    }
    return true;
}

static float distance(const taken *p, const frame_car *car)
{
    return vec_length(vec_sub(fleet_spot(&p->t.fleet, car).at, p->t.scene.view.eye));
}

// The same picture without vehicles.
static void draw_empty(const taken *p, image *out)
{
    scene s = p->t.scene;
    mc_error error;
    s.count = 0;
    s.draw = malloc((size_t)p->t.scene.count * sizeof *s.draw);
    assert_non_null(s.draw);
    for (int k = 0; k < p->t.scene.count; k++) {
        const scene_material m = p->t.scene.draw[k].material;
        if (m != SCENE_PAINT && m != SCENE_WHEEL && m != SCENE_SHADE)
            s.draw[s.count++] = p->t.scene.draw[k];
    }
    assert_int_equal(image_draw(&s, 0, out, &error), MC_OK);
    free(s.draw);
}

// Brightness of the road at a place, as a share of that of the empty road; -1: a vehicle or the
// frame hides it.
static double shade_at(const taken *p, const image *empty, vec at)
{
    const camera *c = &p->t.scene.view;
    double x, y;
    if (!camera_pixel(c, at, &x, &y) || x < 0 || y < 0 || x >= c->width || y >= c->height)
        return -1.0;
    const int k = (int)y * c->width + (int)x;
    if (!(fabsf(p->image.depth[k] - empty->depth[k]) < 1e-4f))
        return -1.0;
    return light(&p->image, (int)x, (int)y) / light(empty, (int)x, (int)y);
}

static void shadows(void **state)
{
    (void)state;
    taken *p = take("motorway.h5", "platoon", 2.0, 960, 600);
    image empty;
    int checked = 0;
    draw_empty(p, &empty);
    for (int k = 0; k < p->t.frame.count; k++) {
        const frame_car *car = &p->t.frame.car[k];
        if (distance(p, car) > 50.0f || !in_frame(p, car))
            continue;
        const fleet_kind *kind = &p->t.fleet.kind[fleet_kind_of(&p->t.fleet, &car->info)];
        const ground_spot q = fleet_spot(&p->t.fleet, car);
        for (int i = 0; i < kind->wheel_count; i++) {
            const float x = kind->wheels[3 * i] * (float)car->info.length / kind->size[0];
            const float y = kind->wheels[3 * i + 1] * (float)car->info.width / kind->size[1];
            double dark = 2.0;
            for (int n = 0; n < 480; n++) {
                const float r = 0.1f + 0.5f * (float)(n % 10) / 10.0f,
                            t = 0.1309f * (float)(n / 10);
                const float u = x + r * cosf(t), v = y + r * sinf(t);
                const vec at = {q.at.x + q.c * u - q.s * v, q.at.y + q.s * u + q.c * v, q.at.z};
                const double share = shade_at(p, &empty, at);
                dark = share >= 0.0 && share < dark ? share : dark;
            }
            if (dark > 1.5)
                continue; // hidden
            assert_true(dark < 0.75);
            checked++;
        }
    }
    assert_true(checked >= 8);
    image_free(&empty);
    drop(p);
}

static void bodies(void **state)
{
    (void)state;
    taken *p = take("motorway.h5", "platoon", 2.0, 640, 400);
    const mesh *seen[32];
    int count = 0;
    for (int k = 0; k < p->t.scene.count; k++) {
        const scene_draw *d = &p->t.scene.draw[k];
        bool known = d->material != SCENE_PAINT;
        for (int i = 0; i < count && !known; i++)
            known = seen[i] == d->shape;
        if (!known && count < 32)
            seen[count++] = d->shape;
    }
    assert_true(count >= 6);
    int kinds = 0, of[FLEET_KINDS] = {0};
    for (int k = 0; k < p->t.frame.count; k++)
        of[fleet_kind_of(&p->t.fleet, &p->t.frame.car[k].info)]++;
    for (int k = 0; k < FLEET_KINDS; k++)
        kinds += of[k] > 0;
    assert_true(kinds >= 6);
    // All of the platoon is in the picture.
    for (int k = 0; k < p->t.frame.count; k++)
        if (p->t.frame.car[k].info.name[0] == 'A')
            assert_true(in_frame(p, &p->t.frame.car[k]));
    drop(p);
}

static int by_value(const void *a, const void *b)
{
    const uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

// Of the pixels of a near vehicle no colour takes more than a few percent.
static void no_flat_faces(void **state)
{
    (void)state;
    taken *p = take("motorway.h5", "chase", 8.0, 720, 450);
    int checked = 0;
    for (int k = 0; k < p->t.frame.count; k++) {
        const frame_car *car = &p->t.frame.car[k];
        if (distance(p, car) > 32.0f || !in_frame(p, car))
            continue;
        vec box[8];
        double x0 = 1e9, x1 = 0, y0 = 1e9, y1 = 0, near = 1e9, far = 0;
        fleet_box(&p->t.fleet, car, box);
        for (int i = 0; i < 8; i++) {
            double x, y;
            camera_pixel(&p->t.scene.view, box[i], &x, &y);
            const double depth = camera_project(&p->t.scene.view, box[i]).depth;
            x0 = fmin(x0, x), x1 = fmax(x1, x), y0 = fmin(y0, y), y1 = fmax(y1, y);
            near = fmin(near, depth), far = fmax(far, depth);
        }
        uint32_t *own = malloc((size_t)(p->image.width * p->image.height) * sizeof *own);
        int n = 0, most = 0, same = 1;
        for (int y = (int)y0; y < (int)y1; y++)
            for (int x = (int)x0; x < (int)x1; x++) {
                const double depth = (double)p->image.depth[y * p->image.width + x];
                if (depth > near - 0.1 && depth < far)
                    own[n++] = p->image.pixel[y * p->image.width + x];
            }
        assert_true(n > 200);
        qsort(own, (size_t)n, sizeof *own, by_value);
        for (int i = 1; i < n; i++) {
            same = own[i] == own[i - 1] ? same + 1 : 1;
            most = same > most ? same : most;
        }
        assert_true(most < 0.08 * n);
        free(own);
        checked++;
    }
    assert_true(checked >= 2);
    drop(p);
}

// Both vehicles are in the frame, and neither hides the other.
static void contact(void **state)
{
    (void)state;
    taken *p = take("medusa.h5", "contact", NAN, 640, 400);
    assert_int_equal(p->t.frame.count, 2);
    for (int k = 0; k < 2; k++) {
        const frame_car *car = &p->t.frame.car[k];
        assert_true(in_frame(p, car));
        assert_true(distance(p, car) < 20.0f);
        vec top = fleet_spot(&p->t.fleet, car).at;
        top.z += 0.55f * (float)car->info.height;
        double x, y;
        assert_true(camera_pixel(&p->t.scene.view, top, &x, &y));
        const double depth = (double)p->image.depth[(int)y * 640 + (int)x];
        assert_true(fabs(depth - camera_project(&p->t.scene.view, top).depth) < 1.5);
    }
    drop(p);
}

static void threads(void **state)
{
    (void)state;
    taken *p = take("motorway.h5", "platoon", 12.0, 320, 200);
    image other;
    mc_error error;
    p->o.threads = 1;
    assert_int_equal(image_draw(&p->t.scene, 1, &other, &error), MC_OK);
    assert_memory_equal(p->image.pixel, other.pixel, 320 * 200 * sizeof *other.pixel);
    image_free(&other);
    drop(p);
}

// In the evening it is darker, and lamps are lit.
static void evening(void **state)
{
    (void)state;
    taken *day = take("motorway.h5", "platoon", 2.0, 480, 300);
    taken dark = {.o = day->o};
    mc_error error;
    dark.o.theme = "evening";
    assert_int_equal(traffic_open(&dark.t, day->path, &dark.o, &error), MC_OK);
    assert_int_equal(traffic_draw(&dark.t, &dark.image, &error), MC_OK);
    double sum[2] = {0, 0};
    int red = 0;
    for (int k = 0; k < 480 * 300; k++) {
        sum[0] += light(&day->image, k % 480, k / 480);
        sum[1] += light(&dark.image, k % 480, k / 480);
        const uint32_t p = dark.image.pixel[k];
        red += (p >> 16 & 255) > 170 && (p >> 8 & 255) < 90 && (p & 255) < 90;
    }
    assert_true(sum[1] < 0.5 * sum[0]);
    assert_true(red > 60);
    traffic_close(&dark.t);
    image_free(&dark.image);
    drop(day);
}

static int set_up(void **state)
{
    const int code = cli_set_up(state);
    free(cli_done("run " SOURCE_DIR "/scenarios/motorway.yaml -q --end 12 -o motorway.h5"));
    cli_copy_medusa();
    free(cli_done("medusa -t2 --quiet --hdf5 medusa.h5"));
    return code;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shadows),       cmocka_unit_test(bodies),
                                       cmocka_unit_test(no_flat_faces), cmocka_unit_test(contact),
                                       cmocka_unit_test(threads),       cmocka_unit_test(evening)};
    return cmocka_run_group_tests(tests, set_up, cli_tear_down);
}
