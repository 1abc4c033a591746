// test_numbers.c - the numbers of the studio's answers against closed forms, and against the CSV
// files of the same run: collisions, string stability, figures, mileage, cards of the past.
#include "motorcade/observe.h"
#include "motorcade/record.h"
#include "support/hub_page.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static hub *h;
static test_page p;

static void near(double got, double expected, double by)
{
    if (!(fabs(got - expected) <= by))
        fail_msg("%.12g instead of %.12g", got, expected);
}

// A hub on a scenario given as text.
static void begin(const char *text)
{
    char path[] = "/tmp/motorcade-numbers-XXXXXX.yaml";
    FILE *out = fdopen(mkstemps(path, 5), "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    h = test_hub(path, false);
    unlink(path);
    assert_non_null(h);
    test_page_open(&p, h);
}

static void end(void)
{
    test_page_close(&p);
    hub_destroy(h);
}

// Whether the clock runs, by its next message; *reached: the end of world 0.
static bool runs(double *reached)
{
    json_t *clock = test_page_wait(&p, "clock");
    const bool running = json_is_true(json_object_get(clock, "running"));
    *reached = test_number(json_array_get(json_object_get(clock, "worlds"), 0), "end");
    json_decref(clock);
    return running;
}

// Simulates to t or somewhat more, then rests.
static void play_to(double t)
{
    double reached = 0.0;
    bool running = true;
    test_page_tell(&p, "{\"kind\": \"time\", \"t\": 0, \"playing\": true, \"live\": true, "
                       "\"rate\": 20}");
    while (reached < t)
        running = runs(&reached);
    test_page_tell(&p, "{\"kind\": \"time\", \"t\": 0, \"playing\": false, \"live\": true, "
                       "\"rate\": 1}");
    while (running) // it may have come to its end by itself
        running = runs(&reached);
}

static const json_t *at(const json_t *list, size_t k)
{
    return json_array_get(list, k);
}

// ---- collisions ----

// Two points in line: with the reduced mass mu = m M/(m + M) and the closing speed w, the impulse
// is mu (1 + e) w, the changes of speed J/m and J/M, the loss mu w^2 (1 - e^2)/2.
static void check_hit(double light, double heavy, double e)
{
    char text[600];
    snprintf(text, sizeof text,
             "motorcade: scenario\ntime: {end: 6, step: 0.01}\n"
             "contact: {restitution: %g, friction: 0}\n"
             "models: {small: {kind: point, mass: %g}, big: {kind: point, mass: %g}}\n"
             "vehicles:\n  - {name: rear, model: small, x: 0, v: 21}\n"
             "  - {name: front, model: big, x: 30, v: 13}\n",
             e, light, heavy);
    begin(text);
    play_to(5.0);
    // Another mass from now on is not that of the collision.
    json_t *a = test_page_ask(&p, "{\"kind\": \"set\", \"vehicle\": \"rear\", \"param\": \"mass\", "
                                  "\"value\": 5000}");
    assert_string_equal(test_text(a, "kind"), "done");
    json_decref(a);
    play_to(5.1);
    a = test_page_ask(&p, "{\"kind\": \"collision\", \"index\": 0}");
    const json_t *c = json_object_get(a, "collision");
    const double w = 8.0, mu = light * heavy / (light + heavy), impulse = mu * (1.0 + e) * w;
    assert_int_equal(json_array_size(json_object_get(a, "collisions")), 1);
    assert_string_equal(test_text(c, "vehicle"), "front"); // b; a is the first of the file
    assert_string_equal(test_text(c, "other"), "rear");
    near(test_number(c, "closing"), w, 1e-9);
    near(test_number(c, "impulse"), impulse, 1e-6 * impulse);
    near(test_number(c, "relative_after"), e * w, 1e-6);
    // They close 30 m less one length, 5.5626 m, at 8 m/s.
    near(test_number(c, "t"), (30.0 - 5.5626) / w, 1e-6);
    const json_t *cars = json_object_get(c, "cars");
    near(test_number(at(cars, 0), "mass"), light, 1e-9);
    near(test_number(at(cars, 1), "mass"), heavy, 1e-9);
    near(test_number(at(cars, 0), "delta_v"), impulse / light, 1e-6);
    near(test_number(at(cars, 1), "delta_v"), impulse / heavy, 1e-6);
    near(test_number(c, "offset"), 0.0, 1e-9);
    assert_true(test_number(c, "momentum_error") < 1e-9 && test_number(c, "energy_error") < 1e-9);
    const json_t *ledger = json_object_get(c, "ledger");
    const json_t *first = at(ledger, 0), *last = at(ledger, json_array_size(ledger) - 1);
    const double before = 0.5 * light * 21.0 * 21.0 + 0.5 * heavy * 13.0 * 13.0;
    const double loss = 0.5 * mu * w * w * (1.0 - e * e);
    near(test_number(first, "kinetic"), before, 1e-6 * before);
    near(test_number(last, "kinetic"), before - loss, 1e-6 * before);
    near(test_number(last, "friction"), loss, 1e-6 * before);
    const double common = before - 0.5 * mu * w * w; // the mass centre keeps its speed
    near(test_number(first, "common"), common, 1e-6 * before);
    near(test_number(last, "common"), common, 1e-6 * before);
    double sum = 0.0; // of the curve of force: the impulse again
    for (size_t k = 0; k < json_array_size(json_object_get(c, "force")); k++)
        sum +=
            test_number(at(json_object_get(c, "force"), k), "force") * test_number(c, "force_step");
    near(sum, impulse, 1e-6 * impulse);
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"figures\"}");
    const json_t *rows = json_object_get(a, "rows");
    near(json_number_value(at(json_object_get(at(rows, 0), "values"), 0)), 1.0, 0.0);
    near(json_number_value(at(json_object_get(at(rows, 1), "values"), 0)), loss, 1e-6 * before);
    json_decref(a);
    end();
}

