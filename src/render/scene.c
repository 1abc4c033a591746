// scene.c - see scene.h.
#include "render/scene.h"

#include "render/noise.h"

#include <stdlib.h>
#include <string.h>

void scene_at(float place[12], vec origin)
{
    memset(place, 0, 12 * sizeof *place);
    place[0] = place[5] = place[10] = 1.0f;
    place[3] = origin.x, place[7] = origin.y, place[11] = origin.z;
}

scene_draw *scene_add(scene *s, const mesh *shape, scene_material material)
{
    if (s->count == s->room) {
        const int more = s->room ? 2 * s->room : 512;
        scene_draw *bigger = realloc(s->draw, (size_t)more * sizeof *bigger);
        if (!bigger) {
            s->failed = true;
            return &s->spare;
        }
        s->draw = bigger;
        s->room = more;
    }
    scene_draw *d = &s->draw[s->count++];
    *d = (scene_draw){.shape = shape, .material = material, .alpha = 1.0f, .roughness = 0.6f};
    scene_at(d->place, (vec){0});
    return d;
}

mesh *scene_mesh(scene *s)
{
    mesh *m = calloc(1, sizeof *m);
    if (m && s->own_count == s->own_room) {
        const int more = s->own_room ? 2 * s->own_room : 64;
        mesh **bigger = realloc(s->own, (size_t)more * sizeof *bigger);
        if (!bigger) {
            free(m);
            m = NULL;
        } else {
            s->own = bigger;
            s->own_room = more;
        }
    }
    if (!m) {
        s->failed = true;
        s->spare_mesh = (mesh){.failed = true};
        return &s->spare_mesh;
    }
    return s->own[s->own_count++] = m;
}

bool scene_whole(const scene *s)
{
    bool whole = !s->failed;
    for (int k = 0; k < s->own_count; k++)
        whole = whole && !s->own[k]->failed;
    return whole;
}

// groundNoise of the page. r: grains, g: patches, b: large patches.
static bool make_ground(arena *a, texture *out)
{
    enum { SIZE = 256 };
    noise_field grain, fine, mid, low;
    arena scratch = {0};
    const bool good = noise_make(&scratch, 3, 64, 1, &grain) &&
                      noise_make(&scratch, 9, 128, 1, &fine) &&
                      noise_make(&scratch, 4, 6, 4, &mid) && noise_make(&scratch, 8, 3, 4, &low) &&
                      texture_make(a, SIZE, true, out);
    for (int k = 0; good && k < SIZE * SIZE; k++) {
        const double u = (k % SIZE) / (double)SIZE, v = (k / SIZE) / (double)SIZE;
        uint8_t *p = out->level[0] + 4 * k;
        p[0] = (uint8_t)(255.0f * (0.55f * noise_at(&grain, u, v) + 0.45f * noise_at(&fine, u, v)));
        p[1] = (uint8_t)(255.0f * noise_at(&mid, u, v));
        p[2] = (uint8_t)(255.0f * noise_at(&low, u, v));
        p[3] = 255;
    }
    if (good)
        texture_shrink(out);
    arena_free(&scratch);
    return good;
}

bool scene_begin(scene *s, const char *light, float turn)
{
    *s = (scene){.spacing = 10.0f, .dash = 3.0f, .reach = 50.0f};
    return sky_make(&s->memory, light, turn, &s->light) && make_ground(&s->memory, &s->ground);
}

void scene_end(scene *s)
{
    for (int k = 0; k < s->own_count; k++) {
        mesh_free(s->own[k]);
        free(s->own[k]);
    }
    free(s->own);
    free(s->draw);
    arena_free(&s->memory);
    *s = (scene){0};
}
