// read.h - the content of a request, checked: a value of the wrong kind or out of range is rejected
// with its name and what is expected.
//
// On the thread that has the request. False: it was rejected.
#pragma once

#include "studio/hub/change.h"

// A fallback of NAN: the number is needed.
bool read_number(request *r, const char *name, double min, double max, double fallback,
                 double *out);
bool read_optional(request *r, const char *name, double min, double max, double *out); // NAN: none
bool read_flag(request *r, const char *name, bool fallback, bool *out);
// fallback NULL: needed. The text lives as long as the request.
bool read_text(request *r, const char *name, size_t max, const char *fallback, const char **out);
bool read_fields(request *r, uint32_t fallback, uint32_t *mask); // of frames

bool read_branch(request *r, branch **out); // held; `world`, default 0
// `worlds`: a list of numbers, or all. held; at most MAX_BRANCHES.
bool read_branches(request *r, branch **out, int *count);

// `world` and `at`, and begins a change there (change.h); text says what is done. Of the simulation
// thread; false: rejected, or r->again.
bool read_change(request *r, const char *text, change *out);
// One command of the log, from the request to its answer (command.c); text says what it does.
void request_command(request *r, const log_entry *entry, const char *text);
