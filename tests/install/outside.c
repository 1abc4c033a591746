// outside.c - a program of a user: built by tests/install.py against an installed library.
//
// Its own functions have names that the library has inside. They must neither collide nor be called
// by the library: each ends the program.
#include <motorcade/motorcade.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int phi(int x);
void ask(void);
void pool_run(void);
void world_step(const char *name);
double bytes_put(double x);

int phi(int x)
{
    exit(100 + x);
}

void ask(void)
{
    exit(101);
}

void pool_run(void)
{
    exit(102);
}

void world_step(const char *name)
{
    exit(103 + name[0]);
}

double bytes_put(double x)
{
    exit(104 + (int)x);
}

// Prints version, folder of the shipped scenarios, and the state after one second of a scenario.
int main(int argc, char **argv)
{
    if (argc == 5) // never: but the linker must not drop them
        return phi(argc) + (ask(), pool_run(), world_step(argv[1]), (int)bytes_put(1.0));
    char folder[4096], file[5000];
    mc_error error = {0};
    if (strcmp(mc_version(), MC_VERSION) != 0 || !mc_studio_shipped("", folder, sizeof folder))
        return 1;
    snprintf(file, sizeof file, "%s/hill.yaml", folder);
    mc_scenario *scenario = mc_scenario_load(file, &error);
    mc_run *run = scenario ? mc_run_create(scenario, NULL, &error) : NULL;
    mc_status status = run ? MC_OK : error.code;
    while (status == MC_OK && mc_run_time(run) < 1.0)
        status = mc_run_step(run, &error);
    if (status == MC_OK)
        printf("%s\n%s\n%016llx\n", mc_version(), folder, mc_run_hash(run));
    else
        fprintf(stderr, "%s: %s\n", error.file, error.text);
    mc_run_destroy(run);
    mc_scenario_free(scenario);
    return mc_status_exit_code(status);
}
