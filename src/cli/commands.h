// commands.h - the subcommands; main.c lists them.
#pragma once

// argv[0] is the name the command was called by, for messages.
typedef int cli_command(int argc, char **argv);

cli_command cli_medusa, cli_equilibrium, cli_derive, cli_simulate, cli_accel, cli_linearize,
    cli_verify;
