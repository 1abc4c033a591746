// powertrain.c - `motorcade powertrain [NAME]`: the powertrains and their steady speeds.
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/powertrain.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { SPEEDS_MAX = 8 };

typedef struct request {
    const char *name;
    cli_settings set;
    bool unstable, help;
} request;

// ---- command line ------------------------------------------------------------------------------

static mc_status take_set(void *place, const cli_option *option, const char *value, mc_error *error)
{
    enum { SETTINGS_MAX = CLI_SETTINGS_MAX - 2 }; // two more are set below
    (void)option;
    return cli_add_setting(place, "power_scale=0.8", SETTINGS_MAX, value, error);
}

static const cli_option options[] = {
    {0, "set", "NAME=VALUE", "set a parameter of the powertrain or car; may be repeated",
     CLI_BY(take_set, set)},
    {0, "unstable", NULL, "also list the speeds in between", CLI_TO(unstable)},
    CLI_HELP,
    CLI_ONE_WORD(name, "only one powertrain is expected: found \"%s\" after \"%s\""),
};

static bool is_set(const request *r, const char *name)
{
    for (int i = 0; i < r->set.count; i++)
        if (strcasecmp(r->set.names[i], name) == 0)
            return true;
    return false;
}

static bool has_param(const mc_powertrain *p, const char *name)
{
    for (int i = 0; i < p->param_count; i++)
        if (strcmp(p->params[i].name, name) == 0)
            return true;
    return false;
}

// ---- output ------------------------------------------------------------------------------------

static void print_list(void)
{
    mc_powertrain p;
    for (int i = 0; mc_powertrain_at(i, &p); i++)
        printf("  %-14s %s\n", p.name, p.doc);
    printf("\n`motorcade powertrain NAME` prints its parameters and steady speeds.\n");
}

static void print_params(const mc_powertrain *p)
{
    printf("%s - %s\n\nparameters\n", p->name, p->doc);
    for (int i = 0; i < p->param_count; i++) {
        const mc_param *row = &p->params[i];
        char range[48];
        snprintf(range, sizeof range, "%g .. %g", row->min, row->max);
        printf("  %-21s %-7s %-8g %-16s %s\n", row->name, row->unit, row->fallback, range,
               row->doc);
    }
}

typedef struct reading { // one group of columns of the table
    mc_powertrain_set set;
    mc_powertrain_steady rows[SPEEDS_MAX];
    int count;
} reading;

static mc_status find_speeds(const request *r, reading *group, double throttle, mc_error *error)
{
    mc_powertrain_steady all[SPEEDS_MAX];
    int count;
    const mc_status status =
        mc_powertrain_steady_speeds(r->name, &group->set, throttle, all, SPEEDS_MAX, &count, error);
    group->count = 0;
    for (int k = 0; status == MC_OK && k < count; k++)
        if (all[k].stable || r->unstable)
            group->rows[group->count++] = all[k];
    return status;
}

static void print_speed(const reading *group, int k)
{
    if (k >= group->count) {
        printf("  %8s %8s %8s %8s", k ? "" : "-", k ? "" : "-", k ? "" : "-", k ? "" : "-");
        return;
    }
    const mc_powertrain_steady *s = &group->rows[k];
    printf(" %s%8.3f %8.1f %8.1f %8.2f", s->stable ? " " : "*", s->v, s->n, s->force,
           1e6 * s->fuel / s->v);
}

// Throttle angles, degrees: close together where the steady speeds have several branches.
static double angle_at(int row) // negative: past the end
{
    if (row < 14)
        return 3.0 + row;
    if (row < 24)
        return 18.0 + 2.0 * (row - 14);
    return row < 34 ? 40.0 + 5.0 * (row - 24) : -1.0;
}

static void print_head(int group_count, const char *unit)
{
    printf("\nsteady speeds on a level road at constant throttle%s\n",
           group_count > 1 ? "; left: default interpretation, right: as printed" : "");
    printf("%-9s", "throttle");
    for (int g = 0; g < group_count; g++)
        printf("  %8s %8s %8s %8s", "speed", "engine", "force", "fuel");
    printf("\n%-9s", unit);
    for (int g = 0; g < group_count; g++)
        printf("  %8s %8s %8s %8s", "m/s", "rpm", "N", "g/km");
    printf("\n");
}

static mc_status print_speeds(const request *r, reading *groups, int group_count, bool by_angle,
                              mc_error *error)
{
    enum { SHARES = 20 };
    print_head(group_count, by_angle ? "deg" : "-");
    for (int row = 0; by_angle ? angle_at(row) >= 0.0 : row <= SHARES; row++) {
        const double value = by_angle ? angle_at(row) : (double)row / SHARES;
        int lines = 1;
        for (int g = 0; g < group_count; g++) {
            const mc_status status =
                find_speeds(r, &groups[g], by_angle ? (value - 3.0) / (85.0 - 3.0) : value, error);
            if (status != MC_OK)
                return status;
            lines = groups[g].count > lines ? groups[g].count : lines;
        }
        for (int k = 0; k < lines; k++) {
            printf("%-9g", value);
            for (int g = 0; g < group_count; g++)
                print_speed(&groups[g], k);
            printf("\n");
        }
    }
    return MC_OK;
}

static mc_status print_card(request *r, mc_error *error)
{
    mc_powertrain p;
    if (!mc_powertrain_find(r->name, &p)) { // the library names those there are
        int none;
        return mc_powertrain_steady_speeds(r->name, NULL, 0.0, NULL, 0, &none, error);
    }
    // Angles begin at 3 degrees: the idle stop is put there unless the user says where.
    const bool by_angle = has_param(&p, "idle_angle") && !is_set(r, "idle_angle");
    const bool both = has_param(&p, "as_printed") && !is_set(r, "as_printed");
    int count = r->set.count;
    if (by_angle)
        r->set.names[count] = "idle_angle", r->set.values[count] = 3.0, count++;
    reading groups[2] = {{.set = {r->set.names, r->set.values, count}}};
    if (both) {
        r->set.names[count] = "as_printed", r->set.values[count] = 1.0;
        groups[1].set = (mc_powertrain_set){r->set.names, r->set.values, count + 1};
    }
    const mc_status status = find_speeds(r, &groups[0], 0.0, error); // wrong values first
    if (status != MC_OK)
        return status;
    print_params(&p);
    return print_speeds(r, groups, both ? 2 : 1, by_angle, error);
}

int cli_powertrain(int argc, char **argv)
{
    const char *const program = "motorcade powertrain";
    request r = {0};
    mc_error error;
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        printf(
            "usage: motorcade powertrain [NAME] [OPTIONS]\n\n"
            "Lists the powertrains of cars; with a name, its parameters and the steady speeds of\n"
            "the default car. docs/powertrain.md has the equations.\n\n");
        cli_print_options(options);
        return 0;
    }
    if (!r.name && r.set.count == 0) {
        print_list();
        return 0;
    }
    if (!r.name) {
        mc_error_set(
            &error, MC_BAD_INPUT, NULL, 0, 0,
            "option --set needs the name of a powertrain; `motorcade powertrain` lists them");
        return cli_fail(program, &error);
    }
    return print_card(&r, &error) == MC_OK ? 0 : cli_fail(program, &error);
}
