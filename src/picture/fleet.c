// fleet.c - see fleet.h.
#include "picture/fleet.h"

#include "picture/strain.h"
#include "render/look.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

static const float LIMITS[FLEET_LEVELS] = {70.0f, 180.0f, 520.0f}; // m at 900 px of height
static const float REACH = 1700.0f, SHADED = 600.0f;               // m
static const float CLEARANCE = 0.16f; // m under the floor of a deformable body
static const double BRAKES = 0.02;    // of the pedal, from which lamps light
static const double SIDEWAYS = 0.3;   // m/s, from which it signals

// ---- kinds ----

static void add_kind(fleet *f, const char *name)
{
    fleet_kind *k = &f->kind[f->kind_count++];
    look_array wheels;
    char full[64];
    *k = (fleet_kind){0};
    snprintf(k->name, sizeof k->name, "%.15s", name);
    k->size = look_of(name, "size", 5);
    k->wheel = look_of(name, "wheel", 4);
    k->wheels = look_of(name, "wheels", 3);
    snprintf(full, sizeof full, "%.15s/wheels", name);
    k->wheel_count = look_find(full, &wheels) ? wheels.count / 3 : 0;
}

static mesh *mesh_named(fleet *f, const char *name)
{
    mesh *m = scene_mesh(f->s);
    if (!mesh_from_look(name, m))
        f->s->failed = true;
    return m;
}

static void make_ready(fleet *f, fleet_kind *k)
{
    char name[64];
    if (k->ready)
        return;
    k->ready = true;
    for (int q = 0; q < FLEET_LEVELS; q++) {
        snprintf(name, sizeof name, "%s/level%d", k->name, q);
        k->level[q] = mesh_named(f, name);
    }
    snprintf(name, sizeof name, "%s/wheel", k->name);
    k->wheel_shape = mesh_named(f, name);
    if (!sheet_paint(&f->s->memory, k->name, &k->sheets))
        f->s->failed = true;
}

bool fleet_begin(fleet *f, scene *s, const ground *g, const char *theme)
{
    char name[32];
    *f = (fleet){.s = s, .g = g, .magnify = 1.0, .skip = -1};
    for (int k = 0; k < FLEET_KINDS && look_line("kinds", k, name, sizeof name); k++)
        add_kind(f, name);
    f->paints = look_of("paint", theme, 3 * FLEET_PAINTS);
    f->evening = strcmp(theme, "evening") == 0;
    f->brick = mesh_named(f, "brick");
    f->square = scene_mesh(s);
    static const float at[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int k = 0; k < 4; k++) {
        const mesh_corner c = {{at[k][0], at[k][1], 0}, {0, 0, 1}, {at[k][0], at[k][1]}, {0}};
        mesh_add(f->square, &c);
    }
    mesh_quad(f->square, 0, 1, 2, 3);
    return mesh_close(f->square) && !s->failed;
}

int fleet_kind_named(const fleet *f, const char *name)
{
    for (int k = 0; k < f->kind_count; k++)
        if (strcmp(f->kind[k].name, name) == 0)
            return k;
    return -1;
}

static const char *kind_of_size(double length, double width, double height)
{
    if (length > 6.6 || height > 2.6)
        return "truck";
    if (width > 2.08 && length < 5.3)
        return "offroader";
    if (height > 1.65)
        return length > 5.3 ? "pickup" : "van";
    return length < 4.7 ? "compact" : "sedan";
}

