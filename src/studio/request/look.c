// look.c - the triangles of a model that is drawn by a file of its own.
#include "studio/request/requests.h"

#include "base/base64.h"
#include "motorcade/observe.h"
#include "studio/hub/json.h"
#include "studio/request/read.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int find_model(const mc_run *run, const char *name)
{
    mc_run_model_info m;
    for (int k = 0; mc_run_model_at(run, k, &m); k++)
        if (strcmp(m.name, name) == 0)
            return k;
    return -1;
}

static void put_bytes(json_t *out, const char *key, const void *bytes, size_t size)
{
    char *text = base64_text(bytes, size);
    json_put(out, key, text ? json_string(text) : NULL);
    free(text);
}

static void put_mesh(json_t *out, const mc_look_mesh *mesh)
{
    const size_t n = (size_t)mesh->count;
    json_t *size = json_array();
    for (int k = 0; k < 3; k++)
        json_array_append_new(size, json_value(mesh->size[k]));
    json_put(out, "triangles", json_integer(mesh->count));
    json_put(out, "size", size);
    uint8_t *little = malloc(18 * n); // u16, little-endian
    for (size_t i = 0; little && i < 9 * n; i++) {
        little[2 * i] = (uint8_t)mesh->position[i];
        little[2 * i + 1] = (uint8_t)(mesh->position[i] >> 8);
    }
    if (little)
        put_bytes(out, "position", little, 18 * n);
    free(little);
    put_bytes(out, "normal", mesh->normal, 9 * n);
    put_bytes(out, "colour", mesh->colour, 3 * n);
}

void request_look(request *r)
{
    branch *b;
    const char *model;
    if (!read_text(r, "model", 200, NULL, &model) || !read_branch(r, &b))
        return;
    const int index = b->run ? find_model(b->run, model) : -1;
    mc_look_mesh mesh;
    mc_error error = {0};
    if (index < 0)
        request_reject(r, "model", "unknown model \"%.60s\"", model);
    else if (mc_run_look_mesh(b->run, index, &mesh, &error) != MC_OK)
        request_reject_error(r, &error);
    else {
        json_t *out = json_object();
        put_mesh(out, &mesh);
        mc_look_mesh_free(&mesh);
        request_done(r, out);
    }
    branch_drop(b);
}
