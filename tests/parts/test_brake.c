// test_brake.c - delay of the brake.
#include "parts/brake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

static void command_comes_after_its_delay(void **unused)
{
    (void)unused;
    double line[BRAKE_LINE_SIZE] = {0}, command = 0.0, untouched[BRAKE_LINE_SIZE] = {0};
    assert_true(brake_line_next(line) == HUGE_VAL);
    brake_line_push(line, 0.5, 0.0, &command); // no delay
    assert_true(command == 0.5 && brake_line_next(line) == HUGE_VAL);
    brake_line_push(line, 0.5, 0.1, &command); // nothing new
    assert_true(brake_line_next(line) == HUGE_VAL);
    brake_line_push(line, 0.7, 0.1, &command);
    for (int k = 0; k < 10; k++) {
        assert_true(command == 0.5);
        if (k == 4)
            brake_line_push(line, 0.0, 0.1, &command);
        brake_line_pass(line, 0.01, &command); // ten sums of 0.01 are not 0.1: still on time
    }
    assert_true(command == 0.7);
    assert_true(fabs(brake_line_next(line) - 0.04) < 1e-12);
    brake_line_pass(line, brake_line_next(line), &command);
    assert_true(command == 0.0);
    assert_memory_equal(line, untouched, sizeof line); // an empty line is all zero: same hash
}

// More commands than places: the newest is never lost, and none comes late.
static void full_line_keeps_the_newest(void **unused)
{
    (void)unused;
    double line[BRAKE_LINE_SIZE] = {0}, command = 0.0;
    const int many = 3 * BRAKE_LINE_MAX;
    for (int k = 0; k < many; k++)
        brake_line_push(line, 0.001 * (k + 1), 1.0 + 0.001 * k, &command);
    assert_int_equal((int)line[0], BRAKE_LINE_MAX);
    double t = 0.0, last = 0.0;
    while (brake_line_next(line) < HUGE_VAL) {
        const double step = brake_line_next(line);
        brake_line_pass(line, step, &command);
        t += step;
        assert_true(command > last);
        last = command;
    }
    assert_true(command == 0.001 * many && t < 1.0 + 0.001 * many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(command_comes_after_its_delay),
        cmocka_unit_test(full_line_keeps_the_newest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
