// test_crossing.c - the first time a gap closes, against dense sampling.
//
// Sums of three sines, seen through windows of at most 1/12 of the shortest period and shifted so
// near to zero that most windows have something to find. The truth is a dense row of samples with
// every turning point and every root between them refined.
#include "contact/crossing.h"
#include "support/sample.h"
#include "support/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { SINES = 3, WINDOWS = 2000000, DENSE = 100 };
static const double tolerance = 1e-10;

typedef struct gap_function {
    double offset, amplitude[SINES], frequency[SINES], phase[SINES];
    int looks;
} gap_function;

static void look(void *context, crossing_sample *s)
{
    gap_function *f = context;
    f->looks++;
    s->gap = f->offset, s->rate = 0.0;
    for (int i = 0; i < SINES; i++) {
        const double angle = f->frequency[i] * s->time + f->phase[i];
        s->gap += f->amplitude[i] * sin(angle);
        s->rate += f->amplitude[i] * f->frequency[i] * cos(angle);
    }
}

static crossing_sample seen(gap_function *f, double time)
{
    crossing_sample s = {.time = time};
    look(f, &s);
    return s;
}

// ---- windows ---------------------------------------------------------------------------------

typedef struct window {
    gap_function f;
    double start, end, earliest;
    double unseen; // height of what the ends and a cubic through them need not show
} window;

enum { ANY, TURN, WAVE, SHAPES }; // shapes in the window: any; one turning point; two

static window random_window(unsigned long long *seed)
{
    window w = {.start = sample_uniform(seed, -5.0, 5.0)};
    const int shape = (int)(sample_random(seed) % SHAPES);
    const double frequency = pow(10.0, sample_uniform(seed, -1.0, 2.0));
    const double length = 2.0 * M_PI / frequency / 12.0 * sample_uniform(seed, 0.2, 1.0);
    w.end = w.start + length;
    const double centre = sample_uniform(seed, w.start, w.end);
    double size = 0.0;
    for (int i = 0; i < SINES; i++) {
        w.f.amplitude[i] = sample_uniform(seed, 0.1, 1.0) * (shape == ANY || i == 0 ? 1.0 : 0.03);
        w.f.frequency[i] = frequency * (i == 0 ? 1.0 : sample_uniform(seed, 0.05, 1.0));
        w.f.phase[i] = sample_uniform(seed, 0.0, 2.0 * M_PI);
    }
    if (shape == TURN) // three in four a minimum, else a maximum
        w.f.phase[0] = (sample_random(seed) % 4 ? -0.5 : 0.5) * M_PI - frequency * centre;
    if (shape == WAVE) { // sin x - 2 (1 - e) sin(x/2) = e x - x^3/8 + ..., either sign
        const double e = sample_uniform(seed, 0.0, 0.025);
        w.f.amplitude[0] *= sample_random(seed) % 2 ? 1.0 : -1.0;
        w.f.amplitude[1] = -2.0 * (1.0 - e) * w.f.amplitude[0];
        w.f.amplitude[2] *= 1e-3;
        w.f.frequency[1] = 0.5 * frequency;
        w.f.phase[0] = -frequency * centre;
        w.f.phase[1] = -0.5 * frequency * centre;
    }
    for (int i = 0; i < SINES; i++)
        size += fabs(w.f.amplitude[i]);
    // An error of the cubic at the place of its minimum and another at that of the function.
    w.unseen = 2.0 * size * pow(frequency * length, 4) / 384.0;
    const double reach = shape == WAVE ? -5.0 : -1.0;
    const double shift = pow(10.0, sample_uniform(seed, -8.0, reach)) * size;
    w.f.offset = sample_random(seed) % 2 ? shift : -shift;
    if (shape != WAVE)
        w.f.offset -= seen(&w.f, centre).gap - w.f.offset;
    w.earliest = sample_random(seed) % 4 ? w.start - 1.0 : sample_uniform(seed, w.start, w.end);
    return w;
}

// ---- the truth -------------------------------------------------------------------------------

typedef struct truth {
    double lowest;      // least gap from the start of the search to the end of the window
    bool closes;        // comes down through zero, to below -unseen, after a rise above unseen
    crossing_sample at; // where it does so first
    bool bounce;        // began below zero
} truth;

static double turning_point(gap_function *f, double a, double b)
{
    const bool falls = seen(f, a).rate < 0.0;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (a + b);
        if ((seen(f, middle).rate < 0.0) == falls)
            a = middle;
        else
            b = middle;
    }
    return b;
}

static double root(gap_function *f, double above, double below)
{
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (above + below);
        if (seen(f, middle).gap > 0.0)
            above = middle;
        else
            below = middle;
    }
    return below;
}

