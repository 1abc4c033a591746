// test_linearize.c - `motorcade linearize`, and `motorcade equilibrium` on mechanisms: what they
// print and write, and what they say to wrong input.
#include "support/cli.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int set_up(void **state)
{
    cli_set_up(state);
    static const char *const models[] = {"pendulum.yaml", "quarter_car.yaml", "hmmwv10.yaml",
                                         "spinning_top.yaml"};
    for (int k = 0; k < 4; k++) {
        char path[400];
        snprintf(path, sizeof path, "%s/models/%s", SOURCE_DIR, models[k]);
        run_copy(&folder, models[k], path);
    }
    run_copy(&folder, "model.dat", SOURCE_DIR "/scenarios/medusa/model.dat");
    return 0;
}

// The line of text that begins, after blanks, with word.
static const char *line_of(const char *text, const char *word)
{
    for (const char *at = text; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        if (strncmp(at + strspn(at, " "), word, strlen(word)) == 0)
            return at + strspn(at, " ") + strlen(word);
    fail_msg("no line \"%s\" in:\n%s", word, text);
    return NULL;
}

// ---- linearize ---------------------------------------------------------------------------------

static void table_of_modes(void **state)
{
    (void)state;
    char *text = cli_printed("linearize quarter_car.yaml --hold distance --set m_body=250 --set "
                             "m_wheel=20 --set k_susp=20000 --set c_susp=1000 --set k_tyre=140000 "
                             "--sensitivity k_tyre");
    const char head[] =
        "quarter_car about its equilibrium: A is 4 x 4, B is 4 x 3, 0 rigid modes\n";
    assert_memory_equal(text, head, strlen(head));
    double real, imaginary, hertz, ratio, constant;
    int length = 0;
    assert_int_equal(sscanf(line_of(text, "1 "), "%lf +-%lf %lf %lf %lf  body.travel 1%n", &real,
                            &imaginary, &hertz, &ratio, &constant, &length),
                     5);
    assert_true(length > 0);
    cli_near(real, -1.552064, 1e-6); // computed elsewhere, see tests/analysis
    cli_near(imaginary, 8.301957, 1e-6);
    cli_near(hertz, 1.321297, 1e-6);
    cli_near(ratio, 0.183768, 6e-6);
    cli_near(constant, 1.0 / 1.552064, 1e-6);
    assert_int_equal(sscanf(line_of(text, "3 "), "%lf +-%lf", &real, &imaginary), 2);
    cli_near(real, -25.447936, 1e-6);
    cli_near(imaginary, 84.870984, 1e-6);
    const char *more = line_of(text, "per unit of k_tyre (now 140000), the state following");
    assert_int_equal(sscanf(line_of(more, "3 "), "%lf %lf", &real, &imaginary), 2);
    assert_true(imaginary > 0.0); // a harder tyre hops faster
    free(text);
    // Growing and neither growing nor decaying.
    text = cli_printed("linearize pendulum.yaml --at start");
    assert_non_null(strstr(text, "pendulum about its start: A is 2 x 2, B is 2 x 1, 2 rigid "
                                 "modes\n"));
    assert_non_null(strstr(text, "rigid: rod.angle 1\n"));
    assert_non_null(strstr(text, "rigid, drifting: rod.angle 1\n"));
    free(text);
    text = cli_printed("linearize -h");
    static const char *const words[] = {"--at",          "--hold", "--set",
                                        "--sensitivity", "--csv",  "--svg"};
    for (int k = 0; k < 6; k++)
        assert_non_null(strstr(text, words[k]));
    free(text);
}

// Splits a line of a table at its commas, in place; returns the number of fields.
static int split(char *line, char **field, int max)
{
    int count = 0;
    for (char *at = line; at && count < max;) {
        field[count++] = at;
        at = strchr(at, ',');
        if (at)
            *at++ = '\0';
    }
    return count;
}

static void tables(void **state)
{
    (void)state;
    free(cli_printed("linearize pendulum.yaml --set length=2 --csv p --sensitivity length"));
    char *text = run_get(&folder, "p_A.csv", NULL);
    double value;
    assert_int_equal(
        sscanf(text, "row,rod.angle,rod.angle_rate\nrod.angle,0,1\nrod.angle_rate,%lf,0\n", &value),
        1);
    cli_near(value, -9.81 / 2, 1e-14);
    free(text);
    text = run_get(&folder, "p_B.csv", NULL);
    assert_string_equal(text, "row,force on rod.angle\nrod.angle,0\nrod.angle_rate,0.25\n");
    free(text);
    text = run_get(&folder, "p_eigenvalues.csv", NULL);
    char *line = text, *field[8];
    assert_string_equal(strsep(&line, "\n"), "mode,real_1/s,imaginary_1/s,frequency_Hz,"
                                             "damping_ratio,time_constant_s,rigid");
    for (int k = 0; k < 2; k++) {
        assert_int_equal(split(strsep(&line, "\n"), field, 8), 7);
        assert_int_equal(atoi(field[0]), k + 1);
        cli_near(strtod(field[2], NULL), (k ? -1 : 1) * sqrt(9.81 / 2), 1e-14);
        assert_string_equal(field[6], "0");
    }
    assert_string_equal(line, "");
    free(text);
    text = run_get(&folder, "p_shapes.csv", NULL);
    line = text;
    assert_string_equal(strsep(&line, "\n"), "mode,name,unit,amplitude,phase_deg,share");
    strsep(&line, "\n");
    assert_int_equal(split(strsep(&line, "\n"), field, 8), 6);
    assert_string_equal(field[1], "rod.angle_rate");
    assert_string_equal(field[2], "rad/s");
    cli_near(strtod(field[3], NULL), sqrt(9.81 / 2), 1e-12);
    cli_near(strtod(field[4], NULL), 90.0, 1e-9);
    cli_near(strtod(field[5], NULL), 0.5, 1e-12);
    free(text);
    text = run_get(&folder, "p_sensitivity.csv", NULL);
    double real, imaginary;
    assert_int_equal(
        sscanf(text, "parameter,mode,real,imaginary\nlength,1,%lf,%lf\n", &real, &imaginary), 2);
    cli_near(imaginary, -0.5 * sqrt(9.81 / 8), 1e-13); // d sqrt(g/l)/dl
    free(text);
    // Into a folder: the one at hand.
    free(cli_printed("linearize pendulum.yaml --csv ."));
    assert_true(run_exists(&folder, "A.csv") && run_exists(&folder, "shapes.csv"));
    assert_false(run_exists(&folder, "sensitivity.csv")); // not asked for
}

static void figure(void **state)
{
    (void)state;
    free(cli_printed("linearize hmmwv10.yaml --at start --svg car.svg"));
    char *text = run_get(&folder, "car.svg", NULL);
    assert_non_null(strstr(text, "<svg"));
    assert_non_null(strstr(text, "Eigenvalues of hmmwv10"));
    static const char *const words[] = {"oscillating", "not oscillating", "rigid"};
    for (int k = 0; k < 3; k++)
        assert_non_null(strstr(text, words[k]));
    free(text);
}

// ---- equilibrium -------------------------------------------------------------------------------

static void rest_of_mechanism(void **state)
{
    (void)state;
    char *text = cli_printed("equilibrium quarter_car.yaml --hold distance --set m_body=250 --set "
                             "k_susp=20000");
    double wheel, body, distance, residual;
    int length = 0;
    sscanf(text, "wheel.travel %lf m\nbody.travel %lf m\ndistance %lf\n%% residual %lf%n", &wheel,
           &body, &distance, &residual, &length);
    assert_true(length > 0);
    cli_near(wheel, -290.0 * 9.81 / 180e3, 1e-14);
    cli_near(body, -250.0 * 9.81 / 20e3, 1e-14);
    assert_true(distance == 0.0 && residual < 1e-9);
    free(text);
    run_copy(&folder, "top.yml", SOURCE_DIR "/models/spinning_top.yaml");
    text = cli_printed("equilibrium top.yml");
    double q[4];
    assert_int_equal(sscanf(text, "top.qw %lf -\ntop.qx %lf -\ntop.qy %lf -\ntop.qz %lf -\n", &q[0],
                            &q[1], &q[2], &q[3]),
                     4);
    cli_near(q[1] * q[1] + q[2] * q[2], 1.0, 1e-14); // upside down
    assert_non_null(strstr(text, "no restoring force in 1 direction\n"));
    free(text);
}

// ---- wrong input -------------------------------------------------------------------------------

typedef struct wrong {
    const char *arguments;
    int code;
    const char *message;
} wrong;

#define NAMES "; `motorcade simulate MODEL --list` lists all names\n"
#define L "motorcade linearize: "
#define E "motorcade equilibrium: "

static const wrong wrongs[] = {
    {"linearize", 2,
     L "no model given; try: motorcade linearize models/hmmwv10.yaml (`motorcade linearize -h` "
       "explains)\n"},
    {"linearize pendulum.yaml hmmwv10.yaml", 2,
     L "only one model file is expected: found \"hmmwv10.yaml\" after \"pendulum.yaml\"\n"},
    {"linearize missing.yaml", 2, "missing.yaml: cannot be read: No such file or directory\n"},
    {"linearize pendulum.yaml --at rest", 2,
     L "option --at: found \"rest\", expected equilibrium or start\n"},
    {"linearize pendulum.yaml --att start", 2,
     L "unknown option \"--att\", did you mean --at; -h lists them\n"},
    {"linearize pendulum.yaml -x", 2, L "unknown option \"-x\"; -h lists them\n"},
    {"linearize pendulum.yaml --hold", 2, L "option --hold needs a value: NAME\n"},
    {"linearize pendulum.yaml --csv ''", 2, L "option --csv needs a value: WHERE\n"},
    {"linearize pendulum.yaml --help=1", 2, L "option --help takes no value\n"},
    {"linearize quarter_car.yaml --hold distanc", 2,
     L "unknown name \"distanc\" in quarter_car, did you mean distance" NAMES},
    {"linearize quarter_car.yaml --hold k_tyre", 2,
     L "k_tyre cannot be held: it is a parameter, which stays as it is set; only coordinates, "
       "velocities and states can\n"},
    {"linearize pendulum.yaml --hold rod.angle", 2, L "pendulum: nothing can move\n"},
    {"linearize pendulum.yaml --set length", 2,
     L "option --set: found \"length\", expected NAME=VALUE (--set chassis.mass=2300, --set \"k=20 "
       "N/mm\")\n"},
    {"linearize pendulum.yaml --set length=long", 2,
     L "option --set: length=long: expected a number, with a unit or in SI: m\n"},
    {"linearize pendulum.yaml --set lenght=2", 2,
     L "option --set: unknown name \"lenght\" in pendulum, did you mean length" NAMES},
    {"linearize pendulum.yaml --sensitivity nothing", 2,
     L "unknown name \"nothing\" in pendulum" NAMES},
    {"linearize quarter_car.yaml --hold distance --sensitivity road", 2,
     L "road is computed; sensitivities are by parameters and inputs\n"},
    {"linearize pendulum.yaml --svg pendulum.yaml", 2,
     "pendulum.yaml: --svg would overwrite the model\n"},
    {"linearize pendulum.yaml --svg x_A.csv --csv x", 2,
     "x_A.csv: --svg would overwrite the file written by --csv\n"},
    {"linearize pendulum.yaml --svg no/where.svg", 1,
     "no/where.svg: cannot be created in folder \"no\": No such file or directory\n"},
    {"linearize pendulum.yaml --csv no/where", 1,
     "no/where_A.csv: cannot be created in folder \"no\": No such file or directory\n"},
    {"linearize quarter_car.yaml", 1,
     L "no equilibrium found: the state distance still changes at 10 per second; hold it to "
       "exclude it\n"},
    {"linearize hmmwv10.yaml --set torque_front=0 --set torque_rear=0", 1,
     L "no equilibrium found: chassis.z still accelerates at -9.81 m/s^2; support it or hold it\n"},
    {"equilibrium quarter_car.yaml --set k_susp=0 --set c_susp=0 --hold distance", 1,
     E
     "no equilibrium found: body.travel still accelerates at -9.81 m/s^2; support it or hold it\n"},
    {"equilibrium pendulum.yaml -m 1", 2,
     E "option -m: only for MEDUSA model files, not for mechanisms\n"},
    {"equilibrium pendulum.yaml --write", 2,
     E "option --write: only for MEDUSA model files, not for mechanisms\n"},
    {"equilibrium model.dat --hold R3", 2, E "option --hold: only for mechanisms (.yaml files)\n"},
    {"equilibrium model.dat --set MASS=1", 2,
     E "option --set: only for mechanisms (.yaml files)\n"},
    {"equilibrium pendulum.yaml --hold rod", 2,
     E "unknown name \"rod\" in pendulum, did you mean rod.angle" NAMES},
    {"equilibrium missing.yml", 2, "missing.yml: cannot be read: No such file or directory\n"},
};

static void wrong_input(void **state)
{
    (void)state;
    run_age(&folder);
    char *before = run_listing(&folder, false);
    for (size_t k = 0; k < sizeof wrongs / sizeof wrongs[0]; k++) {
        cli_rejected(wrongs[k].arguments, wrongs[k].code, wrongs[k].message);
    }
    char *after = run_listing(&folder, false); // nothing was written
    assert_string_equal(before, after);
    free(before);
    free(after);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, cli_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(table_of_modes),    TEST(tables),      TEST(figure),
        TEST(rest_of_mechanism), TEST(wrong_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
