// traffic.c - see traffic.h.
#include "picture/traffic.h"

#include "base/text.h"
#include "hdf5/results_read.h"
#include "picture/highway.h"
#include "picture/marks.h"
#include "picture/strain.h"
#include "render/look.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- what is looked at ----

static mc_status find_camera(traffic *s, mc_error *error)
{
    const char *name = s->o->camera ? s->o->camera : "platoon";
    for (int k = 0; k < AIM_COUNT; k++)
        if (strcmp(aim_names[k], name) == 0) {
            s->aim.camera = (aim_camera)k;
            return MC_OK;
        }
    const char *near = text_nearest(name, aim_names, AIM_COUNT);
    return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                        "unknown camera \"%.40s\"; %s%s%s platoon, chase, contact, driver, top or "
                        "free",
                        name, near ? "did you mean \"" : "", near ? near : "",
                        near ? "\"? Expected" : "expected");
}

// The impact nearest in time, of the vehicle that was asked for if there was one.
static const mc_impact *find_hit(const traffic *s, double t)
{
    const mc_impact *best = NULL;
    mc_replay_car car;
    for (int k = 0; k < s->impact_count; k++) {
        const mc_impact *i = &s->impacts[k];
        bool own = !s->o->vehicle;
        for (int side = 0; side < 2 && !own; side++) {
            mc_replay_car_at(s->r, side ? i->b : i->a, &car);
            own = strcmp(car.name, s->o->vehicle) == 0;
        }
        const double d = isnan(t) ? i->time : fabs(i->time - t);
        if (own && (!best || d < (isnan(t) ? best->time : fabs(best->time - t))))
            best = i;
    }
    return best;
}