int fleet_kind_of(const fleet *f, const mc_replay_car *car)
{
    char name[128], line[128];
    snprintf(name, sizeof name, "%s", car->model);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    for (int k = 0; look_line("words", k, line, sizeof line); k++) {
        char *tab = strchr(line, '\t');
        regex_t word;
        if (!tab)
            continue;
        *tab = '\0';
        if (regcomp(&word, line, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0)
            continue;
        const bool fits = regexec(&word, name, 0, NULL, 0) == 0;
        regfree(&word);
        if (fits)
            return fleet_kind_named(f, tab + 1);
    }
    return fleet_kind_named(f, kind_of_size(car->length, car->width, car->height));
}

void fleet_paint(const fleet *f, const mc_replay_car *car, int number, float out[3])
{
    const int k = car->alone ? 4 + number % 5 : car->platoon & 3;
    memcpy(out, f->paints + 3 * k, 3 * sizeof *out);
}

// ---- places ----

ground_spot fleet_spot(const fleet *f, const frame_car *car)
{
    return ground_at(f->g, car->x, car->y, car->path);
}

// Axes of a vehicle as columns, and its place: the road's direction, its own yaw, the road's pitch.
static void pose(const fleet *f, const frame_car *car, float m[12])
{
    const ground_spot q = fleet_spot(f, car);
    const float pitch = (float)ground_slope(f->g, car->x);
    const float cy = cosf((float)car->psi), sy = sinf((float)car->psi);
    const float c = q.c * cy - q.s * sy, s = q.s * cy + q.c * sy;
    const float cp = cosf(pitch), sp = sinf(pitch);
    const float out[12] = {c * cp,  -s,     -c * sp, q.at.x, s * cp, c,
                           -s * sp, q.at.y, sp,      0,      cp,     q.at.z};
    memcpy(m, out, sizeof out);
}

// A body on its springs: risen by its heave, pitched and rolled about its middle.
static void lean(const frame_car *car, const float m[12], float out[12])
{
    const float cp = cosf((float)car->pitch), sp = sinf((float)car->pitch);
    const float cr = cosf((float)car->roll), sr = sinf((float)car->roll);
    const float middle = 0.5f * (float)car->info.height;
    for (int r = 0; r < 3; r++) {
        const float x = m[4 * r], y = m[4 * r + 1], z = m[4 * r + 2];
        out[4 * r] = x * cp - z * sp;
        out[4 * r + 1] = x * sp * sr + y * cr + z * cp * sr;
        out[4 * r + 2] = x * sp * cr - y * sr + z * cp * cr;
        out[4 * r + 3] = m[4 * r + 3] + z * ((float)car->heave + middle) - middle * out[4 * r + 2];
    }
}

static void scaled(const float m[12], float x, float y, float z, float out[12])
{
    for (int r = 0; r < 3; r++) {
        out[4 * r] = m[4 * r] * x;
        out[4 * r + 1] = m[4 * r + 1] * y;
        out[4 * r + 2] = m[4 * r + 2] * z;
        out[4 * r + 3] = m[4 * r + 3];
    }
}

static vec point(const float m[12], float x, float y, float z)
{
    return (vec){m[0] * x + m[1] * y + m[2] * z + m[3], m[4] * x + m[5] * y + m[6] * z + m[7],
                 m[8] * x + m[9] * y + m[10] * z + m[11]};
}

void fleet_box(const fleet *f, const frame_car *car, vec out[8])
{
    float m[12];
    pose(f, car, m);
    for (int k = 0; k < 8; k++)
        out[k] = point(m, (k & 1 ? 0.5f : -0.5f) * (float)car->info.length,
                       (k & 2 ? 0.5f : -0.5f) * (float)car->info.width,
                       k & 4 ? (float)car->info.height : 0.0f);
}

float fleet_touch(const frame *now, const mc_impact *i)
{
    for (int k = 0; k < now->count; k++) {
        const frame_car *car = &now->car[k];
        if (car->body && (car->number == i->a || car->number == i->b))
            return (float)(i->point[2] + 0.5 * car->info.height) + CLEARANCE;
    }
    return 0.5f;
}

// ---- light about a vehicle ----

static void shade(fleet *f, const float m[12], float l, float w)
{
    scene_draw *d = scene_add(f->s, f->square, SCENE_SHADE);
    scaled(m, 0.585f * l, 0.76f * w, 1.0f, d->place);
    d->alpha = 0.62f;
    d->both_sides = true;
    for (int r = 0; r < 3; r++)
        d->place[4 * r + 3] += 0.02f * m[4 * r + 2];
}

static void shine(fleet *f, const float m[12], float l)
{
    scene_draw *d = scene_add(f->s, f->square, SCENE_POOL);
    scaled(m, 13.5f, 5.2f, 1.0f, d->place);
    d->both_sides = true;
    for (int r = 0; r < 3; r++)
        d->place[4 * r + 3] += (0.5f * l + 13.0f) * m[4 * r] + 0.03f * m[4 * r + 2];
}

// A lamp that shines along x of the vehicle, forward (1) or backward (-1): seen from there.
static void glow(fleet *f, const float m[12], vec at, float size, float forward, const float rgb[3])
{
    const camera *c = &f->s->view;
    const vec p = point(m, at.x, at.y, at.z), way = vec_sub(c->eye, p), v = vec_unit(way);
    const vec axis = vec_scale((vec){m[0], m[4], m[8]}, forward);
    const float seen = smoothf(0.0f, 0.55f, vec_dot(axis, v));
    if (!(seen > 0.0f))
        return;
    const float r = size * (1.0f + 0.004f * vec_length(way));
    const vec o = vec_along(p, v, 0.25f);
    scene_draw *d = scene_add(f->s, f->square, SCENE_GLOW);
    const float place[12] = {r * c->right.x, r * c->up.x, v.x, o.x,
                             r * c->right.y, r * c->up.y, v.y, o.y,
                             r * c->right.z, r * c->up.z, v.z, o.z};
    memcpy(d->place, place, sizeof place);
    d->both_sides = true;
    for (int k = 0; k < 3; k++)
        d->colour[k] = seen * rgb[k];
}

static void shine_all(fleet *f, const fleet_kind *k, const frame_car *car, const float m[12],
                      float distance)
{
    const float l = (float)car->info.length, w = (float)car->info.width;
    const float tall = (float)car->info.height / k->size[2];
    const float brake = car->brake > BRAKES ? 1.0f : 0.0f;
    const float white[3] = {1.0f, 0.93f, 0.8f};
    const float red[3] = {0.35f + 0.75f * brake, 0.01f + 0.02f * brake, 0.008f};
    for (int side = -1; side <= 1; side += 2) {
        if (k->size[3] > 0.0f)
            glow(f, m, (vec){0.5f * l + 0.03f, (float)side * 0.34f * w, k->size[3] * tall}, 0.85f,
                 1.0f, white);
        glow(f, m, (vec){-0.5f * l - 0.03f, (float)side * 0.36f * w, k->size[4] * tall},
             0.4f + 0.45f * brake, -1.0f, red);
    }
    if (distance < 300.0f && k->size[3] > 0.0f)
        shine(f, m, l);
}

// ---- bodies ----

static scene_draw *dress(fleet *f, const fleet_kind *k, const frame_car *car, int level)
{
    scene_draw *d = scene_add(f->s, k->level[level], SCENE_PAINT);
    const double sideways = car->v * sin(car->psi);
    fleet_paint(f, &car->info, car->number, d->colour);
    d->sheets = &k->sheets;
    d->roof = 0.86f * k->size[2];
    d->casts = level < 2;
    d->lamps[0] = car->brake > BRAKES ? 1.0f : f->evening ? 0.28f : 0.0f;
    d->lamps[1] = f->evening ? 1.0f : 0.0f;
    d->lamps[2] =
        fabs(sideways) > SIDEWAYS && fmod(f->t, 0.7) < 0.35 ? (sideways > 0 ? 1.0f : -1.0f) : 0.0f;
    d->lamps[3] = car->info.alone ? 0.0f : (float)(car->info.platoon & 3);
    return d;
}

// A wheel at a place of the body: round, as large as the body is tall, turned by the way travelled.
static void wheel(fleet *f, const fleet_kind *k, const frame_car *car, const float m[12], vec at,
                  float tall, const float *of)
{
    const float side = of[1] > 0.0f ? 1.0f : -1.0f;
    const float steer = of[2] > 0.5f ? (float)car->steer : 0.0f;
    const float spin = (float)fmod(car->x / (double)(k->wheel[0] * tall), 2.0 * M_PI) * side;
    const float c = cosf(steer) * side, s = sinf(steer) * side, cs = cosf(spin), ss = sinf(spin);
    scene_draw *d = scene_add(f->s, k->wheel_shape, SCENE_WHEEL);
    for (int r = 0; r < 3; r++) {
        const float forward = m[4 * r] * c + m[4 * r + 1] * s, up = m[4 * r + 2];
        d->place[4 * r] = tall * (forward * cs - up * ss);
        d->place[4 * r + 1] = tall * (m[4 * r + 1] * c - m[4 * r] * s);
        d->place[4 * r + 2] = tall * (forward * ss + up * cs);
    }
    d->place[3] = at.x, d->place[7] = at.y, d->place[11] = at.z;
    d->casts = true;
}

// Wheels stay round where a body is stretched: as large as their arch is, the shorter way.
static float round_scale(float along, float up)
{
    return fminf(1.25f * along, up);
}

static void rigid_body(fleet *f, fleet_kind *k, const frame_car *car, const float m[12], int level)
{
    const float kl = (float)car->info.length / k->size[0], kw = (float)car->info.width / k->size[1];
    const float kh = (float)car->info.height / k->size[2];
    scene_draw *d = dress(f, k, car, level);
    float leant[12];
    lean(car, m, leant);
    scaled(leant, kl, kw, kh, d->place);
    const float tall = round_scale(kl, kh);
    for (int i = 0; level == 0 && i < k->wheel_count; i++) {
        const float *w = k->wheels + 3 * i;
        wheel(f, k, car, m, point(m, w[0] * kl, w[1] * kw, k->wheel[0] * tall), tall, w);
    }
}

static void brick(fleet *f, const frame_car *car, const float m[12])
{
    scene_draw *d = scene_add(f->s, f->brick, SCENE_TINTED);
    fleet_paint(f, &car->info, car->number, d->colour);
    scaled(m, (float)car->info.length, (float)car->info.width, (float)car->info.height, d->place);
    d->white = true;
    d->roughness = 0.45f, d->metalness = 0.2f;
}

// A vehicle drawn by a file of the user: what is white takes its colour.
static void own_body(fleet *f, const fleet_look *look, const frame_car *car, const float m[12])
{
    scene_draw *d = scene_add(f->s, look->own, SCENE_TINTED);
    fleet_paint(f, &car->info, car->number, d->colour);
    scaled(m, (float)car->info.length / look->own_size[0],
           (float)car->info.width / look->own_size[1], (float)car->info.height / look->own_size[2],
           d->place);
    d->white = d->casts = d->both_sides = true; // whatever way its triangles turn
    d->roughness = 0.45f, d->metalness = 0.15f;
}

vec fleet_ellipsoid(const fleet *f, const frame_car *car, float axes[9], float resting[9])
{
    double F[9], R[9], A[9];
    const ground_spot q = fleet_spot(f, car);
    const float rest[3] = {0.5f * (float)car->info.length, 0.5f * (float)car->info.width,
                           0.5f * (float)car->info.height};
    strain_of_directors(car->pose, F);
    strain_rotation(F, R);
    strain_magnified(F, R, f->magnify, A);
    for (int j = 0; j < 3; j++) {
        const float x = (float)A[j], y = (float)A[3 + j], u = (float)R[j], v = (float)R[3 + j];
        axes[j] = (q.c * x - q.s * y) * rest[j];
        axes[3 + j] = (q.s * x + q.c * y) * rest[j];
        axes[6 + j] = (float)A[6 + j] * rest[j];
        resting[j] = (q.c * u - q.s * v) * rest[j];
        resting[3 + j] = (q.s * u + q.c * v) * rest[j];
        resting[6 + j] = (float)R[6 + j] * rest[j];
    }
    return (vec){q.at.x, q.at.y, q.at.z + rest[2] + CLEARANCE + (float)car->pose[2]};
}

// The skin of a kind under the affine map of a deformed body; wheels hang at points of its floor
// and stand on the road.
static void soft_body(fleet *f, fleet_kind *k, const frame_car *car)
{
    const ground_spot q = fleet_spot(f, car);
    const float rest[3] = {0.5f * (float)car->info.length, 0.5f * (float)car->info.width,
                           0.5f * (float)car->info.height};
    const float half[3] = {0.5f * k->size[0], 0.5f * k->size[1], 0.5f * (k->size[2] - CLEARANCE)};
    double F[9];
    float a[9], unstrained[9], r[12] = {0}; // in the picture; a times the semi-axes
    const vec o = fleet_ellipsoid(f, car, a, unstrained);
    strain_of_directors(car->pose, F);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r[4 * i + j] = unstrained[3 * i + j] / rest[j];
    scene_draw *d = dress(f, k, car, 0);
    const float origin[3] = {o.x, o.y, o.z}, middle = 0.5f * (k->size[2] + CLEARANCE);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            d->place[4 * i + j] = a[3 * i + j] / half[j];
        d->place[4 * i + 3] = origin[i] - d->place[4 * i + 2] * middle;
    }
    if (f->strain > 0.0) {
        const float share = (float)(strain_equivalent(F) / f->strain);
        strain_colour((double)share, d->tint);
        d->tint[3] = 0.9f * smoothf(0.03f, 0.25f, share);
    }
    const float tall = round_scale(rest[0] / half[0], (2.0f * rest[2] + CLEARANCE) / k->size[2]);
    for (int i = 0; i < k->wheel_count; i++) {
        const float *w = k->wheels + 3 * i;
        const float u = w[0] / half[0], v = w[1] / half[1];
        const vec at = {q.at.x + a[0] * u + a[1] * v, q.at.y + a[3] * u + a[4] * v,
                        q.at.z + tall * k->wheel[0]};
        wheel(f, k, car, r, at, tall, w);
    }
}

