// test_simulate.c - `motorcade simulate`: its files and their columns, its messages, what it
// rejects, that files are complete or absent, that compiled and interpreted runs give the same
// bytes.
#include "support/cli.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static char cache[100];

static void copy_model(const char *name)
{
    char source[256], target[64];
    snprintf(source, sizeof source, "%s/models/%s.yaml", SOURCE_DIR, name);
    snprintf(target, sizeof target, "%s.yaml", name);
    run_copy(&folder, target, source);
}

static int set_up(void **state)
{
    cli_set_up(state);
    const char *const models[] = {"pendulum",   "double_pendulum", "quarter_car",
                                  "free_chain", "spinning_top",    "hmmwv10"};
    for (int i = 0; i < 6; i++)
        copy_model(models[i]);
    run_put(&folder, "old.csv", "old\n");
    run_put(&folder, "broken.yaml", "motorcade: multibody\nname: [\n");
    run_put(&folder, "fixed.yaml",
            "motorcade: multibody\nname: fixed\nbodies:\n  block: {joint: fixed, mass: 1}\n"
            "simulate: {end: 1 s}\n");
    run_put(&folder, "endless.yaml",
            "motorcade: multibody\nname: endless\nbodies:\n"
            "  bead: {joint: prism, axis: x, mass: 1, stiffness: 100, start: {travel: 1}}\n");
    run_put(&folder, "pole.yaml",
            "motorcade: multibody\nname: pole\ngravity: [0, 0, 0]\nbodies:\n"
            "  bead: {joint: prism, axis: x, mass: 1, load: 6*bead.travel^2, "
            "start: {travel: 1, travel_rate: 2}}\n"
            "simulate: {end: 2 s, step: 0.3 s}\n");
    // Compiled programs of this test alone, so that they can be counted.
    snprintf(cache, sizeof cache, "%s/cache", folder.path);
    return setenv("MOTORCADE_CACHE", cache, 1);
}

// ---- tables ------------------------------------------------------------------------------------

typedef struct csv {
    char *text, header[4000];
    int rows, columns;
    double value[2100][40];
} csv;

static csv *read_csv(const char *name)
{
    csv *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->text = run_get(&folder, name, NULL);
    char *at = strchr(c->text, '\n');
    assert_non_null(at);
    assert_true((size_t)(at - c->text) < sizeof c->header);
    memcpy(c->header, c->text, (size_t)(at - c->text));
    for (at++; *at; c->rows++) {
        assert_true(c->rows < 2100);
        int column = 0;
        for (;; at++) {
            char *end, again[40];
            assert_true(column < 40);
            const double value = strtod(at, &end);
            assert_true(end > at);
            snprintf(again, sizeof again, "%.17g", value);
            assert_memory_equal(again, at, (size_t)(end - at)); // all digits are there
            c->value[c->rows][column++] = value;
            at = end;
            if (*at == '\n')
                break;
            assert_int_equal(*at, ',');
        }
        at++;
        assert_true(c->columns == 0 || c->columns == column);
        c->columns = column;
    }
    return c;
}

static void free_csv(csv *c)
{
    free(c->text);
    free(c);
}

