// fake_studio.h - a server with the fake service behind it, put together as mc_studio_create does.
#pragma once

#include "studio/net/fake_service.h"
#include "studio/net/server.h"

typedef struct fake_studio {
    server *server;
    fake *fake;
} fake_studio;

static void fake_studio_end(fake_studio *s)
{
    server_stop(s->server); // pages leave
    fake_destroy(s->fake);
    server_destroy(s->server);
    free(s);
}

// NULL: see *error.
static fake_studio *fake_studio_start(const mc_studio_options *options, mc_error *error)
{
    server *listening = server_create(options, error);
    if (!listening)
        return NULL;
    fake_studio *s = calloc(1, sizeof *s);
    mc_assert(s);
    *s = (fake_studio){listening, fake_create(server_wake, listening)};
    const service behind = fake_service(s->fake);
    if (server_start(listening, &behind, error) == MC_OK)
        return s;
    fake_studio_end(s);
    return NULL;
}
