// main.c - motorcade-mpi: commands that run on several processes, started by mpirun.
//
// A program of its own, so that `motorcade` needs no MPI.
#include "mpi/commands.h"

#include "base/text.h"
#include "motorcade/version.h"

#include <mpi.h>

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    mpi_command *run;
    const char *doc;
} commands[] = {
    {"sweep", mpi_sweep, "simulate a scenario over a range of parameter values"},
    {"run", mpi_run, "simulate a scenario of many cars, each process a stretch of the road"},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(FILE *out)
{
    fprintf(out,
            "motorcade-mpi %s - ground-vehicle dynamics on several processes\n\n"
            "usage: mpirun -n N motorcade-mpi COMMAND [OPTIONS]\n\n",
            mc_version());
    for (int k = 0; k < COMMAND_COUNT; k++)
        fprintf(out, "  %-12s %s\n", commands[k].name, commands[k].doc);
    fprintf(out, "\n`motorcade-mpi COMMAND -h` explains one command. docs/clusters.md explains.\n");
}

static mpi_command *find(const char *word)
{
    const char *names[COMMAND_COUNT];
    for (int k = 0; k < COMMAND_COUNT; k++) {
        names[k] = commands[k].name;
        if (strcmp(word, names[k]) == 0)
            return commands[k].run;
    }
    const char *near = text_nearest(word, names, COMMAND_COUNT);
    fprintf(stderr,
            "motorcade-mpi: unknown command \"%s\"%s%s; `motorcade-mpi --help` lists them\n", word,
            near ? ", did you mean " : "", near ? near : "");
    return NULL;
}

static bool wants_help(int argc, char **argv)
{
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], "-h") == 0 || strcmp(argv[k], "--help") == 0)
            return true;
    return false;
}

static int run(mpi_command *command, int argc, char **argv)
{
    mpi_ranks ranks;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
    int code = 2;
    if (provided >= MPI_THREAD_SERIALIZED)
        code = command(argc - 1, argv + 1, &ranks);
    else if (ranks.rank == 0)
        fprintf(stderr, "motorcade-mpi: this MPI does not support threads "
                        "(MPI_THREAD_SERIALIZED is needed)\n");
    fflush(stdout);
    MPI_Finalize();
    return code;
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); // a file beyond `ulimit -f` is an error of the write, as a full disk
    if (argc < 2 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0) {
        print_help(argc < 2 ? stderr : stdout);
        return argc < 2 ? 2 : 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("motorcade-mpi %s\n", mc_version());
        return 0;
    }
    mpi_command *command = find(argv[1]);
    if (!command)
        return 2;
    if (wants_help(argc - 1, argv + 1))
        return command(argc - 1, argv + 1, &(mpi_ranks){0, 0});
    return run(command, argc, argv);
}
