// instance.h - an instance of a unit: the state machine that FMI 2.0 and 3.0 share.
//
// Both versions say alike when a function may be called, what it answers, and what follows; what
// differs is how values are passed. fmi2.c and fmi3.c convert, everything else is here. A call
// that is not allowed is answered FMI_ERROR and logged with the state it came in.
#pragma once

#include "fmu/model.h"

typedef enum fmi_status { FMI_OK, FMI_WARNING, FMI_DISCARD, FMI_ERROR, FMI_FATAL } fmi_status;

typedef enum fmi_mode { // bits
    FMI_INSTANTIATED = 1,
    FMI_INITIALIZATION = 2,
    FMI_EVENT = 4,
    FMI_CONTINUOUS = 8,
    FMI_STEP = 16,
    FMI_TERMINATED = 32,
    FMI_FAILED = 64,
} fmi_mode;

typedef struct instance instance;
typedef void fmi_log(instance *n, fmi_status status, const char *category, const char *text);

struct instance {
    fmu_model *model;
    fmu_settings settings;
    char *folder, *name;
    fmi_mode mode;
    bool exchange; // otherwise co-simulation
    bool logging;
    double start, time;
    fmi_log *log;
    void *environment, *logger; // of the version
};

typedef struct fmi_saved { // a state of an instance
    fmi_mode mode;
    double start, time;
    bytes model;
} fmi_saved;

// NULL: nothing could be opened; the reason was logged. folder: resources.
instance *instance_create(const char *name, const char *token, const char *folder, bool exchange,
                          bool logging, fmi_log *log, void *environment, void *logger);
void instance_free(instance *n); // NULL is allowed
fmi_status instance_reset(instance *n);

bool instance_allows(instance *n, const char *function, int modes);
fmi_status instance_fail(instance *n, fmi_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

fmi_status instance_enter_initialization(instance *n, double start);
fmi_status instance_exit_initialization(instance *n);
fmi_status instance_change(instance *n, const char *function, int from, fmi_mode to);
fmi_status instance_step(instance *n, double t, double h);
fmi_status instance_event(instance *n, bool *states_changed);

// Values of reals and booleans.
fmi_status instance_get(instance *n, unsigned reference, bool boolean, double *value);
fmi_status instance_set(instance *n, unsigned reference, bool boolean, double value);
fmi_status instance_directional(instance *n, const unsigned *unknown, size_t unknown_count,
                                const unsigned *known, size_t known_count, const double *seed,
                                double *sensitivity);
// Model exchange; count must be that of the model.
fmi_status instance_states(instance *n, const char *function, int modes, size_t count);

fmi_saved *instance_save(instance *n);
fmi_status instance_restore(instance *n, const fmi_saved *s);
void instance_forget(fmi_saved *s);
size_t instance_packed_size(const fmi_saved *s);
fmi_status instance_pack(instance *n, const fmi_saved *s, void *out, size_t size);
fmi_saved *instance_unpack(instance *n, const void *data, size_t size);
