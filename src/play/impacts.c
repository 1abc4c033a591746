// impacts.c - see impacts.h.
#include "play/impacts.h"

#include "motorcade/collisions.h"

#include <stdlib.h>
#include <string.h>

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0,
                        "no memory for the impacts of a recording");
}

// Will nothing be added to an impact any more?
static bool is_over(const mc_recording *rec, const mc_impact *i)
{
    return i->time + i->duration < mc_run_time(rec->run) - 2.0 * MC_COLLISIONS_QUIET;
}

// A vehicle or an obstacle as the file counts them; obstacles come after the first vehicles.
static int number_of(const mc_recording *rec, int body)
{
    const int fixed = body - mc_run_vehicle_count(rec->run);
    if (fixed >= 0)
        return rec->count + fixed;
    const int v = play_vehicle(rec, body, mc_run_vehicle_name(rec->run, body));
    return v < 0 ? -1 : record_number(rec->record, v);
}

// A name that lives as long as the recording.
static const char *kept_name(mc_recording *rec, int body)
{
    const char *name = mc_run_vehicle_name(rec->run, body);
    const int v = body < mc_run_vehicle_count(rec->run) ? play_vehicle(rec, body, name) : -1;
    if (v >= 0)
        return v < rec->count ? rec->names[v] : rec->late[v - rec->count].name;
    return arena_copy_text(&rec->memory, name, strlen(name));
}

// ---- what is seen, and what has gone ----

static bool is_same(const mc_run *run, const play_impact *seen, const mc_impact *i)
{
    const char *a = mc_run_vehicle_name(run, i->a), *b = mc_run_vehicle_name(run, i->b);
    return seen->time == i->time &&
           ((strcmp(a, seen->name[0]) == 0 && strcmp(b, seen->name[1]) == 0) ||
            (strcmp(b, seen->name[0]) == 0 && strcmp(a, seen->name[1]) == 0));
}

// The same impact, told of b and a. Vehicles are numbered as they join, so the first of a run may
// have the larger number.
static mc_impact turn(const mc_impact *i)
{
    mc_impact out = *i;
    out.a = i->b, out.b = i->a;
    for (int k = 0; k < 3; k++) {
        out.point[k] = i->point[k] + i->gap * i->normal[k];
        out.normal[k] = -i->normal[k];
        out.tangential[k] = -i->tangential[k];
    }
    for (int side = 0; side < 2; side++) {
        memcpy(out.velocity_before[side], i->velocity_before[!side], sizeof out.velocity_before[0]);
        memcpy(out.velocity_after[side], i->velocity_after[!side], sizeof out.velocity_after[0]);
        out.before[side] = i->before[!side];
        out.after[side] = i->after[!side];
    }
    return out;
}

static mc_status keep_gone(mc_recording *rec, const play_impact *i, mc_error *error)
{
    if (rec->gone_count == rec->gone_room) {
        const int room = 2 * rec->gone_room + 16;
        mc_impact *grown = realloc(rec->gone, (size_t)room * sizeof *grown);
        rec->gone = grown ? grown : rec->gone;
        const char *(*names)[2] = realloc(rec->gone_names, (size_t)room * sizeof *names);
        rec->gone_names = names ? names : rec->gone_names;
        if (!grown || !names)
            return no_memory(error);
        rec->gone_room = room;
    }
    const bool turned = i->impact.a > i->impact.b;
    rec->gone_names[rec->gone_count][0] = i->name[turned];
    rec->gone_names[rec->gone_count][1] = i->name[!turned];
    rec->gone[rec->gone_count++] = turned ? turn(&i->impact) : i->impact;
    rec->gone_energy += i->impact.friction_loss + i->impact.restitution_loss;
    return MC_OK;
}

// Another version has the impacts of what is still there, in the same order. The others are written
// now, unless they were before.
static mc_status drop_gone(mc_recording *rec, mc_error *error)
{
    int count, kept = 0, written = 0, settled = 0;
    const mc_impact *now = mc_run_impacts(rec->run, &count);
    const int before = rec->gone_count;
    mc_status status = MC_OK;
    for (int k = 0; k < rec->seen_count && status == MC_OK; k++) {
        const play_impact was = rec->seen[k];
        if (kept < count && is_same(rec->run, &was, &now[kept])) {
            written += k < rec->impacts_written;
            settled += k < rec->settled;
            rec->seen[kept++] = was;
            continue;
        }
        status = keep_gone(rec, &was, error);
        if (status == MC_OK && rec->output.hdf5 && k >= rec->impacts_written && was.impact.a >= 0 &&
            was.impact.b >= 0)
            status = record_impact(rec->record, &was.impact, was.impact.a, was.impact.b, error);
    }
    rec->seen_count = kept;
    rec->impacts_written = written;
    rec->settled = settled;
    if (status != MC_OK || rec->gone_count == before)
        return status;
    free(rec->gone_collisions);
    rec->gone_collisions = NULL;
    rec->gone_collision_count = 0;
    return mc_collisions_from_impacts(rec->gone, rec->gone_count, MC_COLLISIONS_QUIET,
                                      &rec->gone_collisions, &rec->gone_collision_count, error);
}