static void collisions_obey_momentum(void **state)
{
    (void)state;
    check_hit(1500.0, 1500.0, 1.0); // they change speeds
    check_hit(1000.0, 3000.0, 0.4);
    check_hit(2500.0, 900.0, 0.0); // they stay together
}

// ---- string stability ----

// Law (8): x''' = k1 (x_f - x - L - h v) + k2 (v_f - v - h a) + k3 (a_f - a).
static double law_8(const double k[3], double headway, double w)
{
    const double complex s = I * w;
    return cabs((k[2] * s * s + k[1] * s + k[0]) /
                (s * s * s + (k[2] + headway * k[1]) * s * s + (k[1] + headway * k[0]) * s + k[0]));
}

static void check_curve(const json_t *one, const double k[3], double headway)
{
    const json_t *w = json_object_get(one, "w"), *gain = json_object_get(one, "gain");
    assert_int_equal(json_array_size(w), 121);
    double peak = 0.0;
    for (size_t i = 0; i < 121; i++) {
        const double at_w = json_number_value(at(w, i));
        near(json_number_value(at(gain, i)), law_8(k, headway, at_w), 1e-6);
    }
    for (double x = 0.01; x < 30.0; x *= 1.0005)
        peak = fmax(peak, law_8(k, headway, x));
    near(test_number(one, "peak"), fmax(peak, 1.0), 1e-5);
    const bool stable = 2.0 * k[2] * headway + k[1] * headway * headway >= 2.0;
    assert_string_equal(test_text(one, "verdict"), stable ? "stable" : "unstable");
}

