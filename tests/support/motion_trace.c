// motion_trace.c - hashes of motion, and the tables they are held to.
#include "support/motion_trace.h"

#include "base/cpu.h"
#include "support/series.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static const char *const group_names[MOTION_GROUPS] = {
    "motion", "inputs", "control", "channels", "balance", "body", "impacts", "states", "outputs"};
static const char *const level_names[CPU_LEVEL_COUNT] = {"plain", "avx2"};
static const char *const check_names[MOTION_CHECKS] = {"row 1", "10 %", "50 %", "100 %"};

// ---- hashing -----------------------------------------------------------------------------------

// Rows after which hash number `check` is noted.
static long long check_row(long long rows, int check)
{
    const long long at[MOTION_CHECKS] = {1, (rows + 9) / 10, (rows + 1) / 2, rows};
    return at[check];
}

void motion_rows(motion_trace *t, long long rows)
{
    assert_true(rows > 0 && t->rows == 0);
    t->rows = rows;
    for (int g = 0; g < MOTION_GROUPS; g++)
        t->group[g].hash = UINT64_C(0xcbf29ce484222325);
}

void motion_put(motion_trace *t, motion_group group, double number)
{
    uint64_t bits, hash = t->group[group].hash;
    memcpy(&bits, &number, sizeof bits);
    if (isnan(number)) // sign and payload mean nothing
        bits = UINT64_C(0x7ff8000000000000);
    for (int k = 0; k < 64; k += 8)
        hash = (hash ^ (bits >> k & 0xff)) * UINT64_C(0x100000001b3);
    t->group[group].hash = hash;
    t->group[group].count++;
}

bool motion_more(const motion_trace *t)
{
    return t->row < check_row(t->rows, t->checks - 1);
}

void motion_row_end(motion_trace *t)
{
    t->row++;
    for (int k = 0; k < MOTION_CHECKS; k++)
        if (t->row == check_row(t->rows, k))
            for (int g = 0; g < MOTION_GROUPS; g++)
                t->group[g].at[k] = t->group[g].hash;
}

// ---- tables ------------------------------------------------------------------------------------

typedef struct line { // of a table
    char name[64], level[16], group[16];
    long long count; // rows; of impacts: how many
    unsigned long long at[MOTION_CHECKS];
    bool used;
} line;

static struct {
    char path[512];
    bool write;
    line *lines; // as read, or to be written
    int count;
} table;

static void add_line(const line *l)
{
    table.lines = realloc(table.lines, ((size_t)table.count + 1) * sizeof *table.lines);
    assert_non_null(table.lines);
    table.lines[table.count++] = *l;
}

static void read_table(void)
{
    char text[512];
    FILE *file = fopen(table.path, "r");
    for (int number = 1; file && fgets(text, sizeof text, file); number++) {
        line l = {0};
        if (text[0] == '#' || text[0] == '\n')
            continue;
        if (sscanf(text, "%63s %15s %15s %lld %llx %llx %llx %llx", l.name, l.level, l.group,
                   &l.count, &l.at[0], &l.at[1], &l.at[2], &l.at[3]) != 8) {
            fprintf(stderr, "%s:%d: not a line of hashes\n", table.path, number);
            exit(2);
        }
        add_line(&l);
    }
    if (file)
        fclose(file);
}

static void write_line(FILE *file, const line *l)
{
    fprintf(file, "%-24s %-5s %-8s %6lld", l->name, l->level, l->group, l->count);
    for (int k = 0; k < MOTION_CHECKS; k++)
        fprintf(file, " %016llx", l->at[k]);
    fputc('\n', file);
}

static int write_table(const char *program)
{
    FILE *file = fopen(table.path, "w");
    if (!file) {
        perror(table.path);
        return 1;
    }
    fprintf(
        file,
        "# Hashes of motion, made by %s --write; docs/design.md says what they\n"
        "# hold for. Rows (of impacts: how many there were), then the hash after the first row\n"
        "# and after 10, 50 and 100 %% of the rows.\n",
        program);
    for (int i = 0; i < table.count; i++)
        write_line(file, &table.lines[i]);
    if (fclose(file) != 0) {
        perror(table.path);
        return 1;
    }
    printf("%s: %d lines\n", table.path, table.count);
    return 0;
}

static line *find_line(const char *name, cpu_level level, motion_group group)
{
    for (int i = 0; i < table.count; i++) {
        line *l = &table.lines[i];
        if (strcmp(l->name, name) == 0 && strcmp(l->level, level_names[level]) == 0 &&
            strcmp(l->group, group_names[group]) == 0)
            return l;
    }
    return NULL;
}

// ---- comparing ---------------------------------------------------------------------------------

// Says what differs in the first `checks` hashes and since when; true: nothing. What there is of
// them in all is known at the last.
static bool compare(const line *expected, const line *found, long long rows, int checks)
{
    const bool counted = checks == MOTION_CHECKS;
    if ((expected->count == found->count || !counted) &&
        memcmp(expected->at, found->at, (size_t)checks * sizeof found->at[0]) == 0)
        return true;
    int first = 0;
    while (first < checks - 1 && expected->at[first] == found->at[first])
        first++;
    print_error("%s, %s, %s: other numbers\n  expected: ", found->name, found->level, found->group);
    write_line(stderr, expected);
    print_error("  found:    ");
    write_line(stderr, found);
    if (counted && expected->count != found->count)
        print_error("  the count differs: %lld, expected %lld\n", found->count, expected->count);
    print_error("  first seen at %s: in rows %lld to %lld\n", check_names[first],
                first ? check_row(rows, first - 1) + 1 : 1, check_row(rows, first));
    return false;
}

