// main.c - `motorcade COMMAND ...`, and the programs of the reports when called by their own names.
#include "base/text.h"
#include "cli/commands.h"
#include "motorcade/version.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    cli_command *run;
    const char *doc;
} commands[] = {
    {"studio", cli_studio, "watch, pause, rewind and drive a scenario in a browser"},
    {"run", cli_run, "simulate a scenario (SCENARIO.yaml): platoon control, collisions"},
    {"sweep", cli_sweep, "simulate a scenario over a range of parameter values"},
    {"medusa", cli_medusa,
     "simulate deformable vehicles and their collisions (model.dat, platoon.dat)"},
    {"check", cli_check,
     "check a scenario (SCENARIO.yaml) or a mechanism (MODEL.yaml) without running it"},
    {"concept", cli_concept, "masses, graphs and mechanism of a vehicle concept (CONCEPT.yaml)"},
    {"rig", cli_rig, "a suspension of a concept over travel or steering: camber, toe, rates"},
    {"simulate", cli_simulate,
     "simulate a mechanism (MODEL.yaml) over time, plot named quantities"},
    {"kinematics", cli_kinematics,
     "positions, rates and loads of a mechanism along a prescribed motion"},
    {"inverse", cli_inverse, "loads that make a mechanism move as prescribed"},
    {"derive", cli_derive, "write a mechanism's equations of motion as C or Fortran"},
    {"fmu", cli_fmu, "write a mechanism or a scenario as an FMU (FMI 3.0, 2.0) for other tools"},
    {"accel", cli_accel, "accelerations of a mechanism for states from a table"},
    {"linearize", cli_linearize, "A, B, eigenvalues, damping and mode shapes of a mechanism"},
    {"equilibrium", cli_equilibrium,
     "solve for the rest position of a model (model.dat, MODEL.yaml)"},
    {"picture", cli_picture, "draw an instant of a results file in three dimensions, as PNG"},
    {"analyse", cli_analyse,
     "analyses of mechanisms and results: mass, modes, spectrum, transfer, comfort ..."},
    {"spectrum", cli_spectrum,
     "spectrum of a column (run.h5, CSV) or of a mechanism's free motion"},
    {"transfer", cli_transfer, "transfer function of a mechanism by a standard excitation"},
    {"linearity", cli_linearity, "whether a mechanism is linear, and where that ends"},
    {"comfort", cli_comfort, "ISO 2631 weighted acceleration of columns (run.h5, CSV, MODEL.yaml)"},
    {"report", cli_report,
     "a run (run.h5) as an HTML page or a PDF: what happened, figures, plots"},
    {"plot", cli_plot, "quantities of a run (run.h5) as SVG, PNG or CSV"},
    {"road", cli_road, "what a road (.xodr, .crg, SCENARIO.yaml) consists of; plan view as SVG"},
    {"convert", cli_convert,
     "files of SUMO, CommonRoad, OpenSCENARIO, OpenDRIVE, OpenCRG in and out"},
    {"dynavis", cli_dynavis, "read, check and convert DYNAVIS files"},
    {"dynavis1", cli_dynavis1, "the studio, called as DYNAVIS version 1: DATA PARAM"},
    {"dynavis2", cli_dynavis2, "the studio, called as DYNAVIS version 2: -n, -f, -p ..."},
    {"dynavisiden", cli_dynavisiden, "the studio on the mass identification bench"},
    {"dynavis-gas", cli_dynavis_gas, "the studio on the gas mileage bench"},
    {"demo", cli_demo, "the studio on demonstration N of the DYNAVIS report: demo V N"},
    {"laws", cli_laws, "control laws for platoons: equations, parameters, sources"},
    {"powertrain", cli_powertrain, "powertrains of cars: parameters and steady speeds"},
    {"tyre", cli_tyre, "tyre laws and files (.tir): parameters, stiffness, peaks, curves"},
    {"stability", cli_stability, "string stability: whether a disturbance grows from car to car"},
    {"manoeuvre", cli_manoeuvre,
     "standard manoeuvres: lane changes, circle, step, sine with dwell; figures"},
    {"verify", cli_verify, "run the published benchmarks and compare digit by digit"},
    {"identify", cli_identify, "identify the mass of a car while it brakes (four-car bench)"},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

// The programs of the reports; `make install` links these names (cmake/package.cmake).
static const char *const programs[] = {"medusa", "dynavis1", "dynavis2", "dynavisiden",
                                       "dynavis-gas"};

static void print_help(FILE *out)
{
    fprintf(out,
            "motorcade %s - ground-vehicle dynamics\n\n"
            "usage: motorcade COMMAND [OPTIONS]\n\n",
            mc_version());
    for (int k = 0; k < COMMAND_COUNT; k++)
        fprintf(out, "  %-12s %s\n", commands[k].name, commands[k].doc);
    fprintf(out, "\n`motorcade COMMAND -h` explains one command; `motorcade --version` prints the "
                 "version.\n");
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

static int run_command(const char *name, int argc, char **argv)
{
    for (int k = 0; k < COMMAND_COUNT; k++)
        if (strcmp(name, commands[k].name) == 0)
            return commands[k].run(argc, argv);
    return unknown_command(name);
}

// `motorcade help run` is `motorcade run -h`.
static int help_on(const char *name)
{
    char help[] = "-h", command[32];
    snprintf(command, sizeof command, "%s", name);
    return run_command(name, 2, (char *[]){command, help, NULL});
}

static int run(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const char *called = slash ? slash + 1 : argc > 0 ? argv[0] : "motorcade";
    for (size_t k = 0; k < sizeof programs / sizeof programs[0]; k++)
        if (strcmp(called, programs[k]) == 0)
            return run_command(called, argc, argv);
    if (argc < 2) {
        print_help(stderr);
        return 2;
    }
    if (strcmp(argv[1], "help") == 0 && argc > 2)
        return help_on(argv[2]);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0 ||
        strcmp(argv[1], "version") == 0) {
        printf("motorcade %s\n", mc_version());
        return 0;
    }
    return run_command(argv[1], argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); // a file beyond `ulimit -f` is an error of the write, as a full disk
    const int code = run(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr, "motorcade: cannot write to standard output: %s\n", strerror(errno));
    return code ? code : 1;
}
