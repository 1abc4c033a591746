// simulate.c - `motorcade simulate`.
#include "cli/commands.h"

int cli_simulate(int argc, char **argv)
{
    (void)argc, (void)argv;
    return 1;
}