static void gains_are_those_of_the_law(void **state)
{
    (void)state;
    const double w = 1.18, period = 2.0 * PI / w, k[3] = {1.0, 2.0, 1.0},
                 other[3] = {1.0, 2.0, 5.0};
    begin("motorcade: scenario\ntime: {end: 90, step: 0.01}\nroad: {headway: 0.3, distance: 6}\n"
          "models: {dot: {kind: point}}\n"
          "profiles: {swing: {formula: \"25 + 0.3*sin(1.18*t)\"}}\n"
          "controllers: {follow: {law: platoon, k1: 1, k2: 2, k3: 1}}\n"
          "platoons:\n  - leader: {model: dot, profile: swing}\n"
          "    cars: [{model: dot, controller: follow, count: 3}]\n");
    play_to(80.0);
    // The last seven periods: what the start left has gone.
    const double to = 79.5, from = to - 7.0 * period;
    json_t *a =
        test_page_ask(&p, "{\"kind\": \"string\", \"from\": %.17g, \"to\": %.17g}", from, to);
    const json_t *one = at(json_object_get(a, "worlds"), 0);
    check_curve(one, k, 0.3);
    const json_t *measured = json_object_get(one, "measured");
    assert_int_equal(json_array_size(measured), 3);
    const double expected = law_8(k, 0.3, w); // 1.468, the peak
    near(expected, 1.468, 5e-4);
    for (size_t i = 0; i < 3; i++) {
        near(test_number(at(measured, i), "l2"), expected, 0.01 * expected);
        near(test_number(at(measured, i), "l_inf"), expected, 0.015 * expected);
    }
    near(test_number(one, "head_to_tail"), pow(expected, 3.0), 0.03 * pow(expected, 3.0));
    assert_true(json_is_true(json_object_get(one, "enough")));
    json_decref(a);
    // Another gain from 80 s on: the promise of the past is that of the past.
    a = test_page_ask(&p, "{\"kind\": \"set\", \"controller\": \"follow\", \"param\": \"k3\", "
                          "\"value\": 5}");
    assert_string_equal(test_text(a, "kind"), "done");
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"string\"}"); // the step that carries it out is to come
    check_curve(at(json_object_get(a, "worlds"), 0), other, 0.3);
    json_decref(a);
    play_to(80.5);
    a = test_page_ask(&p, "{\"kind\": \"string\"}");
    check_curve(at(json_object_get(a, "worlds"), 0), other, 0.3);
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"log\", \"world\": 0}");
    const double changed = test_number(at(json_object_get(a, "entries"), 0), "t");
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"string\", \"t\": %.17g}", changed);
    check_curve(at(json_object_get(a, "worlds"), 0), other, 0.3);
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"string\", \"t\": 40}");
    check_curve(at(json_object_get(a, "worlds"), 0), k, 0.3);
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"string\", \"t\": 40, \"try\": {\"k3\": 5}}");
    check_curve(at(json_object_get(a, "worlds"), 0), other, 0.3);
    json_decref(a);
    end();
}

// ---- figures, by the CSV files of the same run ----

static const char driving[] =
    "motorcade: scenario\ntime: {end: 24, step: 0.02, record: 0.02}\n"
    "road: {headway: 1.2, distance: 4}\n"
    "models: {town: powertrain, van: {like: town, mass: 2300}}\n"
    "controllers: {follow: {law: pid}}\n"
    "platoons:\n  - leader: {model: town, profile: {table: [[0, 20], [4, 20], [8, 26], [13, 26], "
    "[18, 15], [24, 15]]}}\n"
    "    cars: [{model: town, controller: follow}, {model: van, controller: follow, name: van}]\n";
static const char *const driven[] = {"leader", "car1", "van"};
enum { CARS = 3, ROWS = 1201 };
#define ROW 0.02 // s

typedef struct columns { // of one car
    double t[ROWS], x[ROWS], v[ROWS], a[ROWS], jerk[ROWS], gap[ROWS], error[ROWS], fuel[ROWS];
} columns;

