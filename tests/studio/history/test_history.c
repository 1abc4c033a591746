// Histories: the budget is kept, the first and the newest rows stay, readers keep what they took.
#include "studio/history/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void put(history *h, roster *who, int row)
{
    history_row now = history_reserve(h, who);
    assert_non_null(now.middle);
    memset(now.middle, 0, history_row_size(who));
    for (int c = 0; c < who->count; c++)
        now.middle[c] = row + 1e-6 * c;
    history_publish(h, row, (uint64_t)row + 1);
}

// The rows are in order and are what was put in, including the first and the last.
static int check(history *h, int last)
{
    history_view v;
    assert_true(history_look(h, &v));
    const int rows = history_view_rows(&v);
    assert_true(rows > 1);
    assert_true(history_view_time(&v, 0) == 0.0);
    assert_true(history_view_time(&v, rows - 1) == last);
    for (int k = 0; k < rows; k++) {
        const history_row now = history_view_row(&v, k);
        assert_true(k == 0 || now.t > history_view_time(&v, k - 1));
        assert_true(now.hash == (uint64_t)now.t + 1);
        assert_true(now.middle[now.who->count - 1] == now.t + 1e-6 * (now.who->count - 1));
    }
    history_view_end(&v);
    return rows;
}

// cars: so many that a block has one row, or so few that it has many.
static void the_budget_is_kept(int cars, size_t budget, int count)
{
    history h;
    roster *who = roster_create(cars, 0), *other = roster_create(cars + 1, 0);
    assert_true(history_begin(&h, budget));
    const size_t row = history_row_size(who);
    int max = 0;
    for (int k = 0; k < count; k++) {
        put(&h, k / 100 % 2 ? other : who, k); // cars come and go
        assert_true(history_memory(&h) <= budget);
        if (k % 50 == 49) {
            const int rows = check(&h, k);
            max = rows > max ? rows : max;
        }
    }
    assert_true((size_t)count * row > 2 * budget);   // else nothing had to go
    assert_true(2 * check(&h, count - 1) > max / 2); // no more goes than has to
    assert_true(history_memory(&h) > budget / 2);
    history_end(&h);
    roster_drop(who);
    roster_drop(other);
}

static void many_cars(void **state)
{
    (void)state;
    the_budget_is_kept(3000, 8 << 20, 300);
}

static void few_cars(void **state)
{
    (void)state;
    the_budget_is_kept(4, 2 << 20, 20000);
}

// A reader and a branch keep their rows; together they have the memory once.
static void what_is_shared_stays(void **state)
{
    (void)state;
    history h, branch;
    roster *who = roster_create(100, 0);
    assert_true(history_begin(&h, (size_t)1 << 30) && history_begin(&branch, (size_t)1 << 30));
    for (int k = 0; k < 200; k++)
        put(&h, who, k);
    const size_t alone = history_share(&h);
    assert_true(alone == history_memory(&h));
    assert_true(history_fork(&branch, &h, 199.0));
    assert_true(history_share(&h) < alone &&
                2 * (history_share(&h) + history_share(&branch)) < 3 * alone);
    history_view v;
    assert_true(history_look(&h, &v));
    assert_true(history_thin(&h));
    assert_true(check(&h, 199) < 200);
    assert_int_equal(check(&branch, 199), 200);
    assert_int_equal(history_view_rows(&v), 200);
    assert_true(history_view_row(&v, 1).middle[0] == 1.0);
    history_view_end(&v);
    while (history_thin(&h))
        ;
    assert_true(check(&h, 199) >= 2);
    history_end(&h);
    history_end(&branch);
    roster_drop(who);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_cars),
        cmocka_unit_test(few_cars),
        cmocka_unit_test(what_is_shared_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