static truth truth_of(window *w, double from)
{
    truth t = {.lowest = INFINITY};
    crossing_sample last = seen(&w->f, from), crossed = {0};
    double highest = last.gap; // since it was below -unseen
    bool down = last.gap <= 0.0;
    t.bounce = down;
    t.lowest = last.gap;
    for (int i = 1; i <= DENSE && !t.closes; i++) {
        const crossing_sample next = seen(&w->f, from + (w->end - from) * i / DENSE);
        crossing_sample piece[2] = {next, next}; // monotone up to each
        const bool turns = (last.rate < 0.0) != (next.rate < 0.0);
        if (turns)
            piece[0] = seen(&w->f, turning_point(&w->f, last.time, next.time));
        for (int k = turns ? 0 : 1; k < 2 && !t.closes; k++) {
            if (!down && piece[k].gap <= 0.0)
                crossed = seen(&w->f, root(&w->f, last.time, piece[k].time));
            down = piece[k].gap <= 0.0;
            highest = fmax(highest, piece[k].gap);
            t.lowest = fmin(t.lowest, piece[k].gap);
            if (piece[k].gap < -w->unseen && highest > (t.bounce ? w->unseen : 0.0)) {
                t.closes = true;
                t.at = crossed;
            }
            last = piece[k];
        }
    }
    return t;
}

// ---- tests -----------------------------------------------------------------------------------

typedef struct tally {
    int closing, dips, bounces, touching, clear, shallow, shallow_found, looks, max_looks;
} tally;

