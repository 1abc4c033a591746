// looks.c - the key `look` of models.
#include "scenario/looks.h"

#include "io/glb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const look_names[LOOK_COUNT] = {"car",       "sedan", "compact", "van", "pickup",
                                            "offroader", "truck", "trailer", "box"};

static bool ends_with(const char *text, const char *end)
{
    const size_t size = strlen(text), tail = strlen(end);
    return size > tail && strcasecmp(text + size - tail, end) == 0;
}

static void read_file(scenario_reader *r, const yaml_node *node, scenario_model *m)
{
    const mc_file *file = scenario_take_file(r, node, GLB_FILE_MAX);
    if (!file)
        return;
    arena memory = {0};
    glb_mesh mesh;
    mc_error error = {0};
    if (glb_parse(file->bytes, file->size, file->path, &memory, &mesh, &error) != MC_OK)
        reader_reject(&r->base, node, "%.300s %s", file->path, error.text);
    arena_free(&memory);
    m->look = "file";
    m->look_file = file;
}

void scenario_read_look(scenario_reader *r, const yaml_node *node, scenario_model *m)
{
    const char *word = reader_text(&r->base, node);
    if (r->base.status != MC_OK)
        return;
    if (ends_with(word, ".gltf"))
        reader_reject(&r->base, node, "a look is one file: export it as binary glTF (.glb)");
    else if (ends_with(word, ".glb"))
        read_file(r, node, m);
    else {
        const int k = reader_choice(&r->base, node, look_names, LOOK_COUNT);
        m->look = k >= 0 ? look_names[k] : "car";
        m->look_file = NULL;
    }
}

static void pack(const glb_mesh *from, mc_look_mesh *to)
{
    for (int k = 0; k < 3; k++)
        to->size[k] = (double)from->high[k] - (double)from->low[k];
    for (size_t i = 0; i < 9 * (size_t)from->count; i++) {
        const double share =
            ((double)from->position[i] - (double)from->low[i % 3]) / to->size[i % 3];
        to->position[i] = (unsigned short)lround(65535.0 * share);
        to->normal[i] = (signed char)lroundf(127.0f * from->normal[i]);
    }
    for (size_t i = 0; i < 3 * (size_t)from->count; i++) {
        const long value = lroundf(255.0f * from->colour[i]);
        to->colour[i] = (unsigned char)(from->painted[i / 3] ? 255 : value > 254 ? 254 : value);
    }
}

mc_status scenario_look_mesh(const scenario_model *m, mc_look_mesh *out, mc_error *error)
{
    const mc_file *file = m->look_file;
    arena memory = {0};
    glb_mesh mesh;
    mc_status status = glb_parse(file->bytes, file->size, file->path, &memory, &mesh, error);
    if (status == MC_OK) {
        const size_t n = (size_t)mesh.count;
        *out = (mc_look_mesh){.count = mesh.count,
                              .position = malloc(9 * n * sizeof *out->position),
                              .normal = malloc(9 * n),
                              .colour = malloc(3 * n)};
        if (out->position && out->normal && out->colour)
            pack(&mesh, out);
        else
            status = mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the look");
    }
    arena_free(&memory);
    if (status != MC_OK)
        mc_look_mesh_free(out);
    return status;
}

void mc_look_mesh_free(mc_look_mesh *mesh)
{
    free(mesh->position);
    free(mesh->normal);
    free(mesh->colour);
    *mesh = (mc_look_mesh){0};
}