// ---- all of them ----

static void one_vehicle(fleet *f, const frame_car *car)
{
    const camera *c = &f->s->view;
    const ground_spot q = fleet_spot(f, car);
    const vec way = vec_sub(q.at, c->eye);
    const float far = vec_length(way);
    if (far > REACH || vec_dot(way, c->forward) < -30.0f)
        return;
    float m[12];
    pose(f, car, m);
    const fleet_look *look = fleet_look_of(f, &car->info);
    fleet_kind *k = look->kind < 0 ? NULL : &f->kind[look->kind];
    // Pixels of a metre decide, not metres.
    const float seen = far * 0.5f * 900.0f / tanf(0.332f) / c->scale;
    if (car->number == f->skip) {
        if (f->evening)
            shine(f, m, (float)car->info.length);
        return;
    }
    int level = 0;
    while (level < FLEET_LEVELS && seen > LIMITS[level])
        level++;
    if (look->own) {
        own_body(f, look, car, m);
    } else if (level == FLEET_LEVELS || !k) {
        brick(f, car, m);
    } else {
        make_ready(f, k);
        if (car->body && far < 400.0f) {
            soft_body(f, k, car);
        } else {
            rigid_body(f, k, car, m, level);
        }
    }
    if (far < SHADED)
        shade(f, m, (float)car->info.length, (float)car->info.width);
    if (f->evening && k && seen < 900.0f)
        shine_all(f, k, car, m, far);
}

