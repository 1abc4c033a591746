// stability.c - `motorcade stability --law NAME`: does a disturbance grow from car to car?
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/laws.h"
#include "motorcade/plot.h"
#include "motorcade/string_stability.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct request {
    mc_stability_options o;
    cli_settings set;
    const char *svg;
    bool help;
} request;

// ---- command line ------------------------------------------------------------------------------

static mc_status take_set(void *place, const cli_option *option, const char *value, mc_error *error)
{
    (void)option;
    return cli_add_setting(place, "k1=1", CLI_SETTINGS_MAX, value, error);
}

static const cli_option options[] = {
    {0, "law", "NAME", "control law (mandatory); `motorcade laws` lists them", CLI_TO(o.law)},
    {0, "set", "NAME=VALUE", "parameter of the law, SI; may be repeated", CLI_BY(take_set, set)},
    {0, "headway", "S", "time headway [s] (default: 1)", CLI_WITHIN(o.headway, 0.0, 20.0)},
    {0, "distance", "M", "gap at rest [m] (default: 2)", CLI_WITHIN(o.distance, 0.0, 1000.0)},
    {0, "speed", "V", "steady speed [m/s] (default: 20)", CLI_WITHIN(o.speed, 0.1, 100.0)},
    {0, "v-set", "V", "speed command [m/s] (default: 33.3, or a third above the speed)",
     CLI_WITHIN(o.v_set, 0.1, 200.0)},
    {0, "lag", "S", "lag of the cars [s] (default: 0)", CLI_WITHIN(o.lag, 0.0, 10.0)},
    {0, "delay", "S", "delay of the radio [s] (default: 0)", CLI_WITHIN(o.delay, 0.0, 10.0)},
    {0, "listen-leader", NULL, "average errors over the car in front and the leader",
     CLI_TO(o.listen_leader)},
    {0, "place", "N", "place of the car in the platoon (default: 2)",
     CLI_WITHIN(o.place, 1, 10000)},
    {0, "svg", "FILE", "draw the gain over frequency", CLI_TO(svg)},
    CLI_HELP,
    CLI_NO_WORD("unexpected \"%s\"; give the law as --law NAME"),
};

// ---- output ------------------------------------------------------------------------------------

static void print_question(const request *r, const mc_stability_result *s)
{
    mc_law law;
    if (!mc_law_find(r->o.law, &law))
        return;
    printf("law %s: %s\n", law.name, law.equation);
    printf("  ");
    for (int i = 0; i < r->set.count; i++)
        printf("%s = %g, ", r->set.names[i], r->set.values[i]);
    printf("headway %g s, distance %g m, at %g m/s with a gap of %.6g m, lag %g s, radio delay %g "
           "s\n\n",
           r->o.headway, r->o.distance, r->o.speed, s->gap, r->o.lag, r->o.delay);
}

static void print_modes(const mc_stability_result *s)
{
    printf("modes of a car behind a steady one, 1/s:");
    for (int i = 0; i < s->mode_count; i++) {
        const mc_stability_mode *m = &s->modes[i];
        if (m->imaginary < 0.0)
            continue;
        printf(i ? ", %.4g" : " %.4g", m->real);
        if (m->imaginary > 0.0)
            printf(" +- %.4gi", m->imaginary);
    }
    printf("\n");
    if (s->neutral_count)
        printf("  %d of them 0: a gap or gain that can take any value\n", s->neutral_count);
}

static void print_verdicts(const request *r, const mc_stability *s)
{
    const mc_stability_result *v = mc_stability_result_of(s);
    print_modes(v);
    if (v->l2 == MC_STABILITY_VERDICT_CAR_UNSTABLE) {
        printf("unstable: a car behind a steady one does not settle, so there is no gain\n");
        return;
    }
    printf("L2          %s: ",
           v->l2 == MC_STABILITY_VERDICT_STABLE ? "string stable" : "string unstable");
    if (v->peak_frequency > 0.0)
        printf("|G| is at most %.6g, at %.4g rad/s (%.4g Hz)\n", v->peak, v->peak_frequency,
               v->peak_frequency / (2.0 * PI));
    else
        printf("|G| is at most %.6g, for w -> 0\n", v->peak);
    printf("L-infinity  %s: the integral of |g| is %.6g\n",
           v->l_infinity == MC_STABILITY_VERDICT_STABLE ? "string stable" : "string unstable",
           v->l1);
    const double min = mc_stability_min_headway(s);
    if (!isnan(min))
        printf("margin      %.4g s of headway: L2 string stable at %.4g s or more\n",
               r->o.headway - min, min);
    if (v->leader)
        printf("leader      cars 1 to 20 move at most %.6g times as far as the leader\n",
               v->leader_peak);
}

