// test_accel.c - `motorcade accel`: the contract of its table, both forms, and wrong calls.
#include "support/cli.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HMMWV SOURCE_DIR "/models/hmmwv10.yaml"
#define PENDULUM SOURCE_DIR "/models/double_pendulum.yaml"

// Header and rows of q0.. v0.. (tau0..) for the double pendulum or the car at rest.
static void put_car_states(const char *name, bool tau)
{
    char text[8192] = "";
    size_t n = 0;
    for (int i = 0; i < 16; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%sq%d", i ? "," : "", i);
    for (int i = 0; i < 15; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, ",v%d", i);
    for (int i = 0; tau && i < 15; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, ",tau%d", i);
    for (int row = 0; row < 3; row++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "\n0,0,%d,1,0,0,0", row);
        for (int i = 0; i < 9; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, ",%g", 0.1 * i * row);
        for (int i = 0; i < 15; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, ",%g", 0.3 * (i - 7) * row);
        for (int i = 0; tau && i < 15; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, ",%g", 10.0 * (i - 4) * row);
    }
    snprintf(text + n, sizeof text - n, "\n");
    run_put(&folder, name, text);
}

static int read_row(const char **at, double *values)
{
    int count = 0;
    while (**at && **at != '\n') {
        char *end;
        values[count++] = strtod(*at, &end);
        assert_true(end > *at && (*end == ',' || *end == '\n'));
        *at = *end == ',' ? end + 1 : end;
    }
    *at += **at == '\n';
    return count;
}

static void contract(void **state)
{
    (void)state;
    put_car_states("s.csv", true);
    char *text = cli_printed("accel " HMMWV " --states s.csv");
    const char *header = "qdd0,qdd1,qdd2,qdd3,qdd4,qdd5,qdd6,qdd7,qdd8,qdd9,qdd10,qdd11,qdd12,"
                         "qdd13,qdd14\n";
    assert_memory_equal(text, header, strlen(header));
    const char *at = text + strlen(header);
    double first[15], other[15];
    assert_int_equal(read_row(&at, first), 15);
    // tau = 0 at rest: everything falls, nothing turns
    for (int i = 0; i < 15; i++)
        cli_near(first[i], i == 2 ? -9.81 : 0.0, 1e-12);
    assert_int_equal(read_row(&at, first), 15);
    assert_int_equal(read_row(&at, first), 15);
    assert_int_equal(*at, 0);

    char *paper = cli_printed("accel " HMMWV " --form=lagrange --states s.csv -o out.csv");
    assert_string_equal(paper, "");
    char *file = run_get(&folder, "out.csv", NULL);
    at = file + strlen(header);
    read_row(&at, other);
    read_row(&at, other);
    read_row(&at, other);
    for (int i = 0; i < 15; i++)
        cli_near(other[i], first[i], 1e-10 * (1.0 + fabs(first[i])));
    free(text);
    free(paper);
    free(file);
}

// Without tau the model's own springs act; with --add-loads they act beside tau.
static void loads(void **state)
{
    (void)state;
    put_car_states("bare.csv", false);
    put_car_states("s.csv", true);
    char *own = cli_printed("accel " HMMWV " --states bare.csv");
    char *both = cli_printed("accel " HMMWV " --states s.csv --add-loads");
    const char *a = strchr(own, '\n') + 1, *b = strchr(both, '\n') + 1;
    double x[15], y[15];
    read_row(&a, x);
    read_row(&b, y);
    assert_memory_equal(x, y, sizeof x); // tau = 0 in the first row
    assert_true(fabs(x[7]) > 10.0);      // the springs are compressed at angle 0
    read_row(&a, x);
    read_row(&b, y);
    assert_true(fabs(x[8] - y[8]) > 1e-3);
    free(own);
    free(both);
}