bool fleet_draw(fleet *f, const frame *now)
{
    f->t = now->t;
    for (int k = 0; k < now->count; k++)
        one_vehicle(f, &now->car[k]);
    return !f->s->failed;
}

// ---- the driver's seat ----

void fleet_cabin(fleet *f, const frame_car *car)
{
    const ground_spot q = fleet_spot(f, car);
    const vec eye = f->s->view.eye;
    const float a = atan2f(q.s, q.c) + (float)car->psi, c = cosf(a), s = sinf(a);
    const float at[12] = {c, -s, 0, eye.x, s, c, 0, eye.y, 0, 0, 1, eye.z};
    static const char *const names[3] = {"cabin/inside", "cabin/wheel", "cabin/bonnet"};
    for (int k = 0; k < 3; k++) {
        scene_draw *d =
            scene_add(f->s, mesh_named(f, names[k]), k == 2 ? SCENE_SOLID : SCENE_TINTED);
        memcpy(d->place, at, sizeof at);
        d->both_sides = true;
        d->roughness = k == 2 ? 0.3f : 0.75f;
        d->metalness = k == 2 ? 0.3f : 0.0f;
        for (int i = 0; i < 3; i++)
            d->colour[i] = 1.0f;
        if (k == 2)
            fleet_paint(f, &car->info, car->number, d->colour);
        if (k != 1)
            continue;
        // Turned about its own axis, then tilted.
        const float turn = -look_floats("cabin/ratio", 1)[0] * (float)car->steer;
        const float ct = cosf(turn), st = sinf(turn), cl = cosf(-0.42f), sl = sinf(-0.42f);
        const float own[12] = {cl,  sl * st, sl * ct, 0.47f,   0,       ct,
                               -st, 0,       -sl,     cl * st, cl * ct, -0.34f};
        for (int r = 0; r < 3; r++)
            for (int j = 0; j < 4; j++)
                d->place[4 * r + j] = at[4 * r] * own[j] + at[4 * r + 1] * own[4 + j] +
                                      at[4 * r + 2] * own[8 + j] + (j == 3 ? at[4 * r + 3] : 0.0f);
    }
}

