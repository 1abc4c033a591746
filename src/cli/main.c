// main.c - `motorcade COMMAND ...`, and `medusa ...` when called by that name.
#include "base/text.h"
#include "cli/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    cli_command *run;
    const char *doc;
} commands[] = {
    {"studio", cli_studio, "see, stop, turn back and drive a scenario in a browser"},
    {"run", cli_run, "drive a scenario (SCENARIO.yaml): platoons under control, collisions"},
    {"sweep", cli_sweep, "drive a scenario many times with other values: how much it bears"},
    {"medusa", cli_medusa, "drive and collide deformable vehicles (model.dat, platoon.dat)"},
    {"check", cli_check, "say what is wrong in a scenario (SCENARIO.yaml), without running it"},
    {"simulate", cli_simulate, "run a mechanism (MODEL.yaml) over time, plot what you name"},
    {"derive", cli_derive, "write a mechanism's equations of motion as C or Fortran"},
    {"accel", cli_accel, "accelerations of a mechanism for states from a table"},
    {"linearize", cli_linearize, "A, B, eigenvalues, damping and shapes of a mechanism"},
    {"equilibrium", cli_equilibrium, "solve the rest position of a model (model.dat, MODEL.yaml)"},
    {"report", cli_report, "a run (run.h5) as one HTML page: what happened, figures, plots"},
    {"plot", cli_plot, "quantities of a run (run.h5) as SVG, PNG or CSV"},
    {"dynavis", cli_dynavis, "read, check and convert the files of DYNAVIS"},
    {"dynavis1", cli_dynavis1, "the studio, called as DYNAVIS version 1: DATA PARAM"},
    {"dynavis2", cli_dynavis2, "the studio, called as DYNAVIS version 2: -n, -f, -p ..."},
    {"dynavisiden", cli_dynavisiden, "the studio on the bench of mass identification"},
    {"dynavis-gas", cli_dynavis_gas, "the studio on the bench of gas mileage"},
    {"demo", cli_demo, "the studio on demonstration N of the DYNAVIS report: demo V N"},
    {"laws", cli_laws, "control laws for platoons: equations, parameters, sources"},
    {"powertrain", cli_powertrain, "powertrains of cars: parameters, and the speeds a car keeps"},
    {"stability", cli_stability, "does a disturbance grow from car to car under a law"},
    {"verify", cli_verify, "run the published benchmarks and compare digit by digit"},
    {"identify", cli_identify, "find the mass of a car while it brakes, the four-car bench"},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(FILE *out)
{
    fprintf(out, "motorcade " MOTORCADE_VERSION " - ground-vehicle dynamics\n\n"
                 "usage: motorcade COMMAND [OPTIONS]\n\n");
    for (int k = 0; k < COMMAND_COUNT; k++)
        fprintf(out, "  %-12s %s\n", commands[k].name, commands[k].doc);
    fprintf(out, "\n`motorcade COMMAND -h` explains one command; `motorcade --version` names this "
                 "build.\n");
}

static int unknown_command(const char *word)
{
    const char *names[COMMAND_COUNT];
    for (int k = 0; k < COMMAND_COUNT; k++)
        names[k] = commands[k].name;
    const char *near = text_nearest(word, names, COMMAND_COUNT);
    fprintf(stderr, "motorcade: unknown command \"%s\"%s%s; `motorcade --help` lists them\n", word,
            near ? ", did you mean " : "", near ? near : "");
    return 2;
}

static int run(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *called = slash ? slash + 1 : argc > 0 ? argv[0] : "motorcade";
    if (strcmp(called, "medusa") == 0)
        return cli_medusa(argc, argv);
    if (argc < 2) {
        print_help(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("motorcade " MOTORCADE_VERSION "\n");
        return 0;
    }
    for (int k = 0; k < COMMAND_COUNT; k++)
        if (strcmp(argv[1], commands[k].name) == 0)
            return commands[k].run(argc - 1, argv + 1);
    return unknown_command(argv[1]);
}

int main(int argc, char **argv)
{
    const int code = run(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr, "motorcade: standard output cannot be written: %s\n", strerror(errno));
    return code ? code : 1;
}
