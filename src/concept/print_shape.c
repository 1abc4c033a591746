// print_shape.c - what derived bodies look like: the skins of their parts as meshes.
#include "concept/derive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPES_MAX = 64 }; // of a body, in a mechanism file

// Number of a corner among those before it; -1: new.
static int find_corner(const double (*list)[3], int count, const double at[3])
{
    for (int i = 0; i < count; i++)
        if (memcmp(list[i], at, sizeof list[i]) == 0)
            return i;
    return -1;
}

// false: no memory.
static bool print_mesh(const concept_mesh *mesh, const double origin[3], const char *finish,
                       FILE *out)
{
    double(*corner)[3] = malloc(3 * (size_t)mesh->count * sizeof corner[0]);
    int *index = malloc(3 * (size_t)mesh->count * sizeof index[0]), count = 0;
    for (int i = 0; corner && index && i < 3 * mesh->count; i++) {
        double at[3];
        for (int k = 0; k < 3; k++) // tenths of a millimetre are enough for a picture
            at[k] = round(1e4 * (mesh->triangle[i / 3][3 * (i % 3) + k] - origin[k])) / 1e4 + 0.0;
        index[i] = find_corner((const double(*)[3])corner, count, at);
        if (index[i] < 0) {
            memcpy(corner[count], at, sizeof at);
            index[i] = count++;
        }
    }
    if (corner && index) {
        fputs("      - {kind: mesh, vertices: [", out);
        for (int i = 0; i < count; i++)
            fprintf(out, "%s[%.6g, %.6g, %.6g]", i ? ", " : "", corner[i][0], corner[i][1],
                    corner[i][2]);
        fputs("], faces: [", out);
        for (int i = 0; i < mesh->count; i++)
            fprintf(out, "%s[%d, %d, %d]", i ? ", " : "", index[3 * i], index[3 * i + 1],
                    index[3 * i + 2]);
        fprintf(out, "]%s}\n", finish);
    }
    const bool good = corner && index;
    free(corner);
    free(index);
    return good;
}

bool derive_print_shape(const derivation *d, int body, FILE *out)
{
    const mc_concept *c = d->concept;
    const double *origin = d->bodies[body].origin;
    int count = 0;
    bool good = true;
    for (int i = 0; i < c->part_count && count < SHAPES_MAX && good; i++) {
        const concept_part *p = &c->parts[i];
        if (p->body != body || p->role != ROLE_STRUCTURAL || p->mesh.count == 0)
            continue;
        if (count++ == 0)
            fputs("    shape:\n", out);
        if (p->kind == PART_WHEEL)
            fprintf(out, "      - {kind: wheel, radius: %.6g, width: %.6g}\n", p->radius, p->width);
        else
            good = print_mesh(&p->mesh, origin, p->glass ? ", finish: glass" : "", out);
    }
    return good;
}