// ---- impacts ----

static const double RECENT = 0.3;  // s
static const float LONGEST = 2.0f; // m, of an arrow, tip included

// The tip is part of the length, so that lengths compare as impulses do.
static void arrow(fleet *f, vec from, vec along, float length, const float colour[3])
{
    mesh *m = scene_mesh(f->s);
    const vec side =
        fabsf(along.z) < 0.9f ? vec_unit(vec_cross((vec){0, 0, 1}, along)) : (vec){1, 0, 0};
    const vec up = vec_cross(along, side);
    const float head_length = fminf(0.26f, 0.6f * length);
    length -= head_length;
    const vec tip = vec_along(from, along, length);
    const float shaft[12] = {side.x, up.x, along.x * length, from.x,
                             side.y, up.y, along.y * length, from.y,
                             side.z, up.z, along.z * length, from.z};
    const float head[12] = {side.x, up.x, along.x * head_length, tip.x,
                            side.y, up.y, along.y * head_length, tip.y,
                            side.z, up.z, along.z * head_length, tip.z};
    mesh_cylinder(m, 0.03f, 0.03f, 14, shaft, NULL);
    mesh_cylinder(m, 0.09f, 0.0f, 18, head, NULL);
    mesh_close(m);
    scene_draw *d = scene_add(f->s, m, SCENE_SOLID);
    memcpy(d->colour, colour, 3 * sizeof *colour);
    d->roughness = 0.5f;
    d->in_front = true;
}

