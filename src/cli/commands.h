// commands.h - the subcommands; main.c lists them.
#pragma once

// argv[0] is the name the command was called by, for messages.
typedef int cli_command(int argc, char **argv);

cli_command cli_accel;
cli_command cli_analyse;
cli_command cli_check;
cli_command cli_concept;
cli_command cli_comfort;
cli_command cli_convert;
cli_command cli_demo;
cli_command cli_derive;
cli_command cli_dynavis;
cli_command cli_dynavis1;
cli_command cli_dynavis2;
cli_command cli_dynavis_gas;
cli_command cli_dynavisiden;
cli_command cli_equilibrium;
cli_command cli_fmu;
cli_command cli_identify;
cli_command cli_inverse;
cli_command cli_kinematics;
cli_command cli_laws;
cli_command cli_linearity;
cli_command cli_linearize;
cli_command cli_manoeuvre;
cli_command cli_medusa;
cli_command cli_picture;
cli_command cli_plot;
cli_command cli_powertrain;
cli_command cli_report;
cli_command cli_rig;
cli_command cli_road;
cli_command cli_run;
cli_command cli_simulate;
cli_command cli_spectrum;
cli_command cli_stability;
cli_command cli_stability_steering; // of `stability --steering`
cli_command cli_studio;
cli_command cli_sweep;
cli_command cli_sweep_model; // of a mechanism
cli_command cli_transfer;
cli_command cli_tyre;
cli_command cli_verify;
