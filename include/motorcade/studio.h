// studio.h - the studio: simulations watched, paused, rewound and driven in a browser.
//
//     mc_studio_options o = mc_studio_defaults();
//     o.file = "scenarios/two_gains.yaml";
//     mc_studio *studio = mc_studio_create(&o, &error);  // listens, threads run
//     puts(mc_studio_address(studio));                  // http://127.0.0.1:8080/
//     mc_studio_wait(studio, stop, context, &error);    // until stop() says so
//     mc_studio_destroy(studio);
//
// Threads: the studio runs its own. Functions that take it are called from the thread that started
// it; several studios in one program are independent. A library that was built without the studio
// (MOTORCADE_STUDIO=OFF) rejects a start: MC_BAD_INPUT.
#pragma once

#include "motorcade/status.h"

#include <stdbool.h>
#include <stddef.h>

#include "motorcade/begin.h"

typedef struct mc_studio mc_studio;

typedef struct mc_studio_options { // mc_studio_defaults() fills it
    const char *file;              // scenario or recording; NULL: the shipped example
    const char *with;              // second file: parameters of a DYNAVIS data file; NULL: none
    const char *const *folders;    // files may be opened from here only
    int folder_count;
    const char *address; // default "127.0.0.1"
    int port;            // default 8080; 0: any free one
    const char *token;   // for every request; NULL: none, with another address one is made
    bool read_only;      // pages may look and play, not change
    bool paused;         // wait for a page to press play
    int threads;         // of the simulation; 0: all cores but one
    const char *page;    // folder of the page's files; NULL: those in the program
} mc_studio_options;

mc_studio_options mc_studio_defaults(void);

// Path of a file of the scenarios that came with the program ("": of their folder): from where the
// program or the shared library is installed, in the source tree, or where the build was to be
// installed. False: not found, or too long.
bool mc_studio_shipped(const char *name, char *path, size_t size);

mc_studio *mc_studio_create(const mc_studio_options *options, mc_error *error); // NULL: see *error
const char *mc_studio_address(const mc_studio *studio);
// Serves until stop says true (asked ten times a second), or a failure.
mc_status mc_studio_wait(mc_studio *studio, bool (*stop)(void *context), void *context,
                         mc_error *error);
// Asks what a page that only looks may ask (docs/protocol.md): a request without id. Returns the
// answer in JSON, freed by the caller; NULL: see *error. From the thread that started the studio.
char *mc_studio_ask(mc_studio *studio, const char *request, mc_error *error);

void mc_studio_destroy(mc_studio *studio);

#include "motorcade/end.h"
