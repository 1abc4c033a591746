// linearize.c - `motorcade linearize`.
#include "cli/commands.h"

int cli_linearize(int argc, char **argv)
{
    (void)argc, (void)argv;
    return 1;
}
