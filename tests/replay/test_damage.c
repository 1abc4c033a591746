// test_damage.c - damaged recordings: rejected or read, in every way the program reads them; never
// a crash, a second, or 256 MB.
//
// 2,000 random damages of each kind of file, each read in a process of its own: results files as
// the three commands write them, one of a run that cars join, files as version 0.1 wrote them (with
// strings of variable length), as a kill leaves them, and DYNAVIS data. Half of the damages hit the
// places where the structure of the file is, a third of them put a number there that means
// something.
#include "motorcade/replay.h"
#include "motorcade/report.h"
#include "support/cli.h"
#include "support/sample_run.h"
#include "support/series.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { DAMAGES = 2000, MEGABYTES_MAX = 256, READ = 0, REJECTED = 1, WRONG = 2 };
#define SECONDS_MAX 1.0

static const char crash[] =
    "motorcade: scenario\nname: crash\ntime: {end: 4, step: 0.02, record: 0.1}\n"
    "road: {lanes: 2, lane_width: 3.5, headway: 1, distance: 2}\n"
    "models: {dot: {kind: point}, soft: {kind: cosserat, file: model.dat, tyre: brush}}\n"
    "controllers: {follow: acc}\n"
    "profiles: {stop: {table: [[0, 20], [1, 20], [2, 0]]}}\n"
    "platoons: [{leader: {model: dot, profile: stop}, cars: [{model: soft, controller: follow, "
    "spacing: 4}]}]\n"
    "events: [{at: 0.5, vehicle: car1, brake_lost: 0}]\n";

static int set_up(void **state)
{
    cli_set_up(state);
    cli_copy_medusa();
    run_put(&folder, "crash.yaml", crash);
    run_copy(&folder, "pendulum.yaml", SOURCE_DIR "/models/pendulum.yaml");
    return 0;
}

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 20;
}

// ---- damages ----

// Where HDF5 has its structures: signatures of nodes, heaps and tables; anything else is likely a
// header if it is small numbers. A place near one of them, or any.
static size_t choose_place(uint64_t *seed, const unsigned char *bytes, size_t size)
{
    const size_t from = next(seed) % size;
    if (next(seed) % 2)
        return from;
    static const char *const marks[] = {"TREE", "SNOD", "HEAP", "GCOL", "columns", "format"};
    const char *mark = marks[next(seed) % 6];
    const unsigned char *at = memmem(bytes + from, size - from, mark, strlen(mark));
    at = at ? at : memmem(bytes, size, mark, strlen(mark));
    const size_t place = (at ? (size_t)(at - bytes) : 0) + next(seed) % 512;
    return place < 64 ? 0 : (place - 64) % size; // in front of it too
}

static void put_number(uint64_t *seed, unsigned char *at, size_t room)
{
    static const uint64_t numbers[] = {
        0,          1,      UINT64_MAX, INT64_MAX,  UINT32_MAX, 1u << 31,       1u << 30,
        1ull << 32, 0xffff, 1ull << 61, 1ull << 40, 1ull << 20, 0xfffffffffff8u};
    const uint64_t value = numbers[next(seed) % (sizeof numbers / sizeof numbers[0])];
    const size_t width = (size_t)1 << next(seed) % 4;
    memcpy(at, &value, width < room ? width : room);
}

// Damages bytes in place; returns the new size.
static size_t damage(uint64_t *seed, unsigned char *bytes, size_t size)
{
    const size_t place = choose_place(seed, bytes, size), room = size - place;
    switch (next(seed) % 6) {
    case 0: // a bit
        bytes[place] ^= (unsigned char)(1u << next(seed) % 8);
        return size;
    case 1: // some bytes
        for (size_t i = 0, n = 1 + next(seed) % 16; i < n && i < room; i++)
            bytes[place + i] = (unsigned char)next(seed);
        return size;
    case 2: // a sector, or less, of nothing
        memset(bytes + place, next(seed) % 2 ? 0 : 0xff,
               1 + next(seed) % 512 < room ? next(seed) % (room < 512 ? room : 512) : room);
        return size;
    case 3: // other bytes of the same file
    {
        const size_t from = next(seed) % size, n = 1 + next(seed) % 256;
        memmove(bytes + place, bytes + from,
                n < room && n < size - from ? n : (room < size - from ? room : size - from));
        return size;
    }
    case 4: // cut
        return next(seed) % 8 == 0 ? place : (put_number(seed, bytes + place, room), size);
    default:
        put_number(seed, bytes + place, room);
        return size;
    }
}

// ---- reading ----

static int read_all_ways(const char *path, const char *with, bool results)
{
    mc_error error = {0};
    char *page;
    int outcome = READ;
    if (results) {
        if (mc_report_text(path, &page, NULL, &error) == MC_OK)
            free(page);
        else
            outcome = error.code == MC_BAD_INPUT && strlen(error.text) > 8 ? REJECTED : WRONG;
        const mc_run_plot plot = {.y = "v", .from = NAN, .to = NAN};
        error = (mc_error){0};
        if (mc_run_plot_write(path, &plot, "/dev/null", NULL, "/dev/null", &error) != MC_OK &&
            error.code != MC_BAD_INPUT)
            outcome = WRONG;
    }
    error = (mc_error){0};
    mc_replay *r = mc_replay_load(path, with, &error);
    if (!r && error.code != MC_BAD_INPUT)
        outcome = WRONG;
    if (!r && !results && outcome == READ)
        outcome = REJECTED;
    mc_replay_free(r);
    return outcome;
}

