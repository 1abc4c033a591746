// accel.c - `motorcade accel`.
#include "cli/commands.h"

int cli_accel(int argc, char **argv)
{
    (void)argc, (void)argv;
    return 1;
}