static void print_table(const mc_stability *s)
{
    static const double steps[] = {1.0, 2.0, 5.0};
    const bool leader = mc_stability_result_of(s)->leader;
    printf("\n   w rad/s        |G|   phase deg%s\n", leader ? "   |G_leader|" : "");
    for (int i = 0; i < 13; i++) {
        const double w = steps[i % 3] * pow(10.0, i / 3 - 2);
        double phase;
        const double size = mc_stability_gain(s, w, &phase);
        printf("%10g %10.6f %11.2f", w, size, phase * 180.0 / PI);
        if (leader)
            printf(" %12.6f", mc_stability_gain_leader(s, w, NULL));
        putchar('\n');
    }
}

static mc_status draw(const request *r, const mc_stability *s, mc_error *error)
{
    enum { POINTS = 600 };
    static const double one[2] = {1.0, 1.0};
    double w[POINTS], front[POINTS], leader[POINTS], ends[2];
    const mc_stability_result *v = mc_stability_result_of(s);
    for (int i = 0; i < POINTS; i++) {
        w[i] = pow(10.0, -2.0 + 4.0 * i / (POINTS - 1));
        front[i] = mc_stability_gain(s, w[i], NULL);
        leader[i] = mc_stability_gain_leader(s, w[i], NULL);
    }
    ends[0] = w[0];
    ends[1] = w[POINTS - 1];
    const mc_plot_curve curves[] = {
        {.label = "|G|", .unit = "-", .x = w, .y = front, .count = POINTS},
        {.label = "limit", .unit = "-", .x = ends, .y = one, .count = 2},
        {.label = "|G leader|", .unit = "-", .x = w, .y = leader, .count = POINTS},
    };
    const mc_plot_panel panel = {
        .y = {.label = "Gain", .unit = "-"}, .curves = curves, .curve_count = v->leader ? 3 : 2};
    char title[120], caption[160];
    snprintf(title, sizeof title, "Law %s: gain from car to car", r->o.law);
    snprintf(caption, sizeof caption,
             "Headway %g s, %g m/s, lag %g s, radio delay %g s; maximum gain %.4g", r->o.headway,
             r->o.speed, r->o.lag, r->o.delay, v->peak);
    const mc_plot plot = {.title = title,
                          .caption = caption,
                          .x = {.label = "Frequency", .unit = "rad/s", .logarithmic = 1},
                          .panels = &panel,
                          .panel_count = 1};
    return mc_plot_write(r->svg, &plot, error);
}

// ---- the command -------------------------------------------------------------------------------

static mc_status answer(request *r, mc_error *error)
{
    if (!r->o.law)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "no law given; try: motorcade stability --law %s",
                            mc_stability_defaults().law);
    r->o.set_names = r->set.names;
    r->o.set_values = r->set.values;
    r->o.set_count = r->set.count;
    mc_stability *s = mc_stability_create(&r->o, error);
    if (!s)
        return error->code;
    const bool gains = mc_stability_result_of(s)->l2 != MC_STABILITY_VERDICT_CAR_UNSTABLE;
    mc_status status = MC_OK;
    if (r->svg && !gains)
        status = mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                              "nothing to draw: a car behind a steady one does not settle");
    else if (r->svg)
        status = draw(r, s, error);
    if (status == MC_OK) {
        print_question(r, mc_stability_result_of(s));
        print_verdicts(r, s);
        if (gains)
            print_table(s);
        if (r->svg)
            printf("\nwrote %s\n", r->svg);
    }
    mc_stability_destroy(s);
    return status;
}

int cli_stability(int argc, char **argv)
{
    for (int k = 1; k < argc; k++)
        if (strncmp(argv[k], "--steering", 10) == 0)
            return cli_stability_steering(argc, argv);
    const char *const program = "motorcade stability";
    request r = {.o = mc_stability_defaults()};
    mc_error error = {0};
    r.o.law = NULL;
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        printf(
            "usage: motorcade stability --law NAME [OPTIONS]\n"
            "       motorcade stability --steering NAME [OPTIONS]\n\n"
            "Tells whether a disturbance grows from car to car in a platoon under a control law.\n"
            "The law is linearized about its steady state; all cars are alike. Of a steering law\n"
            "(--steering NAME --help): whether it keeps its car on the path.\n\n");
        cli_print_options(options);
        return 0;
    }
    return answer(&r, &error) == MC_OK ? 0 : cli_fail(program, &error);
}