static void columns_and_rows(void **state)
{
    (void)state;
    free(cli_printed("simulate double_pendulum.yaml --csv all.csv -o all.h5"));
    csv *c = read_csv("all.csv");
    assert_string_equal(c->header, "t,rod1.angle,rod2.angle,rod1.angle_rate,rod2.angle_rate,"
                                   "energy.kinetic,energy.potential,energy.total");
    assert_int_equal(c->rows, 1001);
    assert_int_equal(c->columns, 8);
    for (int k = 0; k < c->rows; k++) {
        assert_true(c->value[k][0] == (k == 1000 ? 10.0 : k * 0.01));
        assert_true(fabs(c->value[k][5] + c->value[k][6] - c->value[k][7]) < 1e-13);
    }
    assert_true(fabs(c->value[0][1] - 2.0943951023931953) < 1e-15); // 120 deg
    assert_true(c->value[0][4] == 0.5);
    run_table motion = run_table_hdf5(&folder, "all.h5", "motion");
    run_table time = run_table_hdf5(&folder, "all.h5", "time");
    assert_int_equal(motion.row_count, 1001);
    run_table energy = run_table_hdf5(&folder, "all.h5", "energy");
    assert_int_equal(motion.column_count, 4);
    assert_int_equal(energy.column_count, 3);
    for (int k = 0; k < c->rows; k++) {
        assert_true(run_at(&time, k, 0) == c->value[k][0]);
        assert_memory_equal(motion.value + 4 * k, c->value[k] + 1, 4 * sizeof(double));
        assert_memory_equal(energy.value + 3 * k, c->value[k] + 5, 3 * sizeof(double));
    }
    run_table_free(&motion);
    run_table_free(&energy);
    run_table_free(&time);
    char *command = run_hdf5_text(&folder, "all.h5", "command");
    assert_string_equal(command, "motorcade simulate double_pendulum.yaml --csv all.csv -o all.h5");
    free(command);
    char *ended = run_hdf5_text(&folder, "all.h5", "ended");
    assert_string_equal(ended, "end time reached");
    free(ended);
    free_csv(c);
}

static void record_chooses(void **state)
{
    (void)state;
    free(cli_printed("simulate quarter_car.yaml --end 0.1 --step 0.03 --csv some.csv "
                     "--record tyre_force,distance --record wheel.travel,distance"));
    csv *c = read_csv("some.csv");
    assert_string_equal(c->header, "t,tyre_force,distance,wheel.travel");
    assert_int_equal(c->rows, 5);
    assert_true(c->value[3][0] == 0.09 && c->value[4][0] == 0.1);
    for (int k = 0; k < 5; k++) { // 10 m/s; the tyre carries both masses
        assert_true(fabs(c->value[k][2] - 10.0 * c->value[k][0]) < 1e-12);
        assert_true(fabs(c->value[k][1] - 340.0 * 9.81) < 1e-8);
    }
    free_csv(c);
    free(cli_printed("simulate quarter_car.yaml --end 0.1 --csv every.csv --record all"));
    c = read_csv("every.csv");
    assert_string_equal(c->header,
                        "t,wheel.travel,body.travel,wheel.travel_rate,body.travel_rate,distance,"
                        "along,road,tyre_force,energy.kinetic,energy.potential,energy.total");
    free_csv(c);
}

// ---- same bits ---------------------------------------------------------------------------------

static int cache_entries(void)
{
    int count = 0;
    DIR *d = opendir(cache);
    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d));)
        count += strlen(e->d_name) == 32;
    closedir(d);
    return count;
}

static void compiled_is_interpreted(void **state)
{
    (void)state;
    const char *const models[] = {"double_pendulum", "quarter_car", "free_chain"};
    const char *const methods[] = {"dop853", "radau5", "gauss4 --fixed-step 0.01"};
    for (int i = 0; i < 3; i++) {
        char line[200];
        const char *const when[] = {"never", "now", "background"};
        for (int k = 0; k < 3; k++) {
            snprintf(line, sizeof line,
                     "simulate %s.yaml --end 2 --step 0.01 --compile %s --csv %s.csv --method %s",
                     models[i], when[k], when[k], methods[i]);
            free(cli_printed(line));
        }
        cli_same_files("never.csv", "now.csv");
        cli_same_files("never.csv", "background.csv");
    }
    assert_true(cache_entries() >= 3); // it was compiled
}

