// test_progress.c - the text of the line, and how often it is written.
#include "base/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *formatted(progress_view view, int columns)
{
    static char line[256];
    const int length = progress_format(line, sizeof line, &view, columns);
    assert_int_equal(length, strlen(line));
    return line;
}

static void a_line_shows_everything(void **state)
{
    (void)state;
    const progress_view half = {.start = 0, .end = 10, .now = 5, .wall = 2};
    assert_string_equal(formatted(half, 0), " 50 %  t=5.0000  2.50 x real time  0:02 left");
    assert_string_equal(formatted(half, 67),
                        "[##########..........]  50 %  t=5.0000  2.50 x real time  0:02 left");
    const progress_view end = {.start = 0, .end = 10, .now = 10, .wall = 0.05, .finished = true};
    assert_string_equal(formatted(end, 0), "100 %  t=10.0000  200 x real time  took 0:00");
}

static void the_bar_keeps_to_the_width(void **state)
{
    (void)state;
    const progress_view view = {.start = 0, .end = 3, .now = 1, .wall = 4000};
    for (int columns = 0; columns < 200; columns++) {
        const char *line = formatted(view, columns);
        if (line[0] == '[')
            assert_true((int)strlen(line) <= columns);
        else
            assert_true(columns < 64); // the text alone has 51 characters, the least bar 13
    }
}

static void a_run_may_start_late_stop_early_or_have_no_end(void **state)
{
    (void)state;
    const progress_view resumed = {.start = 8, .end = 10, .now = 8.5, .wall = 1};
    assert_string_equal(formatted(resumed, 0), " 25 %  t=8.5000  0.50 x real time  0:03 left");
    const progress_view stopped = {.end = 10, .now = 9.99, .wall = 3700, .finished = true};
    assert_string_equal(formatted(stopped, 0), " 99 %  t=9.9900  0.0027 x real time  took 1:01:40");
    const progress_view endless = {.end = INFINITY, .now = 2.13, .wall = 0.1};
    assert_string_equal(formatted(endless, 80), "t=2.1300  21.3 x real time");
}

static void strange_numbers_stay_readable(void **state)
{
    (void)state;
    const progress_view first = {.end = 10};
    assert_string_equal(formatted(first, 0), "  0 %  t=0.0000  - x real time  - left");
    const progress_view crawling = {.end = 1e9, .now = 1, .wall = 1};
    assert_string_equal(formatted(crawling, 0), "  0 %  t=1.0000  1.00 x real time  - left");
    const progress_view broken = {.end = 10, .now = NAN, .wall = 1};
    assert_string_equal(formatted(broken, 0), "  0 %  t=nan  - x real time  - left");
    const progress_view empty = {.start = 1, .end = 1, .now = 1, .wall = 1};
    assert_int_equal(strncmp(formatted(empty, 0), "100 %", 5), 0);
    const progress_view huge = {.end = 1e300, .now = 1e299, .wall = 1};
    assert_true(strlen(formatted(huge, 80)) < 200);
    char tiny[8];
    assert_int_equal(progress_format(tiny, sizeof tiny, &first, 0), 7);
    assert_string_equal(tiny, "  0 %  ");
}

// What a run of 100 s real time, one update every 10 ms, writes.
static char *written(bool terminal)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    progress p;
    progress_begin_at(&p, out, terminal, 0.0, 50.0, 1000.0);
    for (int i = 1; i <= 10000; i++)
        progress_update_at(&p, 0.005 * i, 1000.0 + 0.01 * i);
    progress_end_at(&p, 50.0, 1100.0);
    fclose(out);
    return text;
}

static int occurrences(const char *text, const char *what)
{
    int n = 0;
    for (const char *s = text; (s = strstr(s, what)); s += strlen(what))
        n++;
    return n;
}

static void a_log_stays_short(void **state)
{
    (void)state;
    char *text = written(false);
    const int lines = occurrences(text, "\n");
    assert_in_range(lines, 10, 11); // one every 10 s, and the last
    assert_int_equal(occurrences(text, "took"), 1);
    assert_int_equal(occurrences(text, "\r") + occurrences(text, "\033"), 0);
    assert_string_equal(strrchr(text, '%') - 4, "100 %  t=50.0000  0.50 x real time  took 1:40\n");
    free(text);
}

static void a_terminal_is_redrawn_ten_times_a_second(void **state)
{
    (void)state;
    char *text = written(true);
    const int redraws = occurrences(text, "\r");
    assert_in_range(redraws, 900, 1001);
    assert_int_equal(occurrences(text, "\033[K"), redraws);
    assert_int_equal(occurrences(text, "\n"), 1); // at the very end
    assert_int_equal(text[strlen(text) - 1], '\n');
    free(text);
}

static void a_cleared_line_comes_back(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    progress p;
    progress_begin_at(&p, out, true, 0.0, 1.0, 0.0);
    progress_clear(&p); // nothing drawn yet
    fflush(out);
    assert_int_equal(size, 0);
    progress_update_at(&p, 0.5, 1.0);
    progress_clear(&p);
    fflush(out);
    assert_string_equal(text + size - 4, "\r\033[K");
    const size_t cleared = size;
    progress_clear(&p);
    fflush(out);
    assert_int_equal(size, cleared);
    progress_update_at(&p, 0.6, 2.0);
    fflush(out);
    assert_true(size > cleared);
    fclose(out);
    free(text);
}

// The clock is read at most every STRIDE_MAX-th call in a fast run, and the line is right again
// soon after the run turned slow.
static void many_calls_are_cheap(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    progress p;
    progress_begin(&p, out, 0.0, 1.0);
    assert_false(p.terminal); // no terminal behind a stream in memory
    int looks = 0;
    for (int i = 0; i < 100000; i++) {
        looks += p.calls_left <= 0;
        progress_update(&p, 1e-5 * i);
    }
    assert_in_range(looks, 1, 12500); // an eighth: the machine may be busy
    progress_update_at(&p, 0.5, p.wall_looked + 1.0);
    assert_int_equal(p.calls_left, 0); // one late look, and every call looks
    progress_end(&p, 1.0);
    fclose(out);
    assert_int_equal(occurrences(text, "100 %"), 1);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_shows_everything),
        cmocka_unit_test(the_bar_keeps_to_the_width),
        cmocka_unit_test(a_run_may_start_late_stop_early_or_have_no_end),
        cmocka_unit_test(strange_numbers_stay_readable),
        cmocka_unit_test(a_log_stays_short),
        cmocka_unit_test(a_terminal_is_redrawn_ten_times_a_second),
        cmocka_unit_test(a_cleared_line_comes_back),
        cmocka_unit_test(many_calls_are_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