static void names_and_order(void **state)
{
    (void)state;
    run_put(&folder, "n.csv", "rod2.angle_rate,v0,rod1.angle,q1\n0.1,0.2,0.3,0.4\n");
    run_put(&folder, "q.csv", "q0,q1,v0,v1\n0.3,0.4,0.2,0.1\n");
    char *a = cli_printed("accel " PENDULUM " --states n.csv"),
         *b = cli_printed("accel " PENDULUM " --states q.csv");
    assert_string_equal(a, b);
    free(a);
    free(b);
}

static void wrong_calls(void **state)
{
    (void)state;
    run_put(&folder, "few.csv", "q0,q1,v0\n1,2,3\n");
    run_put(&folder, "tau.csv", "q0,q1,v0,v1,tau0\n1,2,3,4,5\n");
    run_put(&folder, "odd.csv", "q0,q1,v0,v1,tua0\n1,2,3,4,5\n");
    run_put(&folder, "twice.csv", "q0,q1,v0,v1,rod1.angle\n1,2,3,4,5\n");
    run_put(&folder, "text.csv", "q0,q1,v0,v1\n1,2,3,x\n");
    put_car_states("car.csv", true);
    char *car = run_get(&folder, "car.csv", NULL);
    char *quaternion = strstr(car, "\n0,0,0,1,0");
    assert_non_null(quaternion);
    quaternion[7] = '2';
    run_put(&folder, "long.csv", car);
    free(car);
    static const struct {
        const char *arguments, *message;
    } cases[] = {
        {"accel", "motorcade accel: no model given; try: motorcade accel models/hmmwv10.yaml "
                  "(`motorcade accel -h` explains)\n"},
        {"accel " PENDULUM, "motorcade accel: no states given; add --states FILE.csv\n"},
        {"accel none.yaml --states few.csv",
         "none.yaml: cannot be read: No such file or directory\n"},
        {"accel " PENDULUM " --states none.csv",
         "none.csv: cannot be read: No such file or directory\n"},
        {"accel " PENDULUM " --states few.csv",
         "few.csv:1: no column v1 (rod2.angle_rate); double_pendulum has 2 coordinates and 2 "
         "velocities\n"},
        {"accel " PENDULUM " --states tau.csv",
         "tau.csv:1: no column tau1 (tau.rod2.angle_rate); double_pendulum has 2 coordinates and "
         "2 velocities; give all tau columns or none\n"},
        {"accel " PENDULUM " --states odd.csv",
         "odd.csv:1: unknown column \"tua0\"; double_pendulum expects q0..q1, v0..v1, tau0..tau1, "
         "or its own names (rod1.angle, ...)\n"},
        {"accel " PENDULUM " --states twice.csv",
         "twice.csv:1: rod1.angle is given twice (as rod1.angle)\n"},
        {"accel " PENDULUM " --states text.csv",
         "text.csv:2:7: column v1: \"x\" is not a number (12, -0.5, 1.2e-3)\n"},
        {"accel " HMMWV " --states long.csv",
         "long.csv:2: the quaternion of chassis has length 2; it must be 1\n"},
        {"accel " PENDULUM " --states few.csv --form lagrang",
         "motorcade accel: option --form: found \"lagrang\", expected lagrange, recursive or "
         "independent; did "
         "you mean lagrange\n"},
        {"accel " PENDULUM " --states few.csv --set rod1.mass",
         "motorcade accel: option --set: found \"rod1.mass\", expected NAME=VALUE (--set "
         "chassis.mass=2300, --set \"k=20 N/mm\")\n"},
        {"accel " PENDULUM " " HMMWV " --states few.csv",
         "motorcade accel: only one model file is expected: found \"" HMMWV "\" after \"" PENDULUM
         "\"\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cli_rejected(cases[i].arguments, 2, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(contract, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(loads, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(names_and_order, cli_set_up, cli_tear_down),
        cmocka_unit_test_setup_teardown(wrong_calls, cli_set_up, cli_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