// The same in a process of its own; fails the test where the promise is broken.
static int read_apart(const char *path, const char *with, bool results, long number)
{
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(read_all_ways(path, with, results));
    }
    int status = 0;
    struct rusage used;
    assert_true(child > 0 && wait4(child, &status, 0, &used) == child);
    const double seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    if (!WIFEXITED(status))
        fail_msg("damage %ld of %s: signal %d", number, path, WTERMSIG(status));
    if (WEXITSTATUS(status) == WRONG)
        fail_msg("damage %ld of %s: an error that is not one of the input", number, path);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    if (seconds > SECONDS_MAX || used.ru_maxrss > MEGABYTES_MAX * 1024L)
        fail_msg("damage %ld of %s: %.2f s, %ld MB", number, path, seconds, used.ru_maxrss / 1024);
#endif
    (void)seconds;
    return WEXITSTATUS(status);
}

static void damage_series(const char *name, const char *with, bool results)
{
    struct {
        uint64_t seed;
        long counts[2];
    } kept = {.seed = 11};
    char title[64], path[300], other[300];
    snprintf(title, sizeof title, "damaged %s", name);
    snprintf(path, sizeof path, "%s", cli_path("damaged"));
    snprintf(other, sizeof other, "%s", with ? cli_path(with) : "");
    size_t size;
    char *good = run_get(&folder, name, &size);
    unsigned char *bytes = malloc(size);
    assert_true(good && bytes && size > 0);
    run_put_bytes(&folder, "damaged", good, size);
    if (read_apart(path, with ? other : NULL, results, -1) != READ)
        fail_msg("%s itself is rejected", name);
    series s = series_open(title, DAMAGES, &kept, sizeof kept);
    for (long i; series_next(&s, &i);) {
        memcpy(bytes, good, size);
        size_t left = size;
        for (uint64_t n = 1 + next(&kept.seed) % 3; n > 0 && left > 0; n--)
            left = damage(&kept.seed, bytes, left);
        run_put_bytes(&folder, "damaged", bytes, left);
        kept.counts[read_apart(path, with ? other : NULL, results, i)]++;
    }
    print_message("%s, %zu bytes: %ld read, %ld rejected\n", name, size, kept.counts[READ],
                  kept.counts[REJECTED]);
    assert_true(kept.counts[REJECTED] > s.count / 20);
    free(bytes);
    free(good);
}

// ---- kinds of files ----

static void of_a_run(void **state)
{
    (void)state;
    free(cli_done("run crash.yaml -q -o run.h5"));
    damage_series("run.h5", NULL, true);
}

// Cars join by a source and by a time, collide, and leave at the end of the road.
static void of_a_run_that_cars_join(void **state)
{
    (void)state;
    run_put(&folder, "flow.yaml",
            "motorcade: scenario\ntime: {end: 20, step: 0.05, record: 0.2}\n"
            "road: {lanes: 2, speed: 20, end: 250}\nmodels: {dot: point}\n"
            "controllers: {driver: {law: idm, headway: 1.2, distance: 2}}\n"
            "vehicles:\n"
            "  - {model: dot, name: first, x: 150, v: 20, controller: driver}\n"
            "  - {model: dot, name: wreck, lane: 2, x: 200, v: 0}\n"
            "  - {model: dot, name: late, lane: 2, x: 100, v: 20, from: 3}\n"
            "sources: [{name: new, flow: 1500, model: dot, controller: driver, v: 20}]\n");
    free(cli_done("run flow.yaml -q -o flow.h5"));
    damage_series("flow.h5", NULL, true);
}

static void of_a_run_that_was_killed(void **state)
{
    (void)state;
    sample_run_write(cli_path("killed.h5"), &(sample_run){.rows = 200, .unfinished = true});
    damage_series("killed.h5", NULL, true);
}

static void of_medusa(void **state)
{
    (void)state;
    free(cli_done("medusa -t2 -s0.1 --hdf5 medusa.h5 --quiet"));
    damage_series("medusa.h5", NULL, true);
}

static void of_simulate(void **state)
{
    (void)state;
    free(cli_done("simulate pendulum.yaml --end 1 --step 0.1 -o simulate.h5 -q"));
    damage_series("simulate.h5", NULL, true);
}

static void of_version_0_1(void **state)
{
    (void)state;
    static const char *const kinds[] = {"run", "medusa", "simulate"};
    for (int k = 0; k < 3; k++) {
        char from[300], name[64];
        snprintf(from, sizeof from, SOURCE_DIR "/tests/data/results-1/%s.h5", kinds[k]);
        snprintf(name, sizeof name, "%s-1.h5", kinds[k]);
        run_copy(&folder, name, from);
        damage_series(name, NULL, true);
    }
}

static void of_dynavis_data(void **state)
{
    (void)state;
    free(cli_done("run crash.yaml -q --dynavis drive.dat"));
    damage_series("drive.dat", NULL, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(of_a_run, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(of_a_run_that_cars_join, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(of_a_run_that_was_killed, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(of_medusa, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(of_simulate, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(of_version_0_1, set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(of_dynavis_data, set_up, cli_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