// Other values, same program: nothing is compiled again, and the motion is another one.
static void set_does_not_compile(void **state)
{
    (void)state;
    free(cli_printed("simulate double_pendulum.yaml --compile now --end 1 --csv before.csv"));
    const int entries = cache_entries();
    assert_true(entries >= 1);
    free(cli_printed("simulate double_pendulum.yaml --compile now --end 1 --csv after.csv "
                     "--set m_lower=1.8 --set rod2.angle_rate=1 --set rod1.angle=90deg"));
    assert_int_equal(cache_entries(), entries);
    csv *a = read_csv("before.csv"), *b = read_csv("after.csv");
    assert_true(b->value[0][4] == 1.0);
    assert_true(fabs(b->value[0][1] - 1.5707963267948966) < 1e-15);
    assert_true(fabs(a->value[100][1] - b->value[100][1]) > 0.01);
    // Kinetic energy of the lower rod alone at the start: (m l^2 / 3) w^2 / 2.
    assert_true(fabs(a->value[0][5] - 0.9 * 0.64 / 3 * 0.25 / 2) < 1e-15);
    assert_true(fabs(b->value[0][5] - 1.8 * 0.64 / 3 / 2) < 1e-15);
    free_csv(a);
    free_csv(b);
    // An input.
    free(cli_printed(
        "simulate quarter_car.yaml --end 1 --csv fast.csv --record distance --set speed=36km/h"));
    free(cli_printed(
        "simulate quarter_car.yaml --end 1 --csv slow.csv --record distance --set speed=5"));
    a = read_csv("fast.csv"), b = read_csv("slow.csv");
    assert_true(fabs(a->value[1000][1] - 10.0) < 1e-12 && fabs(b->value[1000][1] - 5.0) < 1e-12);
    free_csv(a);
    free_csv(b);
}

static void forms_agree(void **state)
{
    (void)state;
    free(cli_printed("simulate free_chain.yaml --end 1 --rtol 1e-12 --form lagrange --csv l.csv"));
    free(cli_printed("simulate free_chain.yaml --end 1 --rtol 1e-12 --form recursive --csv r.csv"));
    csv *a = read_csv("l.csv"), *b = read_csv("r.csv");
    double worst = 0.0;
    for (int i = 0; i < a->rows; i++)
        for (int k = 0; k < a->columns; k++)
            worst = fmax(worst, fabs(a->value[i][k] - b->value[i][k]));
    assert_true(worst > 0.0 && worst < 1e-10); // two derivations, not one
    free_csv(a);
    free_csv(b);
}

// ---- words -------------------------------------------------------------------------------------