static bool hold_to_table(const motion_case *c, cpu_level level, const motion_trace *t)
{
    bool same = true;
    for (int g = 0; g < MOTION_GROUPS; g++) {
        line *expected = find_line(c->name, level, (motion_group)g);
        if (t->group[g].count == 0 && !expected)
            continue;
        line found = {.count = g == IMPACTS ? t->impacts : t->rows};
        snprintf(found.name, sizeof found.name, "%s", c->name);
        snprintf(found.level, sizeof found.level, "%s", level_names[level]);
        snprintf(found.group, sizeof found.group, "%s", group_names[g]);
        for (int k = 0; k < MOTION_CHECKS; k++)
            found.at[k] = t->group[g].at[k];
        if (table.write) {
            add_line(&found);
        } else if (!expected) {
            print_error("%s, %s, %s: no line in %s\n", c->name, level_names[level], group_names[g],
                        table.path);
            same = false;
        } else {
            expected->used = true;
            same = compare(expected, &found, t->rows, t->checks) && same;
        }
    }
    return same;
}

// ---- the program -------------------------------------------------------------------------------

typedef struct job { // a case at a level
    const motion_case *c;
    cpu_level level;
    char name[96];
} job;

static void choose_level(cpu_level level)
{
    if (level == CPU_PLAIN)
        setenv("MOTORCADE_CPU", "plain", 1);
    else
        unsetenv("MOTORCADE_CPU");
}

static bool has_level(cpu_level level)
{
    choose_level(level);
    return cpu_level_best() == level;
}

// See motion_trace.h.
static int checks_at(cpu_level level)
{
    enum { TEN_PERCENT = 2 };
    const bool best = level == CPU_LEVEL_COUNT - 1 || !has_level((cpu_level)(level + 1));
    return best || table.write || series_share() == 1.0 ? MOTION_CHECKS : TEN_PERCENT;
}

static void run_job(void **state)
{
    const job *j = *state;
    motion_trace t = {.checks = checks_at(j->level)};
    if (!has_level(j->level)) {
        print_message("%s: skipped, this processor has no %s\n", j->name, level_names[j->level]);
        skip();
    }
    const clock_t start = clock();
    j->c->run(j->c, &t);
    assert_true(t.rows > 0 && t.row <= t.rows && !motion_more(&t));
    print_message("%s: %lld rows, %d impacts, %.2f s\n", j->name, t.row, t.impacts,
                  (double)(clock() - start) / CLOCKS_PER_SEC);
    if (!hold_to_table(j->c, j->level, &t))
        fail_msg("%s: other numbers than in %s", j->name, table.path);
}

// A line that nothing was compared with is a case that is no longer run.
static void all_lines_used(void **unused)
{
    (void)unused;
    bool all = true;
    for (int i = 0; i < table.count && !table.write; i++) {
        const line *l = &table.lines[i];
        const cpu_level level =
            strcmp(l->level, level_names[CPU_PLAIN]) == 0 ? CPU_PLAIN : CPU_AVX2;
        if (!l->used && has_level(level)) {
            print_error("no case any more for ");
            write_line(stderr, l);
            all = false;
        }
    }
    assert_true(all);
}

int motion_main(int argc, char **argv, const char *name, const motion_case *cases, int count)
{
    snprintf(table.path, sizeof table.path, SOURCE_DIR "/tests/golden/motion_%s.txt", name);
    table.write = argc == 2 && strcmp(argv[1], "--write") == 0;
    if (argc > 1 && !table.write) {
        fprintf(stderr, "usage: %s [--write]\n", argv[0]);
        return 2;
    }
    if (table.write && !has_level(CPU_AVX2)) {
        fprintf(stderr, "%s: a table has both levels, and this processor has no avx2\n", argv[0]);
        return 2;
    }
    if (!table.write)
        read_table();
    const size_t jobs = (size_t)count * CPU_LEVEL_COUNT;
    job *job_list = calloc(jobs, sizeof *job_list);
    struct CMUnitTest *tests = calloc(jobs + 1, sizeof *tests);
    for (size_t k = 0; k < jobs; k++) {
        job *j = &job_list[k];
        *j = (job){.c = &cases[k / CPU_LEVEL_COUNT], .level = (cpu_level)(k % CPU_LEVEL_COUNT)};
        snprintf(j->name, sizeof j->name, "%s %s", j->c->name, level_names[j->level]);
        tests[k] = (struct CMUnitTest){j->name, run_job, NULL, NULL, j};
    }
    tests[jobs] = (struct CMUnitTest){"all lines used", all_lines_used, NULL, NULL, NULL};
    int code = _cmocka_run_group_tests(name, tests, jobs + 1, NULL, NULL);
    if (table.write && code == 0) {
        const char *slash = strrchr(argv[0], '/');
        code = write_table(slash ? slash + 1 : argv[0]);
    }
    free(tests);
    free(job_list);
    free(table.lines);
    return code;
}
