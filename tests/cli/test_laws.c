// test_laws.c - `motorcade laws` and `motorcade stability`: what they print, and wrong calls.
#include "motorcade/laws.h"
#include "support/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void the_list_has_every_law(void **state)
{
    (void)state;
    mc_law law;
    char *list = cli_printed("laws"), *all = cli_printed("laws --all");
    for (int i = 0; mc_law_at(i, &law); i++) {
        cli_has(list, law.name);
        cli_has(list, law.doc);
        char call[80], heading[200];
        snprintf(call, sizeof call, "laws %s", law.name);
        snprintf(heading, sizeof heading, "%s - %s\n", law.name, law.doc);
        char *card = cli_printed(call);
        cli_has(card, heading);
        cli_has(all, card);
        for (int k = 0; k < law.param_count; k++)
            cli_has(card, law.params[k].doc);
        for (const char *line = card; *line;) { // prose is broken, formulas are not
            const size_t length = strcspn(line, "\n");
            assert_true(length <= 100 || line[0] == ' ');
            line += length + (line[length] == '\n');
        }
        free(card);
    }
    free(list);
    free(all);
    char *signals = cli_printed("laws --signals");
    mc_law_signal s;
    for (int i = 0; mc_law_signal_at(i, &s); i++)
        cli_has(signals, s.doc);
    free(signals);
}

static void a_card_has_all_parts(void **state)
{
    (void)state;
    char *card = cli_printed("laws PLATOON"); // any case
    cli_has(card, "equation    a' = k1 (gap - distance - headway v) + k2");
    cli_has(card, "source      equation (8) of UCB-ITS-PRR-95-45");
    cli_has(card, "2 k3 headway + k2 headway^2 >= 2");
    cli_has(card,
            "  k3                 1/s          1        0 .. 100       gain of the acceleration");
    cli_has(card, "  follow         = k1*error + k2*error_rate + k3*(a_front - desired)\n");
    cli_has(card, "starts at a\n");
    free(card);
}

static void stability_prints_its_verdict(void **state)
{
    (void)state;
    char *text =
        cli_printed("stability --law platoon --set k1=1 --set k2=2 --set k3=1 --headway 0.3 "
                    "--svg gain.svg");
    cli_has(text,
            "L2          string unstable: |G| is at most 1.46838, at 1.179 rad/s (0.1877 Hz)\n");
    cli_has(text, "margin      -0.318 s of headway: L2 string stable at 0.618 s or more\n");
    cli_has(text, "         1   1.396861      -24.78\n");
    cli_has(text, "wrote gain.svg\n");
    free(text);
    size_t size;
    char *svg = run_get(&folder, "gain.svg", &size);
    cli_has(svg, "Law platoon: gain from car to car");
    free(svg);
    text = cli_printed("stability --law ploeg --headway 0.5 --lag 0.1 --delay 0.02 --speed 15 "
                       "--distance 3 --v-set 30 --place 3");
    cli_has(text, "at 15 m/s with a gap of 10.5 m, lag 0.1 s, radio delay 0.02 s");
    cli_has(text, "L2          string stable: |G| is at most 1, for w -> 0\n");
    free(text);
    text = cli_printed("stability --law consensus --listen-leader --headway 0");
    cli_has(text, "|G_leader|");
    cli_has(text, "leader      cars 1 to 20 move at most");
    free(text);
    text = cli_printed("stability --law platoon --set k1=5 --set k2=0.1 --set k3=0.1");
    cli_has(text, "unstable: a car behind a steady one does not settle, so there is no gain\n");
    free(text);
    text = cli_printed("stability -h");
    cli_has(text, "--listen-leader");
    free(text);
}

static void wrong_calls_are_rejected(void **state)
{
    (void)state;
    static const struct {
        const char *call, *text;
    } rows[] = {
        {"laws plattoon", "unknown law \"plattoon\", did you mean platoon; `motorcade laws` lists "
                          "them"},
        {"laws acc idm", "one law at a time: \"idm\" after \"acc\"; --all prints all cards"},
        {"laws --signal", "unknown option \"--signal\", did you mean --signals; -h lists them"},
        {"stability", "no law given; try: motorcade stability --law platoon"},
        {"stability platoon", "unexpected \"platoon\"; give the law as --law NAME"},
        {"stability --law idn", "unknown law \"idn\", did you mean idm; `motorcade laws` lists "
                                "them"},
        {"stability --law platoon --set k4=1",
         "law platoon has no parameter \"k4\", did you mean k1; `motorcade laws platoon` lists "
         "them"},
        {"stability --law platoon --set k1",
         "option --set: found \"k1\", expected NAME=VALUE (--set k1=1)"},
        {"stability --law platoon --set k1=",
         "option --set: found \"k1=\", expected NAME=VALUE (--set k1=1)"},
        {"stability --law platoon --set =1",
         "option --set: found \"=1\", expected NAME=VALUE (--set k1=1)"},
        {"stability --law platoon --set k1=1000",
         "k1 = 1000: gain of the spacing error of law platoon must be in 0.001 .. 100 1/s^3"},
        {"stability --law cruise",
         "law cruise ignores the car in front: nothing propagates from car to car"},
        {"stability --law idm --speed 30 --v-set 30",
         "law idm has no steady gap at speed 30 m/s with headway 1 s, distance 2 m, v_set 30 m/s"},
        {"stability --law acc --lag 1e-9", "lag = 1e-09 s must be in 0.0001 .. 10"},
        {"stability --law platoon --set k1=5 --set k2=0.1 --set k3=0.1 --svg a.svg",
         "nothing to draw: a car behind a steady one does not settle"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char expected[400];
        snprintf(expected, sizeof expected, "motorcade %.*s: %s\n", (int)strcspn(rows[i].call, " "),
                 rows[i].call, rows[i].text);
        cli_rejected(rows[i].call, 2, expected);
    }
    static const char *const numbers[] = {"--headway x", "--headway -1", "--speed 0",
                                          "--delay 11",  "--place 0",    "--set k1=one"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char call[80];
        snprintf(call, sizeof call, "stability --law platoon %s", numbers[i]);
        cli_rejected_with(call, 2, "motorcade stability: option --");
    }
    assert_false(run_exists(&folder, "a.svg"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_has_every_law),
        cmocka_unit_test(a_card_has_all_parts),
        cmocka_unit_test(stability_prints_its_verdict),
        cmocka_unit_test(wrong_calls_are_rejected),
    };
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}
