// looks.c - how things of a scenario are drawn: looks of models, obstacles; see fleet.h.
#include "picture/fleet.h"

#include "scenario/handle.h"
#include "scenario/looks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- models ----

// Results call a model "bus (point)": by its name and its type.
static const scenario_model *model_named(const fleet *f, const char *name)
{
    const scenario *s = f->scenario ? scenario_of(f->scenario) : NULL;
    for (int k = 0; s && k < s->model_count; k++) {
        const size_t n = strlen(s->models[k].name);
        if (strncmp(s->models[k].name, name, n) == 0 &&
            (!name[n] || strncmp(name + n, " (", 2) == 0))
            return &s->models[k];
    }
    return NULL;
}

// The triangles of a file, standing on the road with their middle at x = y = 0.
static mesh *mesh_of_file(fleet *f, const scenario_model *model, float size[3])
{
    mc_look_mesh from;
    mc_error error;
    if (scenario_look_mesh(model, &from, &error) != MC_OK)
        return NULL;
    mesh *m = scene_mesh(f->s);
    for (int k = 0; k < 3; k++)
        size[k] = fmaxf((float)from.size[k], 1e-3f);
    for (int t = 0; t < from.count; t++) {
        for (int i = 0; i < 3; i++) {
            const int at = 9 * t + 3 * i;
            float p[3], n[3];
            mesh_corner c = {0};
            for (int k = 0; k < 3; k++) {
                const float share = (float)from.position[at + k] / 65535.0f;
                p[k] = size[k] * (share - (k < 2 ? 0.5f : 0.0f));
                n[k] = (float)from.normal[at + k];
                c.extra[k] = (float)from.colour[3 * t + k] / 255.0f;
            }
            c.position = vec_of(p);
            c.normal = vec_unit(vec_of(n));
            mesh_add(m, &c);
        }
        mesh_triangle(m, 3 * t, 3 * t + 1, 3 * t + 2);
    }
    mc_look_mesh_free(&from);
    return mesh_close(m) ? m : NULL;
}

static void find_look(fleet *f, const mc_replay_car *car, fleet_look *out)
{
    const scenario_model *model = model_named(f, car->model);
    *out = (fleet_look){.length = car->length, .width = car->width, .height = car->height};
    snprintf(out->model, sizeof out->model, "%s", car->model);
    const char *look = model && model->look ? model->look : "car";
    out->kind = strcmp(look, "box") == 0 ? -1 : fleet_kind_named(f, look);
    if (strcmp(look, "file") == 0 && model->look_file)
        out->own = mesh_of_file(f, model, out->own_size);
    else if (out->kind < 0 && strcmp(look, "box") != 0)
        out->kind = fleet_kind_of(f, car);
}

fleet_look *fleet_look_of(fleet *f, const mc_replay_car *car)
{
    for (int k = 0; k < f->look_count; k++) {
        const fleet_look *l = &f->look[k];
        if (l->length == car->length && l->width == car->width && l->height == car->height &&
            strncmp(l->model, car->model, sizeof l->model - 1) == 0)
            return &f->look[k];
    }
    if (f->look_count == FLEET_LOOKS)
        f->look_count--; // the last one gives way
    find_look(f, car, &f->look[f->look_count]);
    return &f->look[f->look_count++];
}

// ---- obstacles ----

// Upright, each face with corners of its own: its edges stay sharp.
static void add_prism(mesh *m, const obstacle *o, float tall)
{
    const int n = o->point_count;
    const vec none = {0, 0, 0};
    for (int k = 0; k < n; k++) {
        const double *p = o->point[k], *q = o->point[(k + 1) % n];
        const vec side[4] = {{(float)p[0], (float)p[1], 0},
                             {(float)q[0], (float)q[1], 0},
                             {(float)q[0], (float)q[1], tall},
                             {(float)p[0], (float)p[1], tall}};
        int at[4];
        for (int i = 0; i < 4; i++)
            at[i] = mesh_add(m, &(mesh_corner){side[i], none, {0}, {0}});
        mesh_quad(m, at[0], at[1], at[2], at[3]);
    }
    const int top = m->corner_count;
    for (int k = 0; k < n; k++)
        mesh_add(m, &(mesh_corner){
                        {(float)o->point[k][0], (float)o->point[k][1], tall}, none, {0}, {0}});
    for (int k = 2; k < n; k++)
        mesh_triangle(m, top, top + k - 1, top + k);
    mesh_smooth(m);
}

static void add_obstacle(fleet *f, const obstacle *o)
{
    const float l = (float)o->p[OBSTACLE_LENGTH], w = (float)o->p[OBSTACLE_WIDTH];
    const float h = o->shape == OBSTACLE_CYLINDER ? 3.0f : (float)o->p[OBSTACLE_HEIGHT];
    mesh *m = scene_mesh(f->s);
    if (o->shape == OBSTACLE_CYLINDER) {
        const float place[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, h, 0};
        mesh_cylinder(m, 0.5f * l, 0.5f * l, 32, place, NULL);
    } else if (o->shape == OBSTACLE_ELLIPSOID) {
        const float place[12] = {0.5f * l, 0, 0, 0, 0, 0.5f * w, 0, 0, 0, 0, 0.5f * h, 0.5f * h};
        mesh_ball(m, 1.0f, 32, place, NULL);
    } else if (o->shape == OBSTACLE_PRISM && o->point_count > 2) {
        add_prism(m, o, h);
    } else {
        const float size[3] = {l, w, h}, place[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0.5f * h};
        mesh_box(m, size, place, NULL);
    }
    mesh_close(m);
    const ground_spot q = ground_at(f->g, o->x, o->y, 0);
    const float a = atan2f(q.s, q.c) + (float)o->heading, c = cosf(a), s = sinf(a);
    const float place[12] = {c, -s, 0, q.at.x, s, c, 0, q.at.y, 0, 0, 1, q.at.z};
    scene_draw *d = scene_add(f->s, m, SCENE_SOLID);
    memcpy(d->place, place, sizeof place);
    d->casts = d->both_sides = true;
    d->roughness = 0.85f;
    for (int k = 0; k < 3; k++)
        d->colour[k] = 0.42f; // concrete
}

void fleet_obstacles(fleet *f)
{
    const scenario *s = f->scenario ? scenario_of(f->scenario) : NULL;
    for (int k = 0; s && k < s->obstacle_count; k++)
        add_obstacle(f, &s->obstacles[k].o);
}
