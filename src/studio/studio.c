// studio.c - the studio as a whole: a hub with simulations, a server with pages.
#include "motorcade/studio.h"

#include "studio/hub/hub.h"
#include "studio/net/server.h"
#include "studio/request/table.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct mc_studio {
    server *server;
    hub *hub;
};

mc_studio *mc_studio_create(const mc_studio_options *options, mc_error *error)
{
    mc_studio_options o = *options;
    char shipped[PATH_MAX];
    if (!o.file) {
        if (!mc_studio_shipped("two_gains.yaml", shipped, sizeof shipped)) {
            mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                         "the shipped scenario two_gains.yaml is not in share/motorcade next to "
                         "the program; expected a file name");
            return NULL;
        }
        o.file = shipped;
    }
    mc_studio *studio = calloc(1, sizeof *studio);
    if (!studio) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the studio");
        return NULL;
    }
    studio->server = server_create(&o, error);
    if (studio->server)
        studio->hub = hub_create(&o, &table_of_requests, server_wake, studio->server, error);
    const service behind = studio->hub ? hub_service(studio->hub) : (service){0};
    if (!studio->hub || server_start(studio->server, &behind, error) != MC_OK) {
        mc_studio_destroy(studio);
        return NULL;
    }
    return studio;
}

const char *mc_studio_address(const mc_studio *studio)
{
    return server_address(studio->server);
}

mc_status mc_studio_wait(mc_studio *studio, bool (*stop)(void *context), void *context,
                         mc_error *error)
{
    const struct timespec tenth = {.tv_nsec = 100000000};
    while (!stop(context)) {
        if (server_failed(studio->server))
            return mc_error_set(error, MC_FAILED, NULL, 0, 0, "the studio's server has failed");
        nanosleep(&tenth, NULL);
    }
    return MC_OK;
}

char *mc_studio_ask(mc_studio *studio, const char *request, mc_error *error)
{
    return server_ask(studio->server, request, error);
}

void mc_studio_destroy(mc_studio *studio)
{
    if (!studio)
        return;
    if (studio->server)
        server_stop(studio->server); // pages leave the hub
    if (studio->hub)
        hub_destroy(studio->hub); // its threads end: the server is no longer woken
    server_destroy(studio->server);
    free(studio);
}
