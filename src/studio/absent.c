// absent.c - replaces the studio where the library is built without it (MOTORCADE_STUDIO=OFF).
//
// The functions stay, so that programs link with either library; a start is rejected.
#include "motorcade/studio.h"

static mc_status reject(mc_error *error)
{
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "this build has no studio; build with -DMOTORCADE_STUDIO=ON");
}

mc_studio *mc_studio_create(const mc_studio_options *options, mc_error *error)
{
    (void)options;
    reject(error);
    return NULL;
}

const char *mc_studio_address(const mc_studio *studio)
{
    (void)studio;
    return "";
}

mc_status mc_studio_wait(mc_studio *studio, bool (*stop)(void *context), void *context,
                         mc_error *error)
{
    (void)studio, (void)stop, (void)context;
    return reject(error);
}

char *mc_studio_ask(mc_studio *studio, const char *request, mc_error *error)
{
    (void)studio, (void)request;
    reject(error);
    return NULL;
}

void mc_studio_destroy(mc_studio *studio)
{
    (void)studio;
}
