// commands.h - the commands of motorcade-mpi; main.c lists them.
#pragma once

typedef struct mpi_ranks {
    int rank, count; // count 0: without MPI, only to print help
} mpi_ranks;

// argv[0] is the name of the command. Returns the exit code; only that of rank 0 counts.
typedef int mpi_command(int argc, char **argv, const mpi_ranks *ranks);

mpi_command mpi_run;
mpi_command mpi_sweep;
