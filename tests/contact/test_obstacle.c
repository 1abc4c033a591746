// test_obstacle.c - fixed obstacles: gaps against closed forms and an independent search, impacts
// that reverse the motion, keep energy and take up momentum.
#include "cars/car.h"
#include "contact/obstacle.h"
#include "motorcade/world.h"
#include "num/vec3.h"
#include "support/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static ellipsoid ball(double x, double y, double z, double r)
{
    return (ellipsoid){{x, y, z}, {r, 0, 0, 0, r, 0, 0, 0, r}};
}

static double gap_to(mc_batch *batch, const ellipsoid *e, ellipsoid_gap *g)
{
    const impact_body where = {batch, 0};
    obstacle_gap(&where, e, 0, g);
    return g->gap;
}

// A ball beside the face, the edge and the corner of a turned box: distance to the box less radius.
static void ball_and_box(void **unused)
{
    (void)unused;
    obstacle o = obstacle_default();
    o.x = 3.0, o.y = -2.0, o.heading = 0.5;
    o.p[OBSTACLE_LENGTH] = 4.0, o.p[OBSTACLE_WIDTH] = 2.0, o.p[OBSTACLE_HEIGHT] = 1.0;
    mc_batch *batch = obstacle_batch_create(&o, 1);
    static const double place[][3] = {{3.0, 0.3, 0.1},       {-1.0, 1.7, 0.2}, {0.5, -0.2, 0.9},
                                      {2.8, 1.9, 0.0},       {2.5, -1.4, 0.7}, {-2.6, -1.2, -1.0},
                                      {2.0 + 1e-7, 0.0, 0.0}};
    for (size_t k = 0; k < sizeof place / sizeof place[0]; k++) {
        double d[3], n[3];
        const double half[3] = {2.0, 1.0, 0.5}, c = cos(0.5), s = sin(0.5), *p = place[k];
        for (int j = 0; j < 3; j++)
            d[j] = fmax(fabs(p[j]) - half[j], 0.0) * (p[j] < 0.0 ? 1.0 : -1.0);
        const double far = vec3_norm(d),
                     world[3] = {c * d[0] - s * d[1], s * d[0] + c * d[1], d[2]};
        const ellipsoid e = ball(3.0 + c * p[0] - s * p[1], -2.0 + s * p[0] + c * p[1], p[2], 0.4);
        ellipsoid_gap g;
        assert_true(fabs(gap_to(batch, &e, &g) - (far - 0.4)) < 1e-13);
        for (int j = 0; j < 3; j++) {
            n[j] = world[j] / far;
            assert_true(fabs(g.normal[j] - n[j]) < 1e-7 + 1e-13 / far);
            assert_true(fabs(g.point_2[j] - e.centre[j] - world[j]) < 1e-13);
            assert_true(fabs(g.point_1[j] - e.centre[j] - 0.4 * g.normal[j]) < 1e-13);
        }
    }
    batch->kind->destroy(batch);
}

static double support(const double *points, int count, const double n[3]) // least n.p
{
    double least = HUGE_VAL;
    for (int k = 0; k < count; k++)
        least = fmin(least, vec3_dot(points + 3 * k, n));
    return least;
}

// n.p - n.c - |A' n| of the hull and the ellipsoid.
static double along(const ellipsoid *e, const double *points, int count, const double n[3])
{
    double reach[3];
    mat3_tmul_vec(e->axes, n, reach);
    return support(points, count, n) - vec3_dot(n, e->centre) - vec3_norm(reach);
}

// The largest of these over all directions, by trial: steps at random that shrink.
static double search(const ellipsoid *e, const double *points, int count, const double start[3],
                     unsigned long long *seed)
{
    double best[3], value, size = 1.0;
    memcpy(best, start, sizeof best);
    value = along(e, points, count, best);
    for (int k = 0; k < 200 && vec3_norm(best) < 2.0; k++) { // from everywhere
        double n[3];
        for (int j = 0; j < 3; j++)
            n[j] = sample_uniform(seed, -1.0, 1.0);
        const double length = vec3_norm(n);
        for (int j = 0; j < 3; j++)
            n[j] /= length;
        const double here = along(e, points, count, n);
        if (here > value)
            value = here, memcpy(best, n, sizeof n);
    }
    for (int k = 0, idle = 0; size > 1e-9 && k < 100000; k++) {
        double n[3];
        for (int j = 0; j < 3; j++)
            n[j] = best[j] + size * sample_uniform(seed, -1.0, 1.0);
        const double length = vec3_norm(n);
        for (int j = 0; j < 3; j++)
            n[j] /= length;
        const double here = along(e, points, count, n);
        if (here > value)
            value = here, memcpy(best, n, sizeof n), idle = 0;
        else if (++idle > 20)
            size *= 0.5, idle = 0;
    }
    return value;
}

