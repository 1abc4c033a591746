// studio.h - what the commands that open the studio share.
#pragma once

#include "cli/options.h"
#include "motorcade/studio.h"

#include <stdbool.h>

// How the studio is served: the first rows of the option tables of `motorcade studio` and of the
// calls of DYNAVIS, whose requests have a studio_request called studio.
#define STUDIO_OPTIONS                                                                             \
    {0, "port", "N", "port to listen on; 0: any free one (default: 8080)",                         \
     CLI_WITHIN(studio.options.port, 0, 65535)},                                                   \
        {0, "address", "A", "address to listen on (default: 127.0.0.1, this machine alone)",       \
         CLI_TO(studio.options.address)},                                                          \
        {0, "token", "T",                                                                          \
         "token that every request must carry (default: random unless the address is local)",      \
         CLI_TO(studio.options.token)},                                                            \
        {0, "read-only", NULL, "pages may watch and play, but not change anything",                \
         CLI_TO(studio.options.read_only)},                                                        \
        {0, "paused", NULL, "wait until play is pressed in a page",                                \
         CLI_TO(studio.options.paused)},                                                           \
        {0, "threads", "N", "number of simulation threads (default: all cores but one)",           \
         CLI_WITHIN(studio.options.threads, 1, 1024)},                                             \
        {0, "no-open", NULL, "do not open a browser", CLI_TO(studio.no_open)},                     \
    {                                                                                              \
        0, "page", "DIR", "serve the page from this folder instead of the built-in one",           \
            CLI_TO(studio.options.page)                                                            \
    }

typedef struct studio_request {
    mc_studio_options options;
    bool no_open;
    const char *view; // how the page opens: what follows the # of its address; NULL: as last time
    mc_status (*at_end)(mc_studio *studio, void *context, mc_error *error); // NULL: nothing
    void *context;
} studio_request;

studio_request studio_request_default(void);

// Opens the studio, says where, starts a browser, and returns when Ctrl-C ends it: the exit code.
// what: what it shows, for the line that is printed.
int studio_serve(const char *program, const studio_request *r, const char *what);
