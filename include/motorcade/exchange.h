// exchange.h - files of other programs: roads and traffic read into a scenario, motion written out.
//
//     mc_exchange *e = mc_exchange_read("town.net.xml", NULL, &error);
//     if (!e)
//         return error.code;                          // file, line, column and what is wrong
//     int line;
//     const char *file, *text;
//     for (int k = 0; mc_exchange_note(e, k, &file, &line, &text); k++)
//         printf("%s:%d: %s\n", file, line, text);    // what was not read, or changed
//     puts(mc_exchange_text(e));                      // of a scenario, for mc_scenario_parse
//     mc_exchange_free(e);
//
// Read are SUMO networks with routes, CommonRoad scenarios and OpenSCENARIO files. The result is
// the text of a scenario (docs/scenarios.md), to be run, edited or kept. docs/exchange.md says what
// is read of each format.
//
// Threads: what was read never changes; any number of threads may use it.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

#include "motorcade/begin.h"

typedef struct mc_exchange mc_exchange;

typedef struct mc_exchange_options {
    const char *format;  // a word of mc_exchange_format_at; NULL: by the contents
    const char *routes;  // SUMO: file with routes; NULL: none, or that of the configuration
    const char *through; // id of an edge (SUMO) or lanelet (CommonRoad) that the road contains
    const char *folder;  // of the scenario, from which it names other files; NULL: the file's own
    double end;          // s, of the run; 0: as in the file
} mc_exchange_options;

// Whether a file is of one of these formats; files that cannot be read are not.
bool mc_exchange_knows(const char *path);

// options may be NULL. NULL: see *error.
mc_exchange *mc_exchange_read(const char *path, const mc_exchange_options *options,
                              mc_error *error);
void mc_exchange_free(mc_exchange *e); // NULL: nothing to do

const char *mc_exchange_text(const mc_exchange *e);   // of the scenario
size_t mc_exchange_size(const mc_exchange *e);        // bytes of it
const char *mc_exchange_format(const mc_exchange *e); // "SUMO", ...
// What was left out or changed; line 0: it has none. false: past the last.
bool mc_exchange_note(const mc_exchange *e, int index, const char **file, int *line,
                      const char **text);

typedef struct mc_exchange_format_info {
    const char *name, *word, *ending, *doc;
} mc_exchange_format_info;
bool mc_exchange_format_at(int index, mc_exchange_format_info *out); // false: past the last

// The motion of a recording (replay.h: results, CSV, DYNAVIS data) as floating car data: the XML of
// SUMO's --fcd-output, or its CSV with the same columns. every: s, between rows; 0: all of them.
typedef enum mc_fcd_form { MC_FCD_XML, MC_FCD_CSV } mc_fcd_form;
mc_status mc_fcd_write(const char *recording, const char *path, mc_fcd_form form, double every,
                       mc_error *error);

#include "motorcade/end.h"
