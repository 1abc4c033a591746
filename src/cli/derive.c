// derive.c - `motorcade derive`.
#include "cli/commands.h"

int cli_derive(int argc, char **argv)
{
    (void)argc, (void)argv;
    return 1;
}
