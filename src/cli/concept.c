// concept.c - `motorcade concept FILE`: masses, graph, checks and mechanism of a vehicle concept.
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/concept.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "motorcade concept";
static const double degree = 3.14159265358979323846 / 180.0;

typedef struct request {
    const char *file, *graph, *only, *cut, *axle, *terrain, *target, *brake;
    cli_words open, motion;
    double repeat, step, speed;
    bool mass, parts, check, mechanism, vehicle, wheels, ride, kinds, help;
} request;

static const cli_option options[] = {
    {0, "mass", NULL, "dimensions, masses of assemblies, bodies and the vehicle, axle loads",
     CLI_TO(mass)},
    {0, "parts", NULL, "masses of all parts", CLI_TO(parts)},
    {0, "graph", "FILE", "draw the graphs of parts and of bodies as SVG", CLI_TO(graph)},
    {0, "check", NULL, "look for what is readable but unlikely; exit code 2 if anything is found",
     CLI_TO(check)},
    {0, "mechanism", NULL, "print the derived mechanism (YAML)", CLI_TO(mechanism)},
    {0, "vehicle", NULL, "... without tyre springs, as scenarios use it", CLI_TO(vehicle)},
    {0, "wheels", NULL, "... with wheels on the ground instead of tyre springs", CLI_TO(wheels)},
    {0, "ride", NULL, "... with wheels, from equilibrium, rolling: a run for both engines",
     CLI_TO(ride)},
    {0, "speed", "V", "ride: speed at the start [m/s] (default: 0)", CLI_WITHIN(speed, 0, 200)},
    {0, "target", "FORMULA", "ride: speed of the driven wheels [m/s] by t (default: --speed)",
     CLI_TO(target)},
    {0, "brake", "FORMULA", "ride: share of the brakes, 0 to 1, by t", CLI_TO(brake)},
    {0, "terrain", "FILE",
     "ride: the ground, \"motorcade: terrain\" (default: the bumps of its road)", CLI_TO(terrain)},
    {0, "only", "ASSEMBLY", "... of one assembly", CLI_TO(only)},
    {0, "cut", "HOW", "... the rest of which is: ground (default), free or motion", CLI_TO(cut)},
    {0, "motion", "NAME=FORMULA", "... cut motion: chassis.tz=0.01*sin(20*t); may be repeated",
     CLI_WITHIN(motion, 0, 64)},
    {0, "repeat", "SECONDS", "... run the vehicle, drive the assembly by it, compare",
     CLI_WITHIN(repeat, 0.001, 1000)},
    {0, "step", "SECONDS", "... recorded in rows this far apart (default: 0.00025)",
     CLI_WITHIN(step, 1e-6, 1)},
    {0, "axle", "NAME", "... of one axle, its chassis fixed", CLI_TO(axle)},
    {0, "open", "NAME", "... with this closure open; may be repeated", CLI_WITHIN(open, 0, 32)},
    {0, "kinds", NULL, "list kinds of connections, suspension templates and their hardpoints",
     CLI_TO(kinds)},
    CLI_HELP,
    CLI_ONE_WORD(file, "only one concept file is expected: found \"%s\" after \"%s\""),
};

static void print_help(void)
{
    printf("usage: motorcade concept FILE.yaml [OPTIONS]\n\n"
           "What follows from an arrangement of parts: dimensions, masses, graphs, and the\n"
           "mechanism that simulate, linearize, equilibrium and scenarios use. Without options\n"
           "it prints --mass.\n\n");
    cli_print_options(options);
}

static void print_line(const mc_concept_mass *m)
{
    printf("%-22s %10.3f %9.4f %9.4f %9.4f %10.2f %10.2f %10.2f %9.2f %9.2f %9.2f\n", m->name,
           m->mass, m->centre[0], m->centre[1], m->centre[2], m->inertia[0], m->inertia[1],
           m->inertia[2], m->inertia[3], m->inertia[4], m->inertia[5]);
}

static void print_head(const char *what)
{
    printf("\n%-22s %10s %9s %9s %9s %10s %10s %10s %9s %9s %9s\n", what, "mass kg", "x m", "y m",
           "z m", "Ixx kg m2", "Iyy", "Izz", "Ixy", "Ixz", "Iyz");
}

static void print_dimensions(const mc_concept *c)
{
    mc_concept_dimensions d;
    mc_concept_measure(c, &d);
    printf("length %.3f m, width %.3f m, height %.3f m, clearance %.3f m\n", d.length, d.width,
           d.height, d.clearance);
    if (d.axle_count > 1)
        printf("wheelbase %.3f m", d.wheelbase);
    if (d.axle_count > 0)
        printf("%sapproach %.1f deg, departure %.1f deg", d.axle_count > 1 ? ", " : "",
               d.approach / degree, d.departure / degree);
    if (d.axle_count > 1)
        printf(", break-over %.1f deg", d.break_over / degree);
    printf("%sfrontal area %.2f m2, panel area %.2f m2\n", d.axle_count > 0 ? "\n" : "",
           d.frontal_area, d.panel_area);
}