// Ellipsoids and hulls at random: moved along the normal until they touch by convex.h, no direction
// separates them any more and none has them overlap, by a search that knows nothing of it.
static void random_pairs(void **unused)
{
    (void)unused;
    unsigned long long seed = 7;
    const int count = 1000;
    double worst = 0.0, low = 0.0;
    for (int k = 0; k < count; k++) {
        double points[3 * 12], middle[3] = {0.0, 0.0, 0.0};
        const int corners = 4 + k % 9;
        for (int j = 0; j < 3 * corners; j++)
            points[j] = sample_uniform(&seed, -1.5, 1.5);
        for (int j = 0; j < corners; j++)
            for (int i = 0; i < 3; i++)
                middle[i] += points[3 * j + i] / corners;
        ellipsoid e = ball(0, 0, 0, 1.0);
        for (int j = 0; j < 9; j++)
            e.axes[j] = sample_uniform(&seed, -0.3, 0.3) + (j % 4 == 0 ? 0.8 : 0.0);
        for (int j = 0; j < 3; j++)
            e.centre[j] = sample_uniform(&seed, 2.0, 4.0) * (j == k % 3 ? 1.0 : 0.3);
        ellipsoid_gap g;
        convex_hull_gap(&e, points, corners, middle, &g);
        const double exact = search(&e, points, corners, g.normal, &seed);
        if (g.gap > exact + 1e-9)
            fail_msg("pair %d: gap %.12g, but the bodies are %.12g apart", k, g.gap, exact);
        low = fmax(low, (exact - g.gap) / exact);
        for (int turn = 0; turn < 60 && fabs(g.gap) > 1e-13; turn++) {
            for (int j = 0; j < 3; j++)
                e.centre[j] += g.gap * g.normal[j];
            convex_hull_gap(&e, points, corners, middle, &g);
        }
        assert_true(fabs(g.gap) < 1e-12);
        double off = 0.0;
        for (int j = 0; j < 3; j++)
            off = fmax(off, fabs(g.point_1[j] - g.point_2[j]));
        assert_true(off < 1e-11);
        const double left = search(&e, points, corners, g.normal, &seed);
        worst = fmax(worst, fabs(left));
        if (fabs(left) > 1e-8)
            fail_msg("pair %d touches, but a search finds %g m between", k, left);
    }
    printf("%d pairs: %.1e m where they touch; apart, the gap is at most %.2f of itself short\n",
           count, worst, low);
}

// A pole: the plane section of the ellipsoid's shadow and a circle, at any height.
static void pole(void **unused)
{
    (void)unused;
    obstacle o = obstacle_default();
    o.shape = OBSTACLE_CYLINDER;
    o.p[OBSTACLE_LENGTH] = 0.6;
    mc_batch *batch = obstacle_batch_create(&o, 1);
    const ellipsoid e = {{-3.0, 0.0, 5.0}, {2.0, 0, 0, 0, 1.0, 0, 0, 0, 0.7}};
    ellipsoid_gap g;
    assert_true(fabs(gap_to(batch, &e, &g) - 0.7) < 1e-12);
    assert_true(fabs(g.normal[0] - 1.0) < 1e-12 && fabs(g.point_1[2] - 5.0) < 1e-12);
    batch->kind->destroy(batch);
}

// ---- impacts ----

static mc_world *hits(mc_batch *vehicle, const obstacle *o, double restitution, double friction)
{
    mc_world_options options = mc_world_defaults();
    mc_error error = {0};
    int id;
    options.threads = 1;
    options.restitution = restitution;
    options.friction = friction;
    mc_world *w = mc_world_create(&options, &error);
    mc_batch *fixed = obstacle_batch_create(o, 1);
    assert_int_equal(mc_world_give(w, vehicle, &error), MC_OK);
    assert_int_equal(mc_world_give(w, fixed, &error), MC_OK);
    assert_int_equal(mc_world_add(w, vehicle, 0, &id, &error), MC_OK);
    assert_int_equal(mc_world_add(w, fixed, 0, &id, &error), MC_OK);
    assert_int_equal(mc_world_start(w, NULL, NULL, &error), MC_OK);
    return w;
}

