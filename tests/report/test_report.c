// test_report.c - pages of runs whose extremes, events and collisions are known.
#include "motorcade/report.h"

#include "support/run.h"
#include "support/sample_run.h"

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static run_folder folder;
static char run_path[128];

static int set_up(void **state)
{
    (void)state;
    folder = run_folder_make();
    snprintf(run_path, sizeof run_path, "%s/run.h5", folder.path);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    run_folder_remove(&folder);
    return 0;
}

static char *report_of(const sample_run *sample)
{
    mc_error error;
    char *text;
    size_t size;
    sample_run_write(run_path, sample);
    if (mc_report_text(run_path, &text, &size, &error) != MC_OK)
        fail_msg("%s: %s", error.file, error.text);
    assert_int_equal(strlen(text), size);
    return text;
}

static void assert_has(const char *page, const char *text)
{
    if (!strstr(page, text))
        fail_msg("the page lacks \"%s\"", text);
}

static void assert_lacks(const char *page, const char *text)
{
    if (strstr(page, text))
        fail_msg("the page has \"%s\"", text);
}

static int count_of(const char *page, const char *text)
{
    int count = 0;
    for (; (page = strstr(page, text)); page += strlen(text))
        count++;
    return count;
}

// ---- markup ----

static bool is_void(const char *name)
{
    return strcmp(name, "meta") == 0 || strcmp(name, "br") == 0;
}