static void check_window(window *w, int index, tally *count)
{
    const double from = fmax(w->start, w->earliest);
    const crossing_sample start = seen(&w->f, w->start), end = seen(&w->f, w->end);
    const crossing_sample a = seen(&w->f, from);
    const truth t = truth_of(w, from);
    crossing_sample at = {0};
    w->f.looks = 0;
    const bool found = crossing_find(look, &w->f, &start, &end, w->earliest, tolerance, &at);
    count->looks += w->f.looks;
    count->max_looks = w->f.looks > count->max_looks ? w->f.looks : count->max_looks;
#define CHECK(condition)                                                                           \
    if (!(condition))                                                                              \
    fail_msg("window %d: %s; found %d at %.17g gap %g rate %g; true %d at %.17g; lowest %g",       \
             index, #condition, found, at.time, at.gap, at.rate, t.closes, t.at.time, t.lowest)
    if (found) { // whatever it is, it is in the window, closing, and what the function is there
        const crossing_sample again = seen(&w->f, at.time);
        CHECK(at.time >= from && at.time <= w->end);
        CHECK(at.gap == again.gap && at.rate == again.rate);
        CHECK(at.rate < 0.0 && at.gap <= tolerance);
    }
    if (a.gap <= tolerance && a.rate < 0.0) {
        count->touching++;
        CHECK(found && at.time == from);
    } else if (t.closes) {
        count->closing++;
        count->dips += end.gap > 0.0;
        count->bounces += t.bounce;
        CHECK(found);
        CHECK(fabs(at.gap) <= tolerance);
        CHECK(at.time <= t.at.time + 2.0 * tolerance / fabs(t.at.rate) + 1e-14 * fabs(at.time));
    } else if (t.lowest > tolerance) {
        count->clear++;
        CHECK(!found);
    } else { // too shallow to be asked for, or never out of contact
        CHECK(!found || fabs(at.gap) <= tolerance || t.bounce);
        count->shallow += !t.bounce;
        count->shallow_found += found && !t.bounce;
    }
#undef CHECK
}

static void sums_of_sines(void **state)
{
    (void)state;
    struct {
        unsigned long long seed;
        tally count;
    } kept = {.seed = 1};
    series s = series_open("sums of sines", WINDOWS, &kept, sizeof kept);
    for (long i; series_next(&s, &i);) {
        window w = random_window(&kept.seed);
        check_window(&w, (int)i, &kept.count);
    }
    const tally count = kept.count;
    printf("%ld windows: %d closing (%d of them dips, %d after a bounce), %d touching at the "
           "start, %d clear, %d "
           "shallow (%d found); %.2f looks, %d at most\n",
           s.count, count.closing, count.dips, count.bounces, count.touching, count.clear,
           count.shallow, count.shallow_found, (double)count.looks / (double)s.count,
           count.max_looks);
    assert_true(count.closing > s.count / 10 && count.touching > s.count / 20);
    assert_true(count.dips > s.count / 50 && count.bounces > s.count / 200);
    assert_true(count.clear > s.count / 20);
    assert_true(count.shallow > s.count / 50);
    assert_true(count.shallow_found >
                0.999 * count.shallow); // by looking where the look before told
    assert_true(count.looks < 4 * s.count && count.max_looks <= 20);
}

// gap = height + curvature (t - centre)^2 / 2, seen from 0 to 1.
typedef struct parabola {
    double height, curvature, centre;
} parabola;

static void look_parabola(void *context, crossing_sample *s)
{
    const parabola *p = context;
    const double t = s->time - p->centre;
    s->gap = p->height + 0.5 * p->curvature * t * t;
    s->rate = p->curvature * t;
}

static bool find_in_parabola(parabola p, double earliest, double margin, crossing_sample *at)
{
    crossing_sample start = {.time = 0.0}, end = {.time = 1.0};
    look_parabola(&p, &start);
    look_parabola(&p, &end);
    return crossing_find(look_parabola, &p, &start, &end, earliest, margin, at);
}

static void dips_of_every_depth(void **state)
{
    (void)state;
    for (double depth = 1e-3; depth > 1e-15; depth *= 0.5)
        for (double centre = 0.05; centre < 1.0; centre += 0.1) {
            crossing_sample at;
            const double half = sqrt(depth / 4.0);
            assert_true(find_in_parabola((parabola){-depth, 8.0, centre}, -1.0, 1e-16, &at));
            assert_true(at.rate < 0.0 && at.time < centre);
            assert_true(fabs(at.time - (centre - half)) <= 1e-15 / half + 1e-12);
            assert_false(find_in_parabola((parabola){depth, 8.0, centre}, -1.0, 1e-16, &at));
        }
}

// The window ends while the gap is on its way up again, within the tolerance of zero: the crossing
// before it must not be taken for that.
static void ends_on_the_way_up(void **state)
{
    (void)state;
    const double margin = 1e-6;
    for (double centre = 0.55; centre < 0.95; centre += 0.1) {
        const double depth = 4.0 * (1.0 - centre) * (1.0 - centre);
        crossing_sample at;
        assert_true(
            find_in_parabola((parabola){-depth - 0.5 * margin, 8.0, centre}, -1.0, margin, &at));
        assert_true(at.rate < 0.0 && fabs(at.gap) <= margin);
        assert_true(fabs(at.time - (2.0 * centre - 1.0)) < 1e-6);
    }
}

// A throw from below zero that comes back within the window, however early.
static void bounces_of_every_length(void **state)
{
    (void)state;
    for (double length = 0.9; length > 1e-6; length *= 0.7) {
        // up through 0 at length / 10, down through 0 at length
        const parabola p = {4.0 * pow(0.45 * length, 2), -8.0, 0.55 * length};
        crossing_sample at;
        assert_true(find_in_parabola(p, -1.0, 1e-14, &at));
        assert_true(at.rate < 0.0 && fabs(at.gap) <= 1e-14);
        assert_true(fabs(at.time - length) < 1e-9);
    }
}

// Dips within the tolerance count like all others, and where they fall: their lowest point, the
// first thing that is looked at, may be a hair on the rising side. What only touches does not fall.
static void grazing(void **state)
{
    (void)state;
    const double margin = 1e-6;
    crossing_sample at;
    for (double centre = 0.05; centre < 1.0; centre += 0.01) {
        assert_true(find_in_parabola((parabola){-0.5 * margin, 8.0, centre}, -1.0, margin, &at));
        assert_true(at.rate < 0.0 && fabs(at.gap) <= margin);
    }
    assert_false(find_in_parabola((parabola){0.0, 8.0, 0.5}, -1.0, 0.0, &at));
}

static void touching_rising_and_earliest(void **state)
{
    (void)state;
    crossing_sample at;
    const parabola nearly = {0.5 + 0.5e-9, -1.0, -1.0}; // within the tolerance at t = 0, falls
    assert_true(find_in_parabola(nearly, -1.0, 1e-9, &at));
    assert_true(at.time == 0.0);
    const parabola falling = {0.5, -1.0, -1.0}; // 0 at t = 0, falls
    assert_true(find_in_parabola(falling, -1.0, 1e-9, &at));
    assert_true(at.time == 0.0); // touching and closing
    assert_true(find_in_parabola(falling, 0.25, 1e-9, &at));
    assert_true(at.time == 0.25 && at.gap < -0.2); // long since below, counts at `earliest`
    assert_true(find_in_parabola(falling, 1.0, 1e-9, &at));
    assert_true(at.time == 1.0);
    assert_false(find_in_parabola(falling, 1.0 + 1e-12, 1e-9, &at)); // after the window

    const parabola rising = {-0.5, 1.0, -1.0}; // 0 at t = 0, rises
    assert_false(find_in_parabola(rising, -1.0, 1e-9, &at));
    const parabola still_down = {-5.0, 1.0, -1.0}; // below zero all the time, and rising
    assert_false(find_in_parabola(still_down, -1.0, 1e-9, &at));
    const parabola pressed = {-0.1, -1.0, 0.5}; // rises and falls without leaving contact
    assert_true(find_in_parabola(pressed, -1.0, 1e-9, &at));
    assert_true(at.rate < 0.0 && at.gap < -0.1);

    const parabola later = {0.08, -1.0, 0.2}; // above zero until t = 0.6
    assert_true(find_in_parabola(later, -1.0, 1e-12, &at));
    assert_true(fabs(at.time - 0.6) < 1e-11);
    assert_true(find_in_parabola(later, 0.5, 1e-12, &at)); // not changed by `earliest`
    assert_true(fabs(at.time - 0.6) < 1e-11);
    assert_true(find_in_parabola(later, 0.7, 1e-12, &at));
    assert_true(at.time == 0.7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_sines),
        cmocka_unit_test(dips_of_every_depth),
        cmocka_unit_test(ends_on_the_way_up),
        cmocka_unit_test(bounces_of_every_length),
        cmocka_unit_test(grazing),
        cmocka_unit_test(touching_rising_and_earliest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
