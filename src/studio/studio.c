// studio.c - the studio as a whole: a hub with simulations, a server with pages.
#include "motorcade/studio.h"

#include "studio/hub.h"
#include "studio/server.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct mc_studio {
    server *server;
    hub *hub;
};

mc_studio_options mc_studio_options_default(void)
{
    return (mc_studio_options){.address = "127.0.0.1", .port = 8080};
}

static bool is_shipped(const char *folder, const char *name, char *path, size_t size)
{
    return snprintf(path, size, "%s/scenarios%s%s", folder, name[0] ? "/" : "", name) < (int)size &&
           access(path, R_OK) == 0;
}

bool mc_studio_shipped(const char *name, char *path, size_t size)
{
    char program[PATH_MAX], beside[PATH_MAX + 32];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash) {
        *slash = '\0';
        snprintf(beside, sizeof beside, "%s/../share/motorcade", program);
    }
    return (slash && is_shipped(beside, name, path, size)) ||
           is_shipped(MOTORCADE_SOURCE_DIR, name, path, size) ||
           is_shipped(MOTORCADE_DATA_DIR, name, path, size);
}

mc_studio *mc_studio_start(const mc_studio_options *options, mc_error *error)
{
    mc_studio_options o = *options;
    char shipped[PATH_MAX];
    if (!o.file) {
        if (!mc_studio_shipped("two_gains.yaml", shipped, sizeof shipped)) {
            mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                         "the shipped scenario two_gains.yaml is neither in " MOTORCADE_SOURCE_DIR
                         "/scenarios nor in " MOTORCADE_DATA_DIR "/scenarios; name a file");
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
        studio->hub = hub_create(&o, server_wake, studio->server, error);
    if (!studio->hub || server_start(studio->server, studio->hub, error) != MC_OK) {
        mc_studio_end(studio);
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

void mc_studio_end(mc_studio *studio)
{
    if (!studio)
        return;
    if (studio->server)
        server_stop(studio->server); // pages leave the hub
    if (studio->hub)
        hub_destroy(studio->hub); // its threads end: nobody wakes the server any more
    server_destroy(studio->server);
    free(studio);
}
