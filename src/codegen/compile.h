// compile.h - starts the C compiler on files of a folder, without a shell, and waits for it.
#pragma once

#include "base/cpu.h"
#include "motorcade/status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { COMPILE_PATH_MAX = 3000 };

// The compiler named by MOTORCADE_CC, else the first of clang, gcc, cc that is found along PATH.
// identity: its real path, size and date, one line; a changed compiler has another one. False:
// none, with the reason in *error.
typedef struct compile_tool {
    char path[COMPILE_PATH_MAX];
    char identity[COMPILE_PATH_MAX + 100];
} compile_tool;
bool compile_find(compile_tool *tool, mc_error *error);

// The options of a level as one line, for keys. wide: with AVX-512.
const char *compile_options(cpu_level level, bool wide);

// Says a compilation that it should end. Made by the one who starts it; may be set by any thread.
typedef struct compile_stop {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool stop;
} compile_stop;
bool compile_stop_create(compile_stop *s);
void compile_stop_destroy(compile_stop *s);
void compile_stop_set(compile_stop *s);

// Compiles files names[i] (in folder) to kernel.so there; options: of compile_options(). parallel:
// each by a process of its own, then linked. MC_INTERRUPTED: stopped; MC_FAILED: the compiler
// failed, with its first message. All processes it started have ended when it returns.
mc_status compile_run(const compile_tool *tool, const char *options, const char *folder,
                      const char *const *names, int name_count, bool parallel, compile_stop *stop,
                      mc_error *error);
