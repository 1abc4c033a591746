// aim.c - see aim.h.
#include "picture/aim.h"

#include "render/look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const aim_names[AIM_COUNT] = {"platoon", "chase", "contact", "driver", "top", "free"};
static const float FOV = 0.6632f, FOV_DRIVER = 1.0123f; // rad: 38 and 58 degrees
static const double NEAR = 220.0;                       // m: of a longer platoon only this part
static const float MARGIN = 0.6f;                       // m between the camera and a body

typedef struct held { // what must be in the picture
    vec *point;
    int count;
} held;

static bool holds(const camera *c, const held *h, float wide, float tall)
{
    for (int k = 0; k < h->count; k++) {
        double x, y;
        if (!camera_pixel(c, h->point[k], &x, &y))
            return false;
        if (fabs(2.0 * x / c->width - 1.0) > (double)wide ||
            fabs(2.0 * y / c->height - 1.0) > (double)tall)
            return false;
    }
    return true;
}

// Moves the eye out of the bodies around it, to the nearest side or above.
static void keep_out(const fleet *f, const frame *now, vec *eye)
{
    for (int k = 0; k < now->count; k++) {
        const frame_car *car = &now->car[k];
        const ground_spot q = fleet_spot(f, car);
        if (fabsf(q.at.x - eye->x) > 30.0f || fabsf(q.at.y - eye->y) > 30.0f)
            continue;
        const float a = atan2f(q.s, q.c) + (float)car->psi, c = cosf(a), s = sinf(a);
        const float along = c * (eye->x - q.at.x) + s * (eye->y - q.at.y);
        const float side = c * (eye->y - q.at.y) - s * (eye->x - q.at.x);
        const float dl = 0.5f * (float)car->info.length + MARGIN - fabsf(along);
        const float dw = 0.5f * (float)car->info.width + MARGIN - fabsf(side);
        const float dh = (float)car->info.height + MARGIN - (eye->z - q.at.z);
        if (dl <= 0.0f || dw <= 0.0f || dh <= 0.0f)
            continue;
        if (dh <= dl && dh <= dw) {
            eye->z += dh;
            continue;
        }
        const float n = dl < dw ? copysignf(dl, along) : 0.0f;
        const float out = dl < dw ? 0.0f : copysignf(dw, side);
        eye->x += n * c - out * s;
        eye->y += n * s + out * c;
    }
}

static float heading(const ground_spot *q, const frame_car *car)
{
    return atan2f(q->s, q->c) + (float)car->psi;
}

// In the driver's seat, a little left of the middle.
static camera sit(const fleet *f, const frame_car *car, const aim *a, vec *focus)
{
    const ground_spot q = fleet_spot(f, car);
    const float psi = heading(&q, car), tall = (float)car->info.height, c = cosf(psi),
                s = sinf(psi);
    const float eyes = tall > 2.4f ? 0.62f * tall : 0.82f * tall;
    const vec eye = {q.at.x - 0.2f * c - 0.36f * s, q.at.y - 0.2f * s + 0.36f * c, q.at.z + eyes};
    *focus = (vec){eye.x + 14.0f * c, eye.y + 14.0f * s, q.at.z};
    const float rise = 10.0f * sinf((float)ground_slope(f->g, car->x));
    return camera_look(eye, (vec){eye.x + 10.0f * c, eye.y + 10.0f * s, eye.z - 0.55f + rise},
                       FOV_DRIVER, a->width, a->height);
}

static int by_x(const void *p, const void *q)
{
    const double a = (*(const frame_car *const *)p)->x, b = (*(const frame_car *const *)q)->x;
    return (a > b) - (a < b);
}

// The cars of the subject's platoon from the last to the first; of a car without one itself.
static held platoon_of(const fleet *f, const frame *now, int subject, const frame_car **last)
{
    held h = {calloc(8 * (size_t)now->count + 8, sizeof *h.point), 0};
    const frame_car **list = calloc((size_t)now->count + 1, sizeof *list);
    const mc_replay_car *own = &now->car[subject].info;
    int n = 0;
    for (int k = 0; list && h.point && k < now->count; k++)
        if (k == subject ||
            (!own->alone && !now->car[k].info.alone && now->car[k].info.platoon == own->platoon &&
             fabs(now->car[k].x - now->car[subject].x) < NEAR))
            list[n++] = &now->car[k];
    *last = &now->car[subject];
    if (n) {
        qsort(list, (size_t)n, sizeof *list, by_x);
        *last = list[0];
    }
    for (int k = 0; k < n; k++, h.count += 8)
        fleet_box(f, list[k], h.point + h.count);
    free(list);
    return h;
}