static void summary_says(void **state)
{
    (void)state;
    char *text = cli_printed("simulate pendulum.yaml --rtol 1e-12");
    long steps, rates;
    double seconds, start, end, drift, angle;
    char *at = strstr(text, "pendulum: 10 s by dop853, ");
    assert_ptr_equal(at, text);
    assert_int_equal(sscanf(at, "pendulum: 10 s by dop853, %ld steps", &steps), 1);
    at = strstr(at, "rejected, ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "rejected, %ld rate evaluations, %lf s", &rates, &seconds), 2);
    assert_true(steps > 50 && rates > 10 * steps && seconds > 0.0);
    at = strstr(text, "energy: ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "energy: %lf J at the start, %lf J at the end; drift %lf of the",
                            &start, &end, &drift),
                     3);
    assert_true(fabs(start) < 1e-14 && fabs(end) < 1e-10 && drift > 0.0 && drift < 1e-11);
    at = strstr(text, "at t = 10 s:\n  rod.angle ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "at t = 10 s: rod.angle %lf rad", &angle), 1);
    assert_true(fabs(-sin(angle) - -0.275087462576) < 1e-9); // IFToMM A01
    free(text);
    text = cli_printed("simulate quarter_car.yaml");
    assert_non_null(strstr(text, "; dampers or loads change it\n"));
    free(text);
    text = cli_printed("simulate pendulum.yaml --quiet");
    assert_string_equal(text, "");
    free(text);
}

static void list_and_help(void **state)
{
    (void)state;
    char *text = cli_printed("simulate quarter_car.yaml --list --set m_body=321");
    const char *const lines[] = {
        "coordinates (start)\n  wheel.travel ",
        " m          travel of wheel along its axis on ground",
        "\n  distance                              0 m          rate = speed\n",
        "\n  tyre_force ",
        " = max(k_tyre*(road - wheel.travel), 0)\n",
        "\n  energy.total                            J          sum of both\n",
        "\n  speed                                10 m/s        external input\n",
        "\n  m_body                              321 kg         sprung mass\n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!strstr(text, lines[i]))
            fail_msg("--list lacks \"%s\":\n%s", lines[i], text);
    free(text);
    text = cli_printed("simulate --help");
    const char *const words[] = {"--end T",        "--step DT",    "--method NAME",  "--rtol X",
                                 "--atol X",       "--set ",       "--form NAME",    "--plot NAMES",
                                 "--fixed-step H", "--max-step H", "--svg FILE",     "--csv FILE",
                                 "-o FILE",        "--list",       "--compile WHEN", "    rk4    ",
                                 "    radau5 ",    "    cvode ",   "    gauss6 ",    "    dop853 "};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strstr(text, words[i]))
            fail_msg("--help lacks \"%s\"", words[i]);
    free(text);
}

static void plot_is_drawn(void **state)
{
    (void)state;
    free(cli_printed(
        "simulate double_pendulum.yaml --end 2 --plot rod1.angle,rod2.angle --plot energy.total"));
    char *text = run_get(&folder, "double_pendulum.svg", NULL);
    assert_memory_equal(text, "<svg", 4);
    const char *const words[] = {"rod1.angle",      "rod2.angle", "energy.total", "Time (s)",
                                 "double_pendulum", "rad",        "</svg>"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strstr(text, words[i]))
            fail_msg("the figure lacks \"%s\"", words[i]);
    free(text);
    free(cli_printed("simulate pendulum.yaml --end 2 --plot tip.x --svg figure.svg"));
    assert_true(run_exists(&folder, "figure.svg"));
    assert_false(run_exists(&folder, "pendulum.svg"));
}

// ---- what is rejected --------------------------------------------------------------------------

typedef struct rejection {
    const char *arguments, *message; // without "motorcade simulate: " in front where that is said
    int code;
} rejection;

#define ME "motorcade simulate: "
#define SET ME "option --set: "
#define PLOT ME "option --plot: "
#define NAMES "; `motorcade simulate MODEL --list` lists all names\n"

static const rejection rejections[] = {
    {"",
     ME "no model given; try: motorcade simulate models/hmmwv10.yaml (`motorcade simulate -h` "
        "explains)\n",
     2},
    {"none.yaml", "none.yaml: cannot be read: No such file or directory\n", 2},
    {"pendulum.yaml quarter_car.yaml",
     ME "only one model file is expected: found \"quarter_car.yaml\" after \"pendulum.yaml\"\n", 2},
    {"pendulum.yaml --ende 3", ME "unknown option \"--ende\", did you mean --end; -h lists them\n",
     2},
    {"pendulum.yaml --end", ME "option --end needs a value: T\n", 2},
    {"pendulum.yaml --end ten", ME "option --end: found \"ten\", expected a number\n", 2},
    {"pendulum.yaml --end -1", ME "option --end: -1 is out of range, expected 1e-09 .. 1e+09\n", 2},
    {"pendulum.yaml --step 0", ME "option --step: 0 is out of range, expected 1e-09 .. 1e+09\n", 2},
    {"pendulum.yaml --step 1e-8",
     ME "a row every 1e-08 s until 10 s gives 1e+09 rows; expected at most 20000000\n", 2},
    {"pendulum.yaml --rtol 1", ME "option --rtol: 1 is out of range, expected 1e-14 .. 0.1\n", 2},
    {"pendulum.yaml --method radua5",
     ME "option --method: unknown method \"radua5\"; did you mean radau5?\n", 2},
    {"pendulum.yaml --method leapfrog",
     ME "option --method: unknown method \"leapfrog\"; expected one of: euler, midpoint, heun, "
        "rk3, rk4, "
        "rk5, gauss2, gauss4, gauss6, dopri5, dop853, radau5, cvode, cvode-adams\n",
     2},
    {"pendulum.yaml --method rk4",
     ME "method rk4 has a fixed step: add --fixed-step, for example --fixed-step 1e-3\n", 2},
    {"pendulum.yaml --fixed-step 0.1",
     ME "method dop853 adapts its step to --rtol and --atol; --fixed-step needs a fixed-step "
        "method, for example --method rk4\n",
     2},
    {"pendulum.yaml --method rk4 --end 1 --fixed-step 0.003",
     ME "the end, 1 s, is not a whole number of fixed steps of 0.003 s\n", 2},
    {"pendulum.yaml --method rk4 --end 1.2 --step 0.01 --fixed-step 0.003",
     ME "a row every 0.01 s is not a whole number of fixed steps of 0.003 s\n", 2},
    {"pendulum.yaml --method rk4 --fixed-step 0.1 --rtol 1e-6",
     ME "method rk4 has a fixed step: --rtol and --atol do not apply\n", 2},
    {"pendulum.yaml --method rk4 --fixed-step 0.1 --max-step 1",
     ME "method rk4 has a fixed step: --max-step does not apply\n", 2},
    {"pendulum.yaml --set bob",
     ME "option --set: found \"bob\", expected NAME=VALUE (--set chassis.mass=2300, --set \"k=20 "
        "N/mm\")\n",
     2},
    {"pendulum.yaml --set =3",
     ME "option --set: found \"=3\", expected NAME=VALUE (--set chassis.mass=2300, --set \"k=20 "
        "N/mm\")\n",
     2},
    {"pendulum.yaml --set bobb=3", SET "unknown name \"bobb\" in pendulum, did you mean bob" NAMES,
     2},
    {"pendulum.yaml --set bob=heavy",
     SET "bob=heavy: expected a number, with a unit or in SI: kg\n", 2},
    {"pendulum.yaml --set bob=nan", SET "bob=nan: expected a number, with a unit or in SI: kg\n",
     2},
    {"pendulum.yaml --set bob=2m", SET "bob=2m: the result has the unit m, expected kg\n", 2},
    {"pendulum.yaml --set bob=-1",
     "pendulum.yaml:15: the mass of rod is -1 kg, it must not be negative\n", 2},
    {"pendulum.yaml --set energy.total=0",
     SET
     "energy.total is computed; parameters, inputs and the start of coordinates, velocities and "
     "states can be set\n",
     2},
    {"pendulum.yaml --plot rod.angel",
     PLOT "unknown name \"rod.angel\" in pendulum, did you mean rod.angle" NAMES, 2},
    {"pendulum.yaml --plot rod.angle,",
     PLOT "found \"rod.angle,\", expected names separated by commas\n", 2},
    {"pendulum.yaml --plot length",
     PLOT "length is a parameter and is constant during the run; expected a coordinate, velocity, "
          "state or output\n",
     2},
    {"pendulum.yaml --svg a.svg", ME "option --svg: nothing to draw; add --plot NAME\n", 2},
    {"pendulum.yaml --record rod.angle",
     ME "option --record: no file to write; add --csv FILE or -o FILE\n", 2},
    {"pendulum.yaml --form newton",
     ME "option --form: found \"newton\", expected lagrange, recursive or independent\n", 2},
    {"pendulum.yaml --compile later",
     ME "option --compile: found \"later\", expected now, background or never\n", 2},
    {"pendulum.yaml --csv pendulum.yaml", "pendulum.yaml: --csv would overwrite the model\n", 2},
    {"pendulum.yaml --csv old.csv -o ./old.csv",
     "./old.csv: -o would overwrite the file written by --csv\n", 2},
    {"pendulum.yaml --plot tip.x --svg old.csv --csv old.csv",
     "old.csv: --svg would overwrite the file written by --csv\n", 2},
    {"endless.yaml",
     ME "endless.yaml does not set the end of the simulation; add --end T, or \"simulate: {end: 10 "
        "s}\" in the file\n",
     2},
    {"fixed.yaml", ME "fixed has no moving parts\n", 2},
    {"spinning_top.yaml --set top.qw=0 --set top.qx=0",
     ME "the quaternion of top is zero at the start: no orientation\n", 2},
    {"hmmwv10.yaml --plot all", PLOT "66 curves; at most 36 fit in a figure\n", 2},
    {"pendulum.yaml --csv none/a.csv",
     "none/a.csv: cannot be created in folder \"none\": No such file or directory\n", 1},
    {"pendulum.yaml --plot tip.x --svg none/a.svg",
     "none/a.svg: cannot be created in folder \"none\": No such file or directory\n", 1},
};

static void bad_input_is_rejected(void **state)
{
    (void)state;
    run_age(&folder);
    char *before = run_listing(&folder, false);
    for (size_t i = 0; i < sizeof rejections / sizeof rejections[0]; i++) {
        char line[300];
        snprintf(line, sizeof line, "simulate %s", rejections[i].arguments);
        cli_rejected(line, rejections[i].code, rejections[i].message);
    }
    char *after = run_listing(&folder, false);
    assert_string_equal(before, after); // no file came, went or changed
    free(before);
    free(after);
    run_result r = cli_run("simulate broken.yaml");
    assert_int_equal(r.code, 2);
    assert_memory_equal(r.err, "broken.yaml:", 12);
    run_result_free(&r);
}

// ---- runs that end early -----------------------------------------------------------------------

static void failure_keeps_rows(void **state)
{
    (void)state;
    run_result r = cli_run("simulate pole.yaml --csv pole.csv");
    assert_int_equal(r.code, 1);
    assert_memory_equal(r.err, "motorcade simulate: dop853: ", 28);
    assert_non_null(strstr(r.err, " at t = 1"));
    assert_non_null(strstr(r.err, "(bead.travel"));
    run_result_free(&r);
    csv *c = read_csv("pole.csv");
    assert_int_equal(c->rows, 4); // 1/(1 - t)^2 is infinite at 1 s
    for (int k = 0; k < 4; k++)
        assert_true(fabs(c->value[k][1] * pow(1.0 - c->value[k][0], 2.0) - 1.0) < 1e-7);
    free_csv(c);
}

static void interrupt_leaves_valid_file(void **state)
{
    (void)state;
    run_process p = run_start(&folder, MOTORCADE_BINARY,
                              "simulate free_chain.yaml --end 1e6 --step 0.1 -o long.h5");
    const double begun = run_clock();
    for (int seen = 0; seen < 100 && run_clock() - begun < RUN_SECONDS;) {
        assert_false(run_is_over(&p));
        run_sleep(0.01);
        if (!run_exists(&folder, "long.h5"))
            continue;
        run_table t = run_table_hdf5(&folder, "long.h5", "time");
        seen = t.row_count;
        run_table_free(&t);
    }
    kill(p.id, SIGINT);
    run_result r = run_wait(&p);
    assert_int_equal(r.code, 1);
    assert_memory_equal(r.err, "motorcade simulate: stopped at t = ", 35);
    run_result_free(&r);
    assert_int_equal(run_hdf5_integer(&folder, "long.h5", "complete"), 1);
    run_table t = run_table_hdf5(&folder, "long.h5", "time");
    run_table motion = run_table_hdf5(&folder, "long.h5", "motion");
    assert_true(t.row_count >= 100 && motion.row_count == t.row_count);
    for (int k = 0; k < t.row_count; k++)
        assert_true(run_at(&t, k, 0) == k * 0.1);
    run_table_free(&t);
    run_table_free(&motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_and_rows),
        cmocka_unit_test(record_chooses),
        cmocka_unit_test(compiled_is_interpreted),
        cmocka_unit_test(set_does_not_compile),
        cmocka_unit_test(forms_agree),
        cmocka_unit_test(summary_says),
        cmocka_unit_test(list_and_help),
        cmocka_unit_test(plot_is_drawn),
        cmocka_unit_test(bad_input_is_rejected),
        cmocka_unit_test(failure_keeps_rows),
        cmocka_unit_test(interrupt_leaves_valid_file),
    };
    return cmocka_run_group_tests(tests, set_up, cli_tear_down);
}