bool mc_recording_gone(const mc_recording *rec, int i, mc_collision *out, const char *names[2])
{
    if (i < 0 || i >= rec->gone_collision_count)
        return false;
    *out = rec->gone_collisions[i];
    int k = 0;
    while (k + 1 < rec->gone_count && (rec->gone[k].a != out->a || rec->gone[k].b != out->b))
        k++;
    memcpy(names, rec->gone_names[k], sizeof rec->gone_names[k]);
    return true;
}

static mc_status see(mc_recording *rec, int k, const mc_impact *i, mc_error *error)
{
    if (k >= rec->seen_room) {
        const int room = 2 * rec->seen_room + 16;
        play_impact *grown = realloc(rec->seen, (size_t)room * sizeof *grown);
        if (!grown)
            return no_memory(error);
        rec->seen = grown;
        rec->seen_room = room;
    }
    play_impact *s = &rec->seen[k];
    if (k == rec->seen_count) {
        *s = (play_impact){.time = i->time, .name = {kept_name(rec, i->a), kept_name(rec, i->b)}};
        if (!s->name[0] || !s->name[1])
            return no_memory(error);
        rec->seen_count++;
    }
    mc_run_unroll(rec->run, i, &s->impact);
    s->impact.a = number_of(rec, i->a);
    s->impact.b = number_of(rec, i->b);
    return MC_OK;
}

mc_status play_impacts_follow(mc_recording *rec, mc_error *error)
{
    mc_status status = MC_OK;
    if (rec->seen_version != rec->version)
        status = drop_gone(rec, error);
    rec->seen_version = rec->version;
    int count;
    const mc_impact *impacts = mc_run_impacts(rec->run, &count);
    for (int k = rec->settled; k < count && status == MC_OK; k++)
        status = see(rec, k, &impacts[k], error);
    while (rec->settled < rec->seen_count && is_over(rec, &impacts[rec->settled]))
        rec->settled++;
    return status;
}

void play_impacts_free(mc_recording *rec)
{
    free(rec->seen);
    free(rec->gone);
    free(rec->gone_names);
    free(rec->gone_collisions);
}

// ---- files and figures ----

mc_status play_impacts_write(mc_recording *rec, bool ended, mc_error *error)
{
    int count;
    const mc_impact *impacts = mc_run_impacts(rec->run, &count);
    for (; rec->impacts_written < count && (ended || is_over(rec, &impacts[rec->impacts_written]));
         rec->impacts_written++) {
        const mc_impact *i = &impacts[rec->impacts_written];
        const int a = number_of(rec, i->a), b = number_of(rec, i->b);
        if (a < 0 || b < 0)
            continue;
        mc_impact told;
        mc_run_unroll(rec->run, i, &told);
        const mc_status status = record_impact(rec->record, &told, a, b, error);
        if (status != MC_OK)
            return status;
    }
    return MC_OK;
}

// Collisions so far, as the report will list them, and what contacts took: each by itself, since
// energies after one hold what others did at the same instant.
mc_status play_impacts_figures(mc_recording *rec, mc_error *error)
{
    int count, collision_count = 0;
    const mc_impact *impacts = mc_run_impacts(rec->run, &count);
    mc_collision *collisions = NULL;
    if (count == 0 && rec->gone_count == 0)
        return MC_OK;
    const mc_status status = count > 0
                                 ? mc_collisions_from_impacts(impacts, count, MC_COLLISIONS_QUIET,
                                                              &collisions, &collision_count, error)
                                 : MC_OK;
    if (status != MC_OK)
        return status;
    free(collisions);
    double lost = 0.0;
    for (int k = 0; k < count; k++)
        lost += impacts[k].friction_loss + impacts[k].restitution_loss;
    mc_figures_set_collisions(rec->figures, collision_count + rec->gone_collision_count,
                              lost + rec->gone_energy);
    return MC_OK;
}