static bool is_known(const char *name)
{
    static const char *const known[] = {
        "html", "head",  "meta", "title",   "style",   "body", "main",  "header", "section",
        "h1",   "h2",    "h3",   "p",       "div",     "span", "dl",    "dt",     "dd",
        "ol",   "li",    "time", "b",       "small",   "br",   "table", "thead",  "tbody",
        "tr",   "th",    "td",   "figure",  "details", "pre",  "svg",   "g",      "path",
        "text", "tspan", "rect", "summary", "circle",  "line"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return false;
}

// Every '<' begins an element we write, elements close in order, no attribute is one of script.
static void check_markup(const char *page)
{
    enum { DEPTH = 64 };
    char stack[DEPTH][24];
    int depth = 0;
    const char *const start = "<!DOCTYPE html>\n";
    assert_memory_equal(page, start, strlen(start));
    for (const char *at = page + strlen(start); (at = strchr(at, '<'));) {
        const bool closes = at[1] == '/';
        char name[24] = "";
        size_t n = 0;
        for (at += 1 + closes; isalnum((unsigned char)*at) && n < sizeof name - 1; at++)
            name[n++] = *at;
        name[n] = '\0';
        const char *end = strchr(at, '>');
        assert_non_null(end);
        if (!is_known(name))
            fail_msg("element \"%s\"", name);
        for (const char *c = at; c + 2 < end; c++)
            if (c[0] == ' ' && c[1] == 'o' && c[2] == 'n' && (c[-1] == '"' || c == at))
                fail_msg("attribute %.20s", c);
        if (closes) {
            if (depth == 0 || strcmp(stack[--depth], name) != 0)
                fail_msg("</%s> closes <%s>", name, depth >= 0 ? stack[depth] : "");
        } else if (end[-1] != '/' && !is_void(name)) {
            assert_true(depth < DEPTH);
            strcpy(stack[depth++], name);
        }
        at = end;
    }
    assert_int_equal(depth, 0);
}

// Nothing is fetched, nothing runs.
static void check_alone(const char *page)
{
    static const char *const bad[] = {"<script", "javascript:", " src=",   " href=", "url(",
                                      "@import", "<link",       "<iframe", "<img",   "https://"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_lacks(page, bad[i]);
    assert_int_equal(count_of(page, "http://"), count_of(page, "http://www.w3.org/2000/svg\""));
}

// ---- what is in it ----

static void known_extremes(void **state)
{
    (void)state;
    char *page = report_of(&(sample_run){0});
    check_markup(page);
    check_alone(page);
    assert_has(page, "<h1>Eight in a row</h1>");
    assert_has(page, "1 of 2 expectations fail</span>");
    assert_has(page, "1 collision</span>");
    assert_has(page, "<dt>Cars</dt><dd>8</dd>");
    assert_has(page, "<dt>Time</dt><dd>60 s</dd>");
    assert_has(page, "<dt>Rows</dt><dd>1201, every 0.05 s</dd>");
    assert_has(page, "<b>The road</b> asks for a headway of 0.5 s.");
    assert_has(page, "<time>40.00 s</time><span><b>car5</b> loses its brakes; 0 % of the brake "
                     "force is left.");
    assert_has(page, "<b>car3</b>: mode switch (1).");
    assert_has(
        page,
        "<b>car5</b> runs into <b>car4</b> with 6.25 m/s (22.5 km/h) closing speed, "
        "impulse 7.38 kN\u00a0s in 3 impacts over 0.040 s, at x\u00a0=\u00a0812.50\u00a0m, kinetic "
        "energy of the two 380.0 \u2192 368.0 kJ.");
    // The worst of the platoon, each with its car.
    assert_has(page, "3.19<br><small class=\"faint\">car6<");
    assert_has(page, "0.812<br><small class=\"faint\">car7<");
    // Rows of cars: value and time.
    assert_has(page, "<td class=\"n\">3.188</td><td class=\"n\">30.00</td>");
    assert_has(page, "<td class=\"n\">0.812</td><td class=\"n\">30.00</td>");
    assert_has(page, "<td class=\"n\">\u221217.35</td>");
    assert_has(page, "<th class=\"name\" title=\"largest_spacing_error: farthest from 0, at any "
                     "step\">largest spacing error</th><td class=\"t\">m</td>");
    assert_has(page, "<dt>fuel total</dt><dd>987.5 g</dd>");
    assert_has(page, "<dt>collisions</dt><dd>1 </dd>");
    assert_has(page, "<td class=\"bad-text\">fails</td><td class=\"t\">collisions == 0</td>"
                     "<td class=\"t\">collisions = 1 &gt; 0 &amp; &quot;bad&quot;</td>");
    assert_has(page, "<td class=\"t\">town_car (powertrain)</td>");
    assert_has(page, "# gaps &lt; 1 s &amp; jerk &gt; 2 are &quot;bad&quot;\nvehicles:");
    assert_has(page, "<pre>motorcade run scenarios/eight.yaml -o run.h5</pre>");
    assert_has(page, "9f4e1c77a0b2d355");
    assert_has(page, "<td class=\"n\">44.1250</td>");
    // vibration 2500 J and damped 800 J, put together from three micro-impacts
    assert_has(page, "<td class=\"n\">2.500</td><td class=\"n\">0.800</td></tr>");
    static const char *const titles[] = {"Motion",
                                         "Spacing",
                                         "Positions over time",
                                         "Pedals and engine",
                                         "Gain from car to car",
                                         "Where the energy went"};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        char title[80];
        snprintf(title, sizeof title, "<title>%s</title>", titles[i]);
        assert_int_equal(count_of(page, title), 1);
    }
    assert_int_equal(count_of(page, "<figure>"), 6);
    free(page);
}

// The gains from the rows themselves, read by another reader.
static void gains(void **state)
{
    (void)state;
    enum { A = 4, QUANTITIES = 14, CARS = 8 };
    char *page = report_of(&(sample_run){0});
    run_table motion = run_table_hdf5(&folder, "run.h5", "motion");
    double square[CARS] = {0.0}, worst = 0.0;
    int worst_car = 0;
    for (int row = 0; row < 800; row++) // t < 40 s, the first fault
        for (int i = 0; i < CARS; i++) {
            const double a = run_at(&motion, row, i * QUANTITIES + A);
            square[i] += a * a;
        }
    for (int i = 1; i < CARS; i++)
        if (sqrt(square[i] / square[i - 1]) > worst) {
            worst = sqrt(square[i] / square[i - 1]);
            worst_car = i + 1;
        }
    char text[200];
    snprintf(text, sizeof text,
             "head to tail the gain is %.2f, so the disturbance <span "
             "class=\"bad-text\">grows</span>. The largest gain from car to car "
             "is %.2f, at <b>car%d</b>",
             sqrt(square[CARS - 1] / square[0]), worst, worst_car);
    assert_has(page, text);
    assert_has(page, "to the first fault at 40 s.");
    run_table_free(&motion);
    free(page);
}

static void hostile_texts(void **state)
{
    (void)state;
    char *page = report_of(&(sample_run){
        .name = "<script>alert(1)</script>",
        .scenario =
            "</pre></section><script>alert(2)</script><!-- ]]> &amp; \x01\x02 \xff\n\tok: 1",
        .vehicle_names = "\"><img src=x onerror=alert(3)>\n</title><svg onload=alert(4)>\n"
                         "'a' & b\n<b>bold\n5\n6\n7\n8\n"});
    check_markup(page);
    assert_lacks(page, "<script");
    assert_lacks(page, "<img");
    assert_lacks(page, "<svg onload");
    assert_lacks(page, "<b>bold");
    assert_has(page, "<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1>");
    assert_has(page, "<title>&lt;script&gt;alert(1)&lt;/script&gt; - Motorcade report</title>");
    assert_has(page, "&lt;/pre&gt;&lt;/section&gt;&lt;script&gt;alert(2)");
    assert_has(page, "<td class=\"t\">&quot;&gt;&lt;img src=x onerror=alert(3)&gt;</td>");
    assert_has(page, "Content-Security-Policy\" content=\"default-src 'none'");
    free(page);
}

static void only_the_motion(void **state)
{
    (void)state;
    char *page = report_of(&(sample_run){.bare = true, .cars = 2});
    check_markup(page);
    assert_has(page, "<h1>run.h5</h1>");
    assert_has(page, "No expectations stated");
    assert_has(page, "The file has no table of events.");
    assert_has(page, "The file has no table of impacts, so collisions are not known.");
    assert_has(page, "The file has no table of figures");
    assert_has(page, "The file does not contain its scenario");
    assert_has(page, "<th>not in the file</th><td class=\"t\">pose, energy, vehicles, events, "
                     "impacts, run_figures, figures; motorcade run --full records pose and "
                     "energy</td>");
    assert_has(page, "<td class=\"t\">car 2</td>");
    assert_lacks(page, "No collision");
    free(page);
}

static void nothing_went_wrong(void **state)
{
    (void)state;
    char *page = report_of(&(sample_run){.no_crash = true});
    check_markup(page);
    assert_has(page, "<span class=\"pill good\">The expectation holds</span>");
    assert_has(page, "No collision</span>");
    assert_has(page, "@media(prefers-color-scheme:dark){:root{");
    assert_has(page, "@media print{:root{--bg:#eef0f3");
    assert_has(page, "No two cars touched.");
    assert_lacks(page, "id=\"collisions\"");
    assert_has(page, "from the first row to the last.");
    free(page);
}

// The verdict on a run that crashed as expected is not a green one.
static void a_crash_as_expected(void **state)
{
    (void)state;
    char *page = report_of(&(sample_run){.crash_expected = true});
    assert_has(page, "<span class=\"pill\">The expectation holds</span>");
    assert_has(page, "<span class=\"pill bad\">1 collision</span>");
    free(page);
}

static void short_and_unfinished_runs(void **state)
{
    (void)state;
    for (int rows = 1; rows <= 3; rows++) {
        char *page = report_of(&(sample_run){.rows = rows, .no_crash = true});
        check_markup(page);
        assert_has(page, "<h1>Eight in a row</h1>");
        free(page);
    }
    char *page = report_of(&(sample_run){.unfinished = true, .segment = 500});
    check_markup(page);
    assert_has(page, "The run did not finish</span>");
    assert_has(page, "<dt>Files</dt><dd>3 segments</dd>");
    assert_has(page, "<b>car5</b> runs into <b>car4</b>"); // from the overflow file
    assert_has(page, "the run was still in progress, or was killed.");
    free(page);
}

static void a_thousand_cars(void **state)
{
    (void)state;
    char *page = report_of(&(sample_run){.cars = 1000, .rows = 700, .platoons = 4});
    check_markup(page);
    check_alone(page);
    assert_true(strlen(page) < 4000000);
    assert_has(page, "12 of 1000 cars");
    assert_has(page, "<summary>All 1000 cars</summary>");
    assert_has(page, "<dt>Platoons</dt><dd>4</dd>");
    assert_has(page, "<title>Speed of all cars</title>");
    assert_has(page, "<title>Spacing error of all cars</title>");
    assert_has(page, "highest of all");
    // First, last and the car with the largest spacing error are among those with curves.
    assert_has(page, "<title>car1</title></path>");
    assert_has(page, "<title>car1000</title></path>");
    assert_has(page, "<title>car6</title></path>");
    assert_lacks(page, "<title>car123</title></path>");
    free(page);
}

static void same_file_same_page(void **state)
{
    (void)state;
    mc_error error;
    char *first = report_of(&(sample_run){.cars = 20, .rows = 300}), *second;
    assert_int_equal(mc_report_text(run_path, &second, NULL, &error), MC_OK);
    assert_string_equal(first, second);
    free(second);
    char out[160];
    snprintf(out, sizeof out, "%s/out.html", folder.path);
    assert_int_equal(mc_report_write(run_path, out, &error), MC_OK);
    second = run_get(&folder, "out.html", NULL);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(known_extremes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gains, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_texts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_the_motion, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_went_wrong, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_crash_as_expected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(short_and_unfinished_runs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_thousand_cars, set_up, tear_down),
        cmocka_unit_test_setup_teardown(same_file_same_page, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