static void read_csv(const char *folder, const char *name, columns *out)
{
    static const char *const names[] = {"t", "x", "v", "a", "jerk", "gap", "spacing_error", "fuel"};
    char path[128], line[4096];
    int place[8] = {0};
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_non_null(fgets(line, sizeof line, in));
    line[strcspn(line, "\r\n")] = '\0';
    int column = 0, found = 0;
    for (char *word = strtok(line, ","); word; word = strtok(NULL, ","), column++)
        for (int k = 0; k < 8; k++)
            if (strcmp(word, names[k]) == 0)
                place[k] = column, found++;
    assert_int_equal(found, 8);
    double *const to[8] = {out->t,    out->x,   out->v,     out->a,
                           out->jerk, out->gap, out->error, out->fuel};
    for (int row = 0; row < ROWS; row++) {
        assert_non_null(fgets(line, sizeof line, in));
        column = 0;
        for (char *word = strtok(line, ","); word; word = strtok(NULL, ","), column++)
            for (int k = 0; k < 8; k++)
                if (place[k] == column)
                    to[k][row] = strtod(word, NULL);
    }
    assert_null(fgets(line, sizeof line, in));
    fclose(in);
}

// The run without a hub, its rows and its figure `mileage`.
static void record(columns *cars, double mileage[CARS])
{
    char folder[] = "/tmp/motorcade-numbers-XXXXXX", remove[64];
    mc_error error = {0};
    assert_non_null(mkdtemp(folder));
    mc_scenario *s = mc_scenario_parse(driving, sizeof driving - 1, NULL, &error);
    if (!s)
        fail_msg("%s", error.text);
    mc_run *run = mc_run_create(s, &(mc_run_options){.threads = 1}, &error);
    assert_non_null(run);
    mc_recording *rec = mc_recording_open(run, &(mc_record_output){.csv = folder}, &error);
    assert_non_null(rec);
    assert_int_equal(mc_recording_play(rec, NULL, &error), MC_OK);
    for (int c = 0; c < CARS; c++)
        mileage[c] = mc_figures_value(mc_recording_figures(rec), c, MC_FIGURE_MILEAGE);
    assert_int_equal(mc_recording_close(rec, &error), MC_OK);
    for (int c = 0; c < CARS; c++)
        read_csv(folder, driven[c], &cars[c]);
    mc_run_destroy(run);
    mc_scenario_free(s);
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    assert_int_equal(system(remove), 0);
}

static double max(const double *y)
{
    double best = 0.0;
    for (int k = 0; k < ROWS; k++)
        best = fmax(best, fabs(y[k]));
    return best;
}

static double mean_square(const double *y, double about)
{
    double sum = 0.0;
    for (int k = 1; k < ROWS; k++)
        sum += 0.5 * ROW * (pow(y[k] - about, 2.0) + pow(y[k - 1] - about, 2.0));
    return sum / (ROW * (ROWS - 1));
}

static void figure_is(const json_t *car, const char *name, double expected, double by)
{
    const double got = test_number(json_object_get(car, "values"), name);
    if (!(fabs(got - expected) <= by))
        fail_msg("%s of %s: %.9g instead of %.9g", name, test_text(car, "vehicle"), got, expected);
}

