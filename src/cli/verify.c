// verify.c - `motorcade verify`.
#include "cli/commands.h"

int cli_verify(int argc, char **argv)
{
    (void)argc, (void)argv;
    return 1;
}
