// studio_absent.c - the commands that open the studio, where the build has none
// (MOTORCADE_STUDIO=OFF).
#include "cli/commands.h"
#include "cli/options.h"
#include "motorcade/studio.h"

#include <stdio.h>

static int reject(const char *command)
{
    const mc_studio_options options = mc_studio_defaults();
    char program[64];
    mc_error error;
    snprintf(program, sizeof program, "motorcade %s", command);
    mc_studio_create(&options, &error); // has the words
    return cli_fail(program, &error);
}

#define REJECT(command)                                                                            \
    int command(int argc, char **argv)                                                             \
    {                                                                                              \
        (void)argc;                                                                                \
        return reject(argv[0]);                                                                    \
    }

REJECT(cli_studio)
REJECT(cli_demo)
REJECT(cli_dynavis1)
REJECT(cli_dynavis2)
REJECT(cli_dynavisiden)
REJECT(cli_dynavis_gas)
