// fmi3.h - what co-simulation and model exchange of FMI 3.0 share.
#pragma once

#include "unit/fmi3.h"
#include "unit_host/host.h"

// A function of the unit, with the type of its declaration; NULL, and host_fail: it has none.
#define FIND(h, name) ((__typeof__(&name))host_find((h), #name))

void host_fmi3_log(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                   fmi3String text);
bool host_fmi3_set(host *h, const wire_variable *v, int count, const double *values);
bool host_fmi3_get(host *h, const wire_variable *v, int count, double *values);
// From the start values to the end of initialization.
bool host_fmi3_begin(host *h, double t, const double *starts, const double *inputs);
bool host_fmi3_save(host *h, void **data, size_t *size);
bool host_fmi3_restore(host *h, const void *data, size_t size);
void host_fmi3_close(host *h);