// The eight corners of both cars that touch.
static held pair_of(const fleet *f, const frame *now, const mc_impact *hit)
{
    held h = {calloc(16, sizeof *h.point), 0};
    for (int k = 0; h.point && k < now->count && h.count < 16; k++)
        if (now->car[k].number == hit->a || now->car[k].number == hit->b) {
            fleet_box(f, &now->car[k], h.point + h.count);
            h.count += 8;
        }
    return h;
}

static vec middle_of(const held *h)
{
    vec sum = {0};
    for (int k = 0; k < h->count; k++)
        sum = vec_along(sum, h->point[k], 1.0f / (float)h->count);
    return sum;
}

// Stands back along its orbit until all it has to hold is in the picture.
static camera stand(const fleet *f, const frame *now, const aim *a, vec focus, vec at, float psi,
                    const held *h)
{
    const float *orbit = look_of("camera", aim_names[a->camera], 3);
    const bool contact = a->camera == AIM_CONTACT, platoon = a->camera == AIM_PLATOON;
    camera c = {0};
    float far = 1.0f;
    for (int k = 0; k < 80; k++, far *= 1.04f) {
        const float distance = orbit[2] * far, flat = distance * cosf(orbit[1]);
        vec eye = {focus.x + flat * cosf(orbit[0] + psi), focus.y + flat * sinf(orbit[0] + psi),
                   focus.z + distance * sinf(orbit[1]) + (contact ? 0.3f : 0.8f)};
        if (f->g->straight)
            eye.z = fmaxf(eye.z, (float)ground_height(f->g, f->g->origin + (double)eye.x) + 0.25f);
        keep_out(f, now, &eye);
        c = camera_look(eye, at, FOV, a->width, a->height);
        if (!(platoon || contact) || holds(&c, h, contact ? 0.8f : 0.88f, contact ? 0.72f : 0.82f))
            break;
    }
    return c;
}

static camera free_camera(const fleet *f, const aim *a, vec *focus)
{
    const ground_spot p = ground_at(f->g, a->from[0], a->from[1], 0);
    const ground_spot q = ground_at(f->g, a->at[0], a->at[1], 0);
    const vec eye = {p.at.x, p.at.y, p.at.z + (float)a->from[2]};
    *focus = (vec){q.at.x, q.at.y, q.at.z + (float)a->at[2]};
    return camera_look(eye, *focus, FOV, a->width, a->height);
}

camera aim_place(const fleet *f, const frame *now, const aim *a, vec *focus)
{
    const frame_car *car = &now->car[a->subject], *last = car;
    if (a->camera == AIM_FREE)
        return free_camera(f, a, focus);
    if (a->camera == AIM_DRIVER)
        return sit(f, car, a, focus);
    held h = {0};
    if (a->camera == AIM_PLATOON)
        h = platoon_of(f, now, a->subject, &last);
    else if (a->camera == AIM_CONTACT)
        h = pair_of(f, now, a->hit);
    const ground_spot q = fleet_spot(f, last);
    *focus = (vec){q.at.x, q.at.y, q.at.z + 0.7f};
    float psi = a->camera == AIM_PLATOON ? atan2f(q.s, q.c) : heading(&q, car);
    vec at = {focus->x, focus->y, focus->z + 0.6f};
    if (a->camera == AIM_PLATOON && h.count > 8)
        at = vec_add(at, vec_scale(vec_sub(h.point[h.count - 8], *focus), 0.12f));
    if (a->camera == AIM_CONTACT && h.count) {
        *focus = middle_of(&h);
        at = *focus;
        psi = atan2f(q.s, q.c);
    }
    const camera c = stand(f, now, a, *focus, at, psi, &h);
    free(h.point);
    return c;
}