static void check_car(const json_t *car, const columns *c, const columns *front)
{
    const double driven_m = c->x[ROWS - 1] - c->x[0], burnt = c->fuel[ROWS - 1];
    figure_is(car, "largest.acceleration", max(c->a), 1e-5);
    figure_is(car, "largest.jerk", max(c->jerk), 1e-4);
    figure_is(car, "rms.jerk", sqrt(mean_square(c->jerk, 0.0)), 1e-4);
    figure_is(car, "distance", driven_m, 1e-6);
    figure_is(car, "fuel", burnt, 1e-8);
    figure_is(car, "fuel.per_km", 1e6 * burnt / driven_m, 1e-2);
    figure_is(car, "fuel.mpg", driven_m / 1609.344 / (burnt / 745.0 / 3.785411784e-3), 1e-2);
    if (!front)
        return;
    double gap = INFINITY, time_gap = INFINITY, ttc = INFINITY;
    for (int k = 0; k < ROWS; k++) {
        gap = fmin(gap, c->gap[k]);
        time_gap = fmin(time_gap, c->gap[k] / c->v[k]);
        if (c->v[k] > front->v[k])
            ttc = fmin(ttc, c->gap[k] / (c->v[k] - front->v[k]));
    }
    figure_is(car, "smallest.gap", gap, 1e-4);
    figure_is(car, "smallest.time_gap", time_gap, 1e-5);
    figure_is(car, "smallest.ttc", ttc, 1e-3 * ttc);
    figure_is(car, "largest.spacing_error", max(c->error), 1e-4);
    figure_is(car, "rms.spacing_error", sqrt(mean_square(c->error, 0.0)), 1e-4);
    figure_is(car, "gain.speed.l2",
              sqrt(mean_square(c->v, c->v[0]) / mean_square(front->v, front->v[0])), 1e-4);
}

static void figures_are_those_of_the_files(void **state)
{
    (void)state;
    static columns cars[CARS];
    double mileage[CARS];
    record(cars, mileage);
    begin(driving);
    play_to(24.0 - 1e-6);
    json_t *a = test_page_ask(&p, "{\"kind\": \"figures\"}");
    const json_t *list = at(json_object_get(a, "cars"), 0);
    assert_int_equal(json_array_size(list), CARS);
    for (int c = 0; c < CARS; c++)
        check_car(at(list, (size_t)c), &cars[c], c > 0 ? &cars[c - 1] : NULL);
    json_decref(a);
    // A car that is taken away later is still in the figures of the time before.
    a = test_page_ask(&p, "{\"kind\": \"end\", \"end\": 30}");
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"car\", \"op\": \"remove\", \"vehicle\": \"car1\"}");
    assert_string_equal(test_text(a, "kind"), "done");
    json_decref(a);
    play_to(25.0);
    a = test_page_ask(&p, "{\"kind\": \"figures\", \"to\": 24}");
    list = at(json_object_get(a, "cars"), 0);
    assert_int_equal(json_array_size(list), CARS);
    for (int c = 0; c < CARS; c++)
        check_car(at(list, (size_t)c), &cars[c], c > 0 ? &cars[c - 1] : NULL);
    json_decref(a);
    end();
}

// ---- mileage ----

// Eq (13) over stored samples, as printed: T = 0.02 s, T0 = 100 s, alpha = 0.1, eps = 1e-3 gal.
static double eq_13(const columns *c, int row)
{
    double value = 10.0; // mpg; all of it is in the first window
    for (int k = 1; k <= row; k++) {
        const double gallons = (c->fuel[k] - c->fuel[0]) / 745.0 / 3.785411784e-3;
        if (gallons >= 1e-3)
            value += 0.1 * ROW * ((c->x[k] - c->x[0]) / 1609.344 / gallons - value);
    }
    return value;
}

static double frame_mileage(int car)
{
    return (double)p.frames[p.frame_count - 1].value[MC_FIELD_MILEAGE][car];
}

