// drive.c - drive, release: the newest input of a page is kept for the simulation thread.
#include "studio/request/requests.h"

#include "studio/hub/inside.h"
#include "studio/request/read.h"

#include <stdio.h>

static bool read_command(request *r, drive_command *out)
{
    double number;
    const char *vehicle;
    *out = (drive_command){.fresh = true, .id = r->id};
    if (!read_number(r, "world", 0, 65535, 0, &number) ||
        !read_optional(r, "at", -1e9, 1e9, &out->at) ||
        !read_text(r, "vehicle", NAME_SIZE - 1, NULL, &vehicle))
        return false;
    out->branch = (int)number;
    snprintf(out->vehicle, sizeof out->vehicle, "%s", vehicle);
    return true;
}

static void keep_command(request *r, const drive_command *command)
{
    pthread_mutex_lock(&r->h->lock);
    r->page->drive = *command;
    hub_stir(r->h, STIR_PEDALS);
    pthread_mutex_unlock(&r->h->lock);
}

void request_drive(request *r)
{
    drive_command command;
    if (read_command(r, &command) &&
        read_number(r, "throttle", 0, 1, 0, &command.inputs.throttle) &&
        read_number(r, "brake", 0, 1, 0, &command.inputs.brake) &&
        read_number(r, "steer", -1, 1, 0, &command.inputs.steer) &&
        read_number(r, "acceleration", -30, 30, 0, &command.inputs.acceleration))
        keep_command(r, &command);
}

void request_release(request *r)
{
    drive_command command;
    if (!read_command(r, &command))
        return;
    command.release = true;
    keep_command(r, &command);
}