static mc_status find_vehicle(traffic *s, mc_error *error)
{
    const char *name = s->o->vehicle;
    const mc_replay_info *info = mc_replay_info_of(s->r);
    if (!name)
        return MC_OK;
    const char **names = calloc((size_t)info->car_count + 1, sizeof *names);
    mc_replay_car car;
    for (int k = 0; names && k < info->car_count; k++) {
        mc_replay_car_at(s->r, k, &car);
        names[k] = car.name;
        if (strcmp(car.name, name) == 0) {
            free(names);
            return MC_OK;
        }
    }
    const char *near = names ? text_nearest(name, names, info->car_count) : NULL;
    mc_error_set(error, MC_BAD_INPUT, s->path, 0, 0, "no vehicle is called \"%.60s\"%s%s%s", name,
                 near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    free(names);
    return MC_BAD_INPUT;
}

static mc_status choose(traffic *s, mc_error *error)
{
    const mc_replay_info *info = mc_replay_info_of(s->r);
    double t = s->o->at;
    mc_status status = find_camera(s, error);
    if (status == MC_OK)
        status = find_vehicle(s, error);
    if (status != MC_OK)
        return status;
    s->impacts = mc_replay_impacts(s->r, &s->impact_count);
    s->hit = find_hit(s, t);
    if (s->aim.camera == AIM_CONTACT && !s->hit)
        return mc_error_set(
            error, MC_BAD_INPUT, s->path, 0, 0,
            "the camera \"contact\" needs a collision, and the recording has none%s%.60s",
            s->o->vehicle ? " of " : "", s->o->vehicle ? s->o->vehicle : "");
    if (isnan(t))
        t = s->aim.camera == AIM_CONTACT ? s->hit->time
            : info->row_count            ? mc_replay_time(s->r, info->row_count - 1)
                                         : 0.0;
    status = frame_read(s->r, s->path, t, &s->frame, error);
    if (status != MC_OK)
        return status;
    if (s->o->vehicle) {
        s->aim.subject = frame_find(&s->frame, s->o->vehicle);
        if (s->aim.subject < 0)
            return mc_error_set(error, MC_BAD_INPUT, s->path, 0, 0,
                                "%.60s is not on the road at %g s", s->o->vehicle, s->frame.t);
    } else if (s->aim.camera == AIM_CONTACT) {
        for (int k = 0; k < s->frame.count; k++)
            if (s->frame.car[k].number == s->hit->a)
                s->aim.subject = k;
    }
    s->aim.hit = s->hit;
    return MC_OK;
}

// The road of the scenario in the file: with the files it names, if they are still there.
static const mc_road *find_road(traffic *s)
{
    mc_error error;
    const mc_replay_info *info = mc_replay_info_of(s->r);
    const size_t length = strlen(info->scenario);
    if (!length)
        return NULL;
    results_reader *file = results_reader_open(s->path, &error);
    const char *from = file ? results_reader_text(file, "scenario_file") : NULL;
    s->scenario = from ? mc_scenario_parse(info->scenario, length, from, &error) : NULL;
    if (!s->scenario)
        s->scenario = mc_scenario_parse(info->scenario, length, s->path, &error);
    results_reader_free(file);
    return s->scenario ? mc_scenario_road(s->scenario) : NULL;
}

// ---- words ----

static int by_distance(const void *p, const void *q)
{
    const float a = *(const float *)p, b = *(const float *)q;
    return (a > b) - (a < b);
}

static void write_cards(const traffic *s, marks *k)
{
    typedef struct near {
        float distance;
        int car;
    } near;
    near *list = calloc((size_t)s->frame.count + 1, sizeof *list);
    int n = 0;
    for (int i = 0; list && i < s->frame.count; i++) {
        const vec at = fleet_spot(&s->fleet, &s->frame.car[i]).at;
        const float d = vec_length(vec_sub(at, s->scene.view.eye));
        if (d < 260.0f && s->frame.car[i].number != s->fleet.skip)
            list[n++] = (near){d, i};
    }
    if (n)
        qsort(list, (size_t)n, sizeof *list, by_distance);
    for (int i = 0; i < n && i < 24; i++) {
        const frame_car *car = &s->frame.car[list[i].car];
        char value[64] = "";
        vec at = fleet_spot(&s->fleet, car).at;
        at.z += (float)car->info.height + 0.1f;
        static const char *const inks[4] = {"a", "b", "c", "d"};
        char entry[32];
        snprintf(entry, sizeof entry, "%s/%s", s->fleet.evening ? "evening" : "day",
                 car->info.alone ? "ink" : inks[car->info.platoon & 3]);
        if (list[i].distance < 70.0f)
            snprintf(value, sizeof value, "%.2f m/s", car->v);
        marks_card(k, at, car->info.name, look_of("ink", entry, 3), value);
    }
    free(list);
}

// Deformable bodies: the ellipsoid of the model without strain, dashed, and as it is.
static void write_outlines(const traffic *s, marks *k)
{
    for (int i = 0; i < s->frame.count; i++) {
        const frame_car *car = &s->frame.car[i];
        float axes[9], resting[9];
        if (!car->body)
            continue;
        const vec o = fleet_ellipsoid(&s->fleet, car, axes, resting);
        if (vec_length(vec_sub(o, s->scene.view.eye)) > 40.0f)
            continue;
        marks_ellipsoid(k, o, resting, true);
        marks_ellipsoid(k, o, axes, false);
    }
}

// The contact of the camera: who, how fast, how hard.
static void write_contact(const traffic *s, marks *k)
{
    const mc_impact *hit = s->hit;
    // Of the same two the newest, whose arrows are drawn.
    for (int i = 0; hit && i < s->impact_count; i++) {
        const mc_impact *o = &s->impacts[i];
        if (o->a == s->hit->a && o->b == s->hit->b && o->time <= s->frame.t &&
            (hit->time > s->frame.t || o->time >= hit->time))
            hit = o;
    }
    const double age = hit ? s->frame.t - hit->time : NAN;
    if (s->aim.camera != AIM_CONTACT || !(fabs(age) < 0.3))
        return;
    char name[160], value[64];
    mc_replay_car a, b;
    mc_replay_car_at(s->r, hit->a, &a);
    const bool other = hit->b < mc_replay_info_of(s->r)->car_count;
    if (other)
        mc_replay_car_at(s->r, hit->b, &b);
    snprintf(name, sizeof name, "%.60s, %.60s", a.name, other ? b.name : "obstacle");
    snprintf(value, sizeof value, "closing %.2f m/s, %.3g kN s", hit->closing,
             1e-3 * fabs(hit->impulse));
    const ground_spot q = ground_at(&s->ground, hit->point[0], hit->point[1], 0);
    const vec at = {q.at.x, q.at.y, q.at.z + fleet_touch(&s->frame, hit)};
    marks_card(k, at, name, look_of("ink", s->fleet.evening ? "evening/danger" : "day/danger", 3),
               value);
}

// Below the time: what the drawing itself was told, and its scales.
static void note(const traffic *s, char *out, size_t size)
{
    const char *then = "";
    *out = '\0';
    if (s->o->magnify != 1.0) {
        snprintf(out, size, "deformation x %g", s->o->magnify);
        then = "; ";
    }
    if (s->o->strain) {
        snprintf(out + strlen(out), size - strlen(out), "%scontact ellipsoids, at rest dashed",
                 then);
        then = "; ";
    }
    if (s->fleet.impulse > 0.0)
        snprintf(out + strlen(out), size - strlen(out), "%sarrows: %g kN s per m", then,
                 1e-3 * s->fleet.impulse);
}

static mc_status write_words(traffic *s, image *out, mc_error *error)
{
    if (!s->o->labels && !s->o->strain)
        return MC_OK;
    marks *k = marks_open(out, &s->scene.view, s->fleet.evening);
    if (!k)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the labels");
    if (s->o->strain && s->fleet.strain > 0.0)
        marks_legend(k, "Equivalent strain", 100.0 * s->fleet.strain, "%", strain_colour);
    if (s->o->labels) {
        char text[64];
        if (s->o->strain)
            write_outlines(s, k);
        write_contact(s, k);
        write_cards(s, k);
        const double since = s->hit ? s->frame.t - s->hit->time : NAN;
        const bool near = s->aim.camera == AIM_CONTACT && fabs(since) < 1.0;
        snprintf(text, sizeof text, "%.*f s", near ? 4 : 2, s->frame.t);
        char what[160];
        note(s, what, sizeof what);
        marks_clock(k, text, what);
    }
    marks_close(k);
    return MC_OK;
}

// ---- the picture ----

// A round number at the end of the scale: not below the largest strain of the bodies shown.
static double strain_scale(const frame *f)
{
    double most = 1e-4;
    for (int k = 0; k < f->count; k++)
        if (f->car[k].body) {
            double F[9];
            strain_of_directors(f->car[k].pose, F);
            most = fmax(most, strain_equivalent(F));
        }
    return strain_scale_end(most);
}

static mc_status check_strain(const traffic *s, mc_error *error)
{
    if (!s->o->strain)
        return MC_OK;
    for (int k = 0; k < s->frame.count; k++)
        if (s->frame.car[k].body)
            return MC_OK;
    return mc_error_set(error, MC_BAD_INPUT, s->path, 0, 0,
                        "--strain needs a deformable vehicle, and none is there at %g s",
                        s->frame.t);
}

static mc_status compose(traffic *s, mc_error *error)
{
    const mc_render_options *o = s->o;
    const bool dark = strcmp(o->theme, "evening") == 0;
    const frame_car *car = &s->frame.car[s->aim.subject];
    const mc_replay_info *info = mc_replay_info_of(s->r);
    s->ground = (ground){.lane_count = info->lane_count, .lane_width = info->lane_width};
    const bool away = s->aim.camera == AIM_FREE;
    ground_set(&s->ground, find_road(s), away ? o->look[0] : car->x, away ? 0 : car->path);
    bool good = scene_begin(&s->scene, o->theme, (float)ground_turn(&s->ground)) &&
                fleet_begin(&s->fleet, &s->scene, &s->ground, o->theme);
    if (good) {
        s->fleet.scenario = s->scenario;
        s->fleet.magnify = o->magnify;
        s->fleet.strain = o->strain ? strain_scale(&s->frame) : 0.0;
        s->fleet.skip = s->aim.camera == AIM_DRIVER ? car->number : -1;
        s->aim.width = o->width, s->aim.height = o->height;
        s->scene.view = aim_place(&s->fleet, &s->frame, &s->aim, &s->scene.focus);
        const float distance = vec_length(vec_sub(s->scene.view.eye, s->scene.focus));
        s->scene.reach = clampf(1.4f * distance, 14.0f, 60.0f);
        good = highway_build(&s->scene, &s->ground, s->ground.origin, dark) &&
               fleet_draw(&s->fleet, &s->frame);
    }
    if (!good)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory left for the picture");
    fleet_obstacles(&s->fleet);
    if (s->aim.camera == AIM_DRIVER)
        fleet_cabin(&s->fleet, car);
    fleet_impacts(&s->fleet, &s->frame, s->impacts, s->impact_count);
    return MC_OK;
}

mc_status traffic_open(traffic *s, const char *results, const mc_render_options *o, mc_error *error)
{
    *s = (traffic){.path = results, .o = o, .r = mc_replay_load(results, NULL, error)};
    if (!s->r)
        return error->code;
    for (int k = 0; k < 3; k++) {
        s->aim.from[k] = o->from[k];
        s->aim.at[k] = o->look[k];
    }
    mc_status status = choose(s, error);
    if (status == MC_OK)
        status = check_strain(s, error);
    return status == MC_OK ? compose(s, error) : status;
}

mc_status traffic_draw(traffic *s, image *out, mc_error *error)
{
    mc_status status = image_draw(&s->scene, s->o->threads, out, error);
    if (status == MC_OK && (status = write_words(s, out, error)) != MC_OK)
        image_free(out);
    return status;
}

void traffic_close(traffic *s)
{
    scene_end(&s->scene);
    frame_free(&s->frame);
    mc_scenario_free(s->scenario);
    mc_replay_free(s->r);
    *s = (traffic){0};
}
