// run.h - a real program on real files: a fresh folder, a time limit, everything captured.
//
//     run_folder f = run_folder_make();
//     run_copy(&f, "model.dat", SOURCE_DIR "/scenarios/medusa/model.dat");
//     run_result r = run(&f, MOTORCADE_BINARY, "medusa -t1 -e");
//     assert_int_equal(r.code, 0);
//     run_result_free(&r);
//     run_folder_remove(&f);
//
// What goes wrong here (no folder, no program, time over) fails the test that called.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// ---- folders -----------------------------------------------------------------------------------

typedef struct run_folder {
    char path[64]; // absolute
} run_folder;

run_folder run_folder_make(void);
void run_folder_remove(const run_folder *folder); // with all it holds

// Names are relative to the folder.
void run_put(const run_folder *folder, const char *name, const char *text);
void run_put_bytes(const run_folder *folder, const char *name, const void *bytes, size_t size);
void run_copy(const run_folder *folder, const char *name, const char *source);
char *run_get(const run_folder *folder, const char *name, size_t *size); // to be freed; '\0' ended
bool run_exists(const run_folder *folder, const char *name);

// The time of change of everything in the folder, and of the folder, becomes one long ago.
void run_age(const run_folder *folder);

// One line a thing in the folder and below it, sorted: name, mode, size, inode, time of change.
// with_folders: the times of the folders too, which change when a file comes and goes.
char *run_listing(const run_folder *folder, bool with_folders); // to be freed

// ---- programs ----------------------------------------------------------------------------------

#define RUN_SECONDS 60.0 // until a program is killed and the test fails

typedef struct run_result {
    int code;        // exit code; -1 when ended by a signal
    int signal;      // 0 when it ended by itself
    char *out, *err; // '\0' ended
    size_t out_size, err_size;
} run_result;

// Runs program in the folder. arguments are split at blanks; '' is an empty one. The program gets
// no input, and no right of a superuser to pass over the modes of files.
run_result run(const run_folder *folder, const char *program, const char *arguments);
void run_result_free(run_result *result);

// The same in two parts, for a test that observes or ends the running program.
typedef struct run_process {
    pid_t id;
    int out, err; // files in memory
} run_process;

run_process run_start(const run_folder *folder, const char *program, const char *arguments);
run_result run_wait(run_process *process);
bool run_is_over(const run_process *process); // and waits to be waited for

double run_clock(void); // s, monotonic
void run_sleep(double seconds);

// ---- tables of numbers -------------------------------------------------------------------------

typedef struct run_table {
    char *text;
    char **token; // as written, row by row
    double *value;
    int row_count, column_count;
} run_table;

// data.asc and the like: rows of equally many numbers with one blank between them, each row ended
// by a newline. Anything else fails the test.
run_table run_table_read(const run_folder *folder, const char *name);

// The valid rows of a table of a results file (hdf5/results.h), vehicle by vehicle; token is NULL.
// A plain HDF5 reader that knows nothing of how the file came to be.
run_table run_table_hdf5(const run_folder *folder, const char *file, const char *name);

void run_table_free(run_table *table);
double run_at(const run_table *table, int row, int column);         // from 0
const char *run_token(const run_table *table, int row, int column); // from 0

// Attributes of the root of a results file.
long long run_hdf5_integer(const run_folder *folder, const char *file, const char *name);
char *run_hdf5_text(const run_folder *folder, const char *file, const char *name); // to be freed