// A concept may have no loads (yet), which the table says; fails only for want of memory.
static mc_status print_axles(const mc_concept *c, mc_error *error)
{
    mc_concept_dimensions d;
    mc_concept_loads loads;
    mc_concept_measure(c, &d);
    if (d.axle_count == 0)
        return MC_OK;
    const mc_status status = mc_concept_stand(c, &loads, error);
    if (status == MC_NO_MEMORY)
        return status;
    double sum = 0.0;
    for (int k = 0; k < d.axle_count && status == MC_OK; k++)
        sum += loads.load[k];
    printf("\n%-22s %10s %9s %9s %12s %9s\n", "axle", "x m", "track m", "radius m", "load N",
           "share %");
    for (int k = 0; k < d.axle_count; k++) {
        printf("%-22s %10.4f %9.4f %9.4f", d.axle[k].name, d.axle[k].x, d.axle[k].track,
               d.axle[k].radius);
        if (status == MC_OK)
            printf(" %12.2f %9.2f", loads.load[k], 100.0 * loads.load[k] / sum);
        printf("%s%s\n", d.axle[k].driven ? " driven" : "", d.axle[k].steered ? " steered" : "");
    }
    if (status == MC_OK)
        printf("%s\n", loads.settled ? "loads in equilibrium on the tyres"
                                     : "loads from the mass centre as drawn");
    else
        printf("no loads: %s\n", error->text);
    return MC_OK;
}

static mc_status print_masses(const mc_concept *c, bool parts, mc_error *error)
{
    mc_concept_mass m;
    printf("%s\n", mc_concept_name(c));
    print_dimensions(c);
    if (parts) {
        print_head("part");
        for (int i = 0; mc_concept_part(c, i, &m); i++)
            print_line(&m);
    }
    print_head("assembly");
    for (int i = 0; mc_concept_assembly(c, i, &m); i++)
        print_line(&m);
    print_head("body");
    for (int i = 0; mc_concept_body(c, i, &m); i++)
        print_line(&m);
    mc_concept_whole(c, &m);
    print_head("vehicle");
    print_line(&m);
    return print_axles(c, error);
}

static void print_finding(void *context, const char *text)
{
    (void)context;
    printf("%s\n", text);
}

static mc_status print_mechanism(const request *r, const mc_concept *c, mc_error *error)
{
    static const char *const cuts[] = {"ground", "free", "motion"};
    mc_concept_options o = {.vehicle = r->vehicle,
                            .wheels = r->wheels,
                            .only = r->only,
                            .axle = r->axle,
                            .open = r->open.word,
                            .open_count = r->open.count,
                            .motion = r->motion.word,
                            .motion_count = r->motion.count};
    int cut = 0;
    while (r->cut && cut < 3 && strcmp(cuts[cut], r->cut) != 0)
        cut++;
    if (cut == 3)
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "option --cut: found \"%s\", expected ground, free or motion", r->cut);
    o.cut = (mc_concept_cut)cut;
    const mc_concept_ride ride = {r->speed, r->target, r->brake, r->terrain};
    char *text =
        r->ride ? mc_concept_ride_mechanism(c, &ride, error) : mc_concept_mechanism(c, &o, error);
    if (!text)
        return error->code;
    fputs(text, stdout);
    free(text);
    return MC_OK;
}

static mc_status repeat(const request *r, const mc_concept *c, mc_error *error)
{
    mc_concept_repeat_report report;
    const mc_status status = mc_concept_repeat(c, r->only ? r->only : "", r->repeat,
                                               r->step > 0.0 ? r->step : 2.5e-4, &report, error);
    if (status == MC_OK)
        printf("%s driven by the rest of the vehicle: %d rows, %d coordinates; %s differs by at "
               "most %.1e and moves by %.3g\n",
               r->only, report.row_count, report.coordinate_count, report.worst, report.largest,
               report.moved);
    return status;
}

static void print_kinds(void)
{
    mc_concept_template t;
    const char *name, *doc;
    for (int i = 0; mc_concept_connection_kind_at(i, &name, &doc); i++)
        printf("%-20s %s\n", name, doc);
    for (int i = 0; mc_concept_template_at(i, &t); i++) {
        bool needed;
        printf("\n%s: %s\n", t.name, t.doc);
        for (int k = 0; mc_concept_hardpoint_at(i, k, &name, &doc, &needed); k++)
            printf("  %-18s %s%s\n", name, doc, needed ? "" : " (optional)");
    }
}

static int run(const request *r)
{
    mc_error error;
    if (!r->file) {
        mc_error_set(&error, MC_BAD_INPUT, NULL, 0, 0,
                     "no file given; expected motorcade concept FILE.yaml");
        return cli_fail(program, &error);
    }
    mc_concept *c = mc_concept_load(r->file, &error);
    if (!c)
        return cli_fail(program, &error);
    mc_status status = MC_OK;
    int findings = 0;
    if (r->repeat > 0.0)
        status = repeat(r, c, &error);
    else if (r->mechanism || r->vehicle || r->wheels || r->ride || r->only || r->axle)
        status = print_mechanism(r, c, &error);
    if (status == MC_OK && r->graph)
        status = mc_concept_draw_graph(c, r->graph, &error);
    if (status == MC_OK && r->check) {
        findings = mc_concept_lint(c, print_finding, NULL);
        printf("%s: %d finding%s\n", r->file, findings, findings == 1 ? "" : "s");
    }
    const bool other = r->repeat > 0.0 || r->mechanism || r->vehicle || r->wheels || r->ride ||
                       r->only || r->axle || r->graph || r->check;
    if (status == MC_OK && (r->mass || r->parts || !other))
        status = print_masses(c, r->parts, &error);
    mc_concept_free(c);
    return status != MC_OK ? cli_fail(program, &error) : findings ? 2 : 0;
}

int cli_concept(int argc, char **argv)
{
    static request r; // too large for a stack
    mc_error error;
    r = (request){0};
    if (cli_read(argc, argv, options, &r, &error) != MC_OK)
        return cli_fail(program, &error);
    if (r.help) {
        print_help();
        return 0;
    }
    if (r.kinds) {
        print_kinds();
        return 0;
    }
    return run(&r);
}
