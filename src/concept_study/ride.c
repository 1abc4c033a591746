// ride.c - a concept on the ground: its mechanism with wheels, drive and terrain, from equilibrium.
#include "concept_study/ride.h"

#include "base/file.h"
#include "concept/road.h"
#include "concept_study/stand.h"
#include "terrain_file/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TERRAIN_FILE_MAX = 8 << 20 };

// ---- terrain ----

static mc_status no_memory(const mc_concept *c, mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, c->file, 0, 0, "no memory for the run");
}

static void read_terrain(reader *r, const yaml_node *root, const road_terrain **out)
{
    static const char *const kinds[] = {"terrain"}, *const keys[] = {"motorcade", "terrain"};
    if (root->kind != YAML_MAPPING || !yaml_find(root, "motorcade")) {
        reader_reject(r, root, "expected \"motorcade: terrain\" as the first key");
        return;
    }
    reader_choice(r, yaml_find(root, "motorcade"), kinds, 1);
    for (const yaml_node *n = root->first; n && r->status == MC_OK; n = n->next)
        if (strcmp(n->key->text, keys[0]) != 0 && strcmp(n->key->text, keys[1]) != 0)
            reader_unknown_key(r, n->key, "a terrain file", keys, 2);
    const yaml_node *map = yaml_find(root, "terrain");
    if (r->status == MC_OK && !map)
        reader_reject(r, root, "a terrain file needs the key terrain");
    if (r->status == MC_OK)
        *out = terrain_read(r, map, NULL);
}

mc_status ride_terrain(const char *path, arena *memory, const road_terrain **terrain,
                       const char **text, mc_error *error)
{
    reader r = {.memory = memory, .file = path, .what = "terrain", .error = error};
    const yaml_node *root = NULL;
    char *bytes;
    size_t length;
    *terrain = NULL;
    *text = NULL;
    r.status = file_read(memory, path, TERRAIN_FILE_MAX, &bytes, &length, error);
    if (r.status == MC_OK)
        r.status = yaml_parse(bytes, length, path, memory, &root, error);
    if (r.status == MC_OK)
        read_terrain(&r, root, terrain);
    if (r.status != MC_OK)
        return r.status;
    // The key terrain goes into the mechanism as it is; "motorcade: terrain" becomes a comment.
    char *copy = arena_alloc(memory, length + 2);
    if (!copy)
        return mc_error_set(error, MC_NO_MEMORY, path, 0, 0, "no memory for the terrain");
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    char *head = strncmp(copy, "motorcade:", 10) == 0 ? copy : strstr(copy, "\nmotorcade:");
    if (head)
        memset(head + (head != copy), '#', 10);
    *text = copy;
    return MC_OK;
}

// ---- start ----

typedef struct starting {
    const mc_concept *c;
    mc_concept_start *list;
    int count;
    double rolling[CONCEPT_AXLE_MAX]; // m, height of the hubs in equilibrium
} starting;

static void add(starting *s, const char *name, double value)
{
    mc_concept_start *to = &s->list[s->count++];
    snprintf(to->name, sizeof to->name, "%s", name);
    to->value = value;
}

// The coordinates of the equilibrium; all wheels roll. A tyre touches where the ground is, so it
// rolls over the height of its hub.
static mc_status list_start(starting *s, double speed, mc_error *error)
{
    const mc_concept *c = s->c;
    stand rest;
    const char *name;
    mc_status status = stand_make(c, &rest, error);
    const int q = status == MC_OK ? mc_multibody_info_of(rest.m)->q_count : 0;
    s->list = calloc((size_t)q + 2 * CONCEPT_AXLE_MAX + 2, sizeof *s->list);
    if (status == MC_OK && !s->list)
        status = no_memory(c, error);
    for (int i = 0; i < q && status == MC_OK; i++) {
        name = mc_multibody_name(rest.m, MC_QUANTITY_COORDINATE, i);
        add(s, name, rest.y[i]);
    }
    if (status == MC_OK) {
        char word[112];
        snprintf(word, sizeof word, "%s.vx", c->bodies[c->chassis].name);
        add(s, word, speed);
        for (int k = 0; k < 2 * c->axle_count; k++) {
            const concept_axle *a = &c->axles[k / 2];
            snprintf(word, sizeof word, "hub_%s%c.z", a->suffix, "lr"[k % 2]);
            const double height = stand_output(&rest, word);
            snprintf(word, sizeof word, "%.90s.angle_rate",
                     c->bodies[c->parts[a->wheel[k % 2]].body].name);
            add(s, word, speed / height);
            s->rolling[k / 2] = height;
        }
    }
    stand_free(&rest);
    return status;
}

static mc_status check(const mc_concept *c, const mc_concept_ride *ride, mc_error *error)
{
    if (c->axle_count == 0 || c->chassis < 0)
        return mc_error_set(error, MC_BAD_INPUT, c->file, 0, 0,
                            "a run on the ground needs axles: %s has none", c->name);
    for (int k = 0; k < c->axle_count; k++)
        if (!(c->axles[k].tyre_stiffness > 0.0))
            return mc_error_set(
                error, MC_BAD_INPUT, c->file, c->axles[k].place.line, c->axles[k].place.column,
                "a run on the ground begins in equilibrium on the tyres: the wheels "
                "of axle %s need the key tyre",
                c->axles[k].name);
    if ((ride->target || ride->brake) && !c->has_drive)
        return mc_error_set(error, MC_BAD_INPUT, c->file, 0, 0,
                            "a target speed or a brake needs the key drive, which %s does not have",
                            c->name);
    if (ride->brake && !(c->drive.brake_torque > 0.0))
        return mc_error_set(error, MC_BAD_INPUT, c->file, 0, 0,
                            "a brake needs the key brake_torque of drive");
    return MC_OK;
}

// The bumps of the concept's own road as terrain; NULL: it has none, or no memory.
static char *own_terrain(const mc_concept *c)
{
    char *text = NULL;
    size_t size;
    FILE *out = c->road && c->road->count > 0 ? open_memstream(&text, &size) : NULL;
    if (!out)
        return NULL;
    road_print_terrain(c->road, c->parts[c->axles[0].wheel[0]].centre[0], out);
    fclose(out);
    return text;
}

char *mc_concept_ride_mechanism(const mc_concept *c, const mc_concept_ride *ride, mc_error *error)
{
    starting start = {.c = c};
    arena memory = {0};
    const road_terrain *terrain;
    const char *tail = NULL;
    char target[40], *text = NULL, *own = NULL;
    snprintf(target, sizeof target, "%.17g", ride->speed);
    mc_status status = check(c, ride, error);
    if (status == MC_OK && ride->terrain)
        status = ride_terrain(ride->terrain, &memory, &terrain, &tail, error);
    else if (status == MC_OK)
        tail = own = own_terrain(c);
    if (status == MC_OK)
        status = list_start(&start, ride->speed, error);
    if (status == MC_OK) {
        const mc_concept_options o = {.wheels = true,
                                      .target = ride->target   ? ride->target
                                                : c->has_drive ? target
                                                               : NULL,
                                      .brake = ride->brake,
                                      .rolling = start.rolling,
                                      .start = start.list,
                                      .start_count = start.count,
                                      .tail = tail};
        text = mc_concept_mechanism(c, &o, error);
    }
    free(start.list);
    free(own);
    arena_free(&memory);
    return text;
}
