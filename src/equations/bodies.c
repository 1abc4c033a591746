// bodies.c - frames, names and joints of a derived mechanism, made again for further questions.
#include "equations/bodies.h"

#include "multibody/closing.h"

#include <stdlib.h>

mc_status mb_bodies_make(const mb_system *s, mb_bodies *out, mc_error *error)
{
    const mb_model *m = s->model;
    *out = (mb_bodies){.system = s};
    out->frames = mb_frames_create(&s->links);
    out->tree = calloc((size_t)m->body_count + 1, sizeof *out->tree);
    out->closing = calloc((size_t)m->closing_count + 1, sizeof *out->closing);
    if (out->frames)
        out->scope = mb_scope_create(&s->links, out->frames, s->time, s->states, s->inputs);
    bool good = out->scope && out->tree && out->closing;
    for (int i = 0; i < m->body_count && good; i++)
        good = mb_hinge_of_body(out->frames, &s->links, i, &out->tree[i]);
    for (int i = 0; i < m->closing_count && good; i++)
        if (!m->closings[i].kind->of_joints)
            good = mb_hinge_of_closing(out->frames, &s->links, i, &out->closing[i]);
    if (!good) {
        mb_bodies_free(out);
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the joints");
    }
    out->rows = (mb_body_rows){.links = &s->links,
                               .frames = out->frames,
                               .scope = out->scope,
                               .rows = &s->rows,
                               .tree = out->tree,
                               .closing = out->closing,
                               .q_rate = s->rate};
    return MC_OK;
}

void mb_bodies_free(mb_bodies *b)
{
    mb_scope_destroy(b->scope);
    mb_frames_destroy(b->frames);
    free(b->tree);
    free(b->closing);
    *b = (mb_bodies){0};
}