// A car against the wall of a box: at the exact instant, back at restitution times its speed, the
// impulse booked on the wall.
static void wall(void **unused)
{
    (void)unused;
    for (double e = 0.0; e <= 1.0; e += 0.5) {
        car c;
        car_defaults(&c, NULL);
        mc_batch *batch = car_batch_create(&c, 1, 0.01);
        car_batch_place(batch, 0, 0.0, 0.0, 0.0, 12.0);
        obstacle o = obstacle_default();
        o.x = 20.0;
        o.p[OBSTACLE_LENGTH] = 2.0, o.p[OBSTACLE_WIDTH] = 8.0;
        o.p[OBSTACLE_RESTITUTION] = e;
        mc_world *w = hits(batch, &o, 0.3, 0.0);
        mc_error error;
        assert_int_equal(mc_world_advance(w, 2.0, &error), MC_OK);
        int count;
        const mc_impact *i = mc_world_impacts(w, &count);
        const double mass = batch->kind->mass(batch, 0);
        assert_true(count >= 1 && i->a == 0 && i->b == 1);
        assert_true(fabs(i->time - (19.0 - 0.5 * c.p[CAR_LENGTH]) / 12.0) < 1e-9);
        assert_true(fabs(i->closing - 12.0) < 1e-9 && fabs(i->normal[0] - 1.0) < 1e-9);
        assert_true(fabs(i->velocity_after[0][0] + e * 12.0) < 1e-6);
        assert_true(fabs(i->impulse - mass * 12.0 * (1.0 + e)) < 1e-3);
        assert_true(fabs(i->restitution_loss - 0.5 * mass * 144.0 * (1.0 - e * e)) < 1.0);
        mc_batch *fixed;
        int index;
        double booked[3], sum = 0.0;
        mc_world_vehicle(w, 1, &fixed, &index);
        fixed->kind->road_impulse(fixed, index, booked);
        for (int k = 0; k < count; k++)
            sum += i[k].impulse * i[k].normal[0];
        assert_true(fabs(booked[0] + sum) < 1e-6 * sum);
        mc_world_destroy(w);
    }
}

// A deformable car against a pole beside its middle: it turns about it, energy is never created,
// and the balance of momentum includes what the pole took.
static void soft_car_and_pole(void **unused)
{
    (void)unused;
    for (int rough = 0; rough < 2; rough++) {
        const cosserat_model m = sample_model_at_rest(1);
        mc_batch *batch = cosserat_batch_create(&m, 1, COSSERAT_EXPONENTIAL, 5e-4);
        cosserat_batch_place(batch, 0, 0.0, 0.0, 0.0, 15.0, 0.0, 0);
        obstacle o = obstacle_default();
        o.shape = OBSTACLE_CYLINDER;
        o.x = 4.0, o.y = 0.5;
        o.p[OBSTACLE_LENGTH] = 0.4;
        mc_world *w = hits(batch, &o, 1.0, rough ? 0.4 : 0.0);
        double before[3], after[3], road[3], booked[3];
        mc_energy e;
        batch->kind->momentum(batch, 0, before);
        batch->kind->energy(batch, 0, &e);
        const double start = e.kinetic + e.elastic + e.spring + e.gravity;
        mc_error error;
        assert_int_equal(mc_world_advance(w, 0.6, &error), MC_OK);
        batch->kind->momentum(batch, 0, after);
        batch->kind->road_impulse(batch, 0, road);
        batch->kind->energy(batch, 0, &e);
        mc_batch *fixed;
        int index, count;
        mc_world_vehicle(w, 1, &fixed, &index);
        fixed->kind->road_impulse(fixed, index, booked);
        double lost = 0.0;
        const mc_impact *i = mc_world_impacts(w, &count);
        for (int k = 0; k < count; k++)
            lost += i[k].friction_loss + i[k].restitution_loss;
        const double end = e.kinetic + e.elastic + e.spring + e.gravity + e.damped + e.slipped;
        mc_motion motion;
        batch->kind->motion(batch, 0, 1, &motion);
        printf("%d impacts on the pole, %.0f N s, balance %.1e J, yaw rate %.2f rad/s\n", count,
               -booked[0], end + lost - start, motion.yaw_rate);
        // Friction at the pole holds against the turn.
        const double turns = rough ? 0.1 : 1.0;
        assert_true(count > 0 && motion.v < 14.0 && fabs(motion.yaw_rate) > turns);
        assert_true(fabs(end + lost - start) < 1e-6 * start && lost >= 0.0);
        const double weight = m.p[COSSERAT_MASS] * 9.81 * 0.6;
        for (int j = 0; j < 3; j++) // what came in from road, gravity and pole
            assert_true(fabs(after[j] - before[j] - road[j] - booked[j] + (j == 2 ? weight : 0.0)) <
                        1e-6 * fabs(before[0]));
        mc_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_and_box), cmocka_unit_test(random_pairs),      cmocka_unit_test(pole),
        cmocka_unit_test(wall),         cmocka_unit_test(soft_car_and_pole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