// Whether a later one of the same pair is shown.
static bool older(const mc_impact *impacts, int count, const mc_impact *i, double t)
{
    for (int k = 0; k < count; k++) {
        const mc_impact *o = &impacts[k];
        if (o != i && o->a == i->a && o->b == i->b && o->time <= t &&
            (o->time > i->time || (o->time == i->time && o > i)))
            return true;
    }
    return false;
}

// Whether an impact is drawn: the newest of its pair, up to RECENT old.
static bool is_shown(const frame *now, const mc_impact *impacts, int count, const mc_impact *i)
{
    const double age = now->t - i->time;
    return age >= 0.0 && age < RECENT && !older(impacts, count, i, now->t);
}

// 1, 2 or 5 times a power of ten, not below v.
static double round_above(double v)
{
    const double power = pow(10.0, floor(log10(v))), share = v / power;
    return power * (share <= 1.0 ? 1.0 : share <= 2.0 ? 2.0 : share <= 5.0 ? 5.0 : 10.0);
}

void fleet_impacts(fleet *f, const frame *now, const mc_impact *impacts, int count)
{
    const float *danger = look_of("ink", f->evening ? "evening/danger" : "day/danger", 3);
    const float colour[3] = {sky_to_linear(danger[0]), sky_to_linear(danger[1]),
                             sky_to_linear(danger[2])};
    double most = 0.0;
    for (int k = 0; k < count; k++)
        if (is_shown(now, impacts, count, &impacts[k]))
            most = fmax(most, fabs(impacts[k].impulse));
    f->impulse = most > 0.0 ? round_above(most / (double)LONGEST) : 0.0;
    for (int k = 0; k < count; k++) {
        const mc_impact *i = &impacts[k];
        if (!is_shown(now, impacts, count, i) || !(most > 0.0))
            continue;
        const ground_spot q = ground_at(f->g, i->point[0], i->point[1], 0);
        const vec at = {q.at.x, q.at.y, q.at.z + fleet_touch(now, i)};
        const float nx = (float)i->normal[0], ny = (float)i->normal[1];
        const vec n =
            vec_unit((vec){q.c * nx - q.s * ny, q.s * nx + q.c * ny, (float)i->normal[2]});
        const float length = (float)(fabs(i->impulse) / f->impulse);
        arrow(f, at, n, length, colour);
        arrow(f, at, vec_scale(n, -1.0f), length, colour);
    }
}
