// roster.c - vehicles by column, name and id.
#include "studio/history/roster.h"

#include <stdlib.h>
#include <string.h>

roster *roster_create(int count, int body_count)
{
    roster *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    const size_t n = (size_t)count + 1, bodies = (size_t)body_count + 1;
    atomic_init(&r->refs, 1);
    r->count = count;
    r->body_count = body_count;
    r->id = calloc(n, sizeof *r->id);
    r->name = calloc(n, sizeof *r->name);
    r->platoon = calloc(n, sizeof *r->platoon);
    r->length = calloc(n, sizeof *r->length);
    r->middle = calloc(n, sizeof *r->middle);
    r->body = calloc(bodies, sizeof *r->body);
    r->rest = calloc(bodies, sizeof *r->rest);
    r->channel_at = calloc(n, sizeof *r->channel_at);
    r->channels = calloc(n, sizeof *r->channels);
    r->gear_at = calloc(n, sizeof *r->gear_at);
    r->rest_z = calloc(n, sizeof *r->rest_z);
    if (r->id && r->name && r->platoon && r->length && r->middle && r->body && r->rest &&
        r->channel_at && r->channels && r->gear_at && r->rest_z)
        return r;
    roster_drop(r);
    return NULL;
}

roster *roster_hold(roster *r)
{
    atomic_fetch_add(&r->refs, 1);
    return r;
}

void roster_drop(roster *r)
{
    if (!r || atomic_fetch_sub(&r->refs, 1) > 1)
        return;
    for (int c = 0; r->name && c < r->count; c++)
        free(r->name[c]);
    free(r->id);
    free(r->name);
    free(r->platoon);
    free(r->length);
    free(r->middle);
    free(r->body);
    free(r->rest);
    free(r->channel_at);
    free(r->channels);
    free(r->gear_at);
    free(r->rest_z);
    free(r);
}

int roster_find(const roster *r, const char *name)
{
    for (int c = 0; c < r->count; c++)
        if (strcmp(r->name[c], name) == 0)
            return c;
    return -1;
}

int *roster_match(const roster *before, const roster *who)
{
    uint32_t max_id = 0;
    for (int c = 0; c < before->count; c++)
        max_id = before->id[c] > max_id ? before->id[c] : max_id;
    int *column = malloc(((size_t)max_id + 1) * sizeof *column); // by id
    int *out = malloc(((size_t)who->count + 1) * sizeof *out);
    if (column && out) {
        for (uint32_t id = 0; id <= max_id; id++)
            column[id] = -1;
        for (int c = 0; c < before->count; c++)
            column[before->id[c]] = c;
        for (int c = 0; c < who->count; c++)
            out[c] = who->id[c] <= max_id ? column[who->id[c]] : -1;
    } else {
        free(out);
        out = NULL;
    }
    free(column);
    return out;
}