static void frames_show_the_mileage_of_figures(void **state)
{
    (void)state;
    static columns cars[CARS];
    double mileage[CARS];
    record(cars, mileage);
    begin(driving);
    play_to(24.0 - 1e-6);
    for (int turn = 0; turn < 4; turn++) { // there, back, forth
        static const int rows[] = {1200, 300, 777, 1200};
        assert_int_equal(
            test_page_ask_frames(&p, "{\"kind\": \"seek\", \"t\": %.17g}", ROW * rows[turn]), 1);
        for (int c = 0; c < CARS; c++) {
            const double expected = eq_13(&cars[c], rows[turn]);
            near(frame_mileage(c), expected, 1e-6 * expected);
            if (rows[turn] == 1200)
                near(frame_mileage(c), mileage[c], 1e-6 * expected);
        }
        // The stored row says the same bits.
        const float exact = p.frames[p.frame_count - 1].value[MC_FIELD_MILEAGE][1];
        test_page_ask_frames(&p, "{\"kind\": \"rows\", \"from\": %.17g, \"to\": %.17g}",
                             ROW * rows[turn], ROW * rows[turn]);
        assert_true(p.frames[p.frame_count - 1].value[MC_FIELD_MILEAGE][1] == exact);
    }
    json_t *a = test_page_ask(&p, "{\"kind\": \"mileage\", \"t\": 12}");
    const json_t *world = at(json_object_get(a, "worlds"), 0);
    near(test_number(world, "t"), 12.0, 1e-9);
    double sum = 0.0;
    for (int c = 0; c < CARS; c++) {
        const json_t *car = at(json_object_get(world, "cars"), (size_t)c);
        const double expected = eq_13(&cars[c], 600);
        near(test_number(car, "mileage"), expected, 1e-5 * expected);
        const double gallons = cars[c].fuel[600] / 0.745 / 3.785411784;
        near(test_number(car, "mean"), (cars[c].x[600] - cars[c].x[0]) / 1609.344 / gallons, 1e-3);
        sum += expected / CARS;
    }
    near(test_number(world, "mileage"), sum, 1e-5 * sum);
    json_decref(a);
    end();
}

// ---- cards ----

static double card_value(const json_t *card, const char *list, const char *name)
{
    json_t *row;
    size_t i, k;
    const json_t *rows = json_object_get(card, list), *group;
    if (strcmp(list, "channels") == 0)
        json_array_foreach(rows, i, row) if (strcmp(test_text(row, "name"), name) ==
                                             0) return test_number(row, "value");
    json_array_foreach(rows, i, group) json_array_foreach(
        json_object_get(group, "rows"), k,
        row) if (strcmp(test_text(row, "name"), name) == 0) return test_number(row, "value");
    return NAN;
}

static void a_card_is_of_the_time_asked_for(void **state)
{
    (void)state;
    static columns cars[CARS];
    double mileage[CARS];
    record(cars, mileage);
    begin(driving);
    play_to(10.0);
    json_t *a = test_page_ask(&p, "{\"kind\": \"set\", \"vehicle\": \"car1\", \"param\": \"mass\", "
                                  "\"value\": 1999}");
    assert_string_equal(test_text(a, "kind"), "done");
    const double changed = test_number(a, "at");
    json_decref(a);
    play_to(12.0);
    a = test_page_ask(&p, "{\"kind\": \"card\", \"vehicle\": \"car1\"}");
    near(card_value(a, "groups", "mass"), 1999.0, 1e-9);
    const double fuel_now = card_value(a, "channels", "fuel");
    json_decref(a);
    a = test_page_ask(&p, "{\"kind\": \"card\", \"vehicle\": \"car1\", \"t\": 8}");
    assert_true(changed > 8.0);
    near(test_number(a, "t"), 8.0, 1e-9);
    near(card_value(a, "groups", "mass"), 1839.317, 1e-9);
    near(card_value(a, "channels", "fuel"), cars[1].fuel[400], 1e-9); // 400 rows of 0.02 s
    assert_true(fuel_now > cars[1].fuel[400] * 1.2);
    near(test_number(json_object_get(json_object_get(a, "dynamics"), "about"), "v"), cars[1].v[400],
         1e-6);
    json_decref(a);
    // The end is where it was.
    a = test_page_ask(&p, "{\"kind\": \"card\", \"vehicle\": \"car1\"}");
    near(card_value(a, "channels", "fuel"), fuel_now, 0.0);
    json_decref(a);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collisions_obey_momentum),
        cmocka_unit_test(gains_are_those_of_the_law),
        cmocka_unit_test(figures_are_those_of_the_files),
        cmocka_unit_test(frames_show_the_mileage_of_figures),
        cmocka_unit_test(a_card_is_of_the_time_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
