// studio.h - what the commands that open the studio share.
#pragma once

#include "cli/options.h"
#include "motorcade/studio.h"

#include <stdbool.h>

// How it is served: the first rows of the option tables of `motorcade studio` and of the calls of
// DYNAVIS, whose requests have a studio_request called studio.
#define STUDIO_OPTIONS                                                                             \
    {0, "port", "N", "port to listen on; 0: any free one (default: 8080)",                         \
     CLI_WITHIN(studio.options.port, 0, 65535)},                                                   \
        {0, "address", "A", "address to listen on (default: 127.0.0.1, this machine alone)",       \
         CLI_TO(studio.options.address)},                                                          \
        {0, "token", "T", "word that every request must bring; made up for other addresses",       \
         CLI_TO(studio.options.token)},                                                            \
        {0, "read-only", NULL, "pages may look and play, not change",                              \
         CLI_TO(studio.options.read_only)},                                                        \
        {0, "paused", NULL, "waits for a page to press play", CLI_TO(studio.options.paused)},      \
        {0, "threads", "N", "threads of the simulation; all cores but one if left out",            \
         CLI_WITHIN(studio.options.threads, 1, 1024)},                                             \
        {0, "no-open", NULL, "does not open a browser", CLI_TO(studio.no_open)},                   \
    {                                                                                              \
        0, "page", "DIR", "page from this folder instead of the one in the program",               \
            CLI_TO(studio.options.page)                                                            \
    }

typedef struct studio_request {
    mc_studio_options options;
    bool no_open;
    const char *view; // of the page, behind the # of its address: identify, mileage; NULL: road
    mc_status (*at_end)(mc_studio *studio, void *context, mc_error *error); // NULL: nothing
    void *context;
} studio_request;

studio_request studio_request_default(void);

// Opens the studio, says where, starts a browser, and returns when Ctrl-C ends it: the exit code.
// what: what it shows, for the line that is printed.
int studio_serve(const char *program, const studio_request *r, const char *what);
