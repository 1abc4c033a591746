// collisions.c - micro-impacts sorted by pair and time, cut at the quiet times, and written.
#include "motorcade/collisions.h"

#include "base/file.h"
#include "num/vec3.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CELL = 32, VEHICLES_WIDTH = 11 }; // room for a printed number; least width of "1-2"

// Below this a relative speed says nothing about a bounce. m/s
static const double min_speed = 1e-6;

// ---- the columns ----

#define AT(field) .offset = offsetof(mc_collision, field)

static const mc_collision_column columns[] = {
    {"vehicle_a", "", "number of one vehicle, from 0", .is_int = 1, AT(a)},
    {"vehicle_b", "", "number of the other, larger", .is_int = 1, AT(b)},
    {"first", "s", "time of the first micro-impact", "first", 9, 4, AT(first)},
    {"last", "s", "time of the last micro-impact", "last", 9, 4, AT(last)},
    {"impacts", "", "number of micro-impacts", "impacts", 8, 0, .is_int = 1, AT(impact_count)},
    {"closing", "m/s", "closing speed of the surfaces at first contact", "closing", 8, 3,
     AT(closing)},
    {"relative_before", "m/s",
     "speed of mass centre b relative to a along the normal before the first micro-impact; "
     "negative: they approach",
     "before", 8, 3, AT(relative_before)},
    {"relative_after", "m/s", "the same after the last micro-impact; positive: they separate",
     "after", 8, 3, AT(relative_after)},
    {"restitution", "", "-relative_after / relative_before", "restit.", 8, 3, AT(restitution)},
    {"impulse", "N s", "impulse between the two, all micro-impacts", "impulse", 10, 1, AT(impulse)},
    {"impulse_largest", "N s", "impulse of the hardest micro-impact", AT(impulse_largest)},
    {"normal_x", "", "direction of the whole impulse on b, unit vector, world x", AT(normal[0])},
    {"normal_y", "", "its world y", AT(normal[1])},
    {"normal_z", "", "its world z", AT(normal[2])},
    {"point_x", "m", "first point of contact, world x", AT(point[0])},
    {"point_y", "m", "its world y", AT(point[1])},
    {"point_z", "m", "its world z", AT(point[2])},
    {"kinetic_a_before", "J", "kinetic energy of a before the first micro-impact",
     AT(before[0].kinetic)},
    {"kinetic_b_before", "J", "the same for b", AT(before[1].kinetic)},
    {"kinetic_a_after", "J", "kinetic energy of a after the last micro-impact",
     AT(after[0].kinetic)},
    {"kinetic_b_after", "J", "the same for b", AT(after[1].kinetic)},
    {"energy_before", "J",
     "kinetic, elastic, spring and gravity energy of both before the first micro-impact",
     AT(energy_before)},
    {"energy_after", "J", "the same after the last micro-impact", AT(energy_after)},
    {"vibration", "J", "energy gained by the vibration of both", "vibration", 10, 1, AT(vibration)},
    {"damped", "J", "energy dissipated by the dampers of both", "damped", 10, 1, AT(damped)},
    {"slipped", "J", "energy dissipated by slipping tyres of both", AT(slipped)},
    {"crushed", "J", "energy absorbed by permanent deformation of both", AT(crushed)},
    {"tangential", "N s", "magnitude of the friction impulse between the two, all micro-impacts",
     AT(tangential_size)},
    {"tangential_x", "N s", "that impulse on b, world x", AT(tangential[0])},
    {"tangential_y", "N s", "its world y", AT(tangential[1])},
    {"tangential_z", "N s", "its world z", AT(tangential[2])},
    {"friction_loss", "J", "energy dissipated by friction between the two", AT(friction_loss)},
    {"restitution_loss", "J", "energy lost through restitution below 1", AT(restitution_loss)},
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

const mc_collision_column *mc_collision_columns(int *count)
{
    *count = COLUMN_COUNT;
    return columns;
}

double mc_collision_value(const mc_collision *collision, const mc_collision_column *column)
{
    const char *at = (const char *)collision + column->offset;
    if (!column->is_int) {
        double value;
        memcpy(&value, at, sizeof value);
        return value;
    }
    int value;
    memcpy(&value, at, sizeof value);
    return value;
}

// ---- micro-impacts to collisions ----

typedef struct impact_key {
    uint64_t pair;    // a in the high half, b in the low: ordered as (a, b)
    double time, end; // s, of contact
    int index;        // in the list given
} impact_key;

typedef struct group { // micro-impacts of one collision: a run of sorted keys
    const impact_key *key;
    int count;
} group;

static int key_order(const void *p, const void *q)
{
    const impact_key *a = p, *b = q;
    if (a->pair != b->pair)
        return a->pair < b->pair ? -1 : 1;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static int group_order(const void *p, const void *q)
{
    const impact_key *a = ((const group *)p)->key, *b = ((const group *)q)->key;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->pair > b->pair) - (a->pair < b->pair);
}

static double energy_sum(const mc_energy energy[2])
{
    double sum = 0.0;
    for (int k = 0; k < 2; k++)
        sum += energy[k].kinetic + energy[k].elastic + energy[k].spring + energy[k].gravity;
    return sum;
}

// Velocity of b relative to a along n.
static double along(const double n[3], const double velocity[2][3])
{
    return vec3_dot(n, velocity[1]) - vec3_dot(n, velocity[0]);
}

static mc_collision collision_of(const mc_impact *impacts, const group *g)
{
    const mc_impact *first = &impacts[g->key[0].index];
    const mc_impact *last = &impacts[g->key[g->count - 1].index];
    mc_collision c = {.a = first->a,
                      .b = first->b,
                      .impact_count = g->count,
                      .first = first->time,
                      .last = last->time + last->duration,
                      .closing = first->closing,
                      .relative_before = along(first->normal, first->velocity_before),
                      .relative_after = along(first->normal, last->velocity_after),
                      .restitution = NAN};
    if (fabs(c.relative_before) >= min_speed)
        c.restitution = -c.relative_after / c.relative_before;

    // Direction of the sum of the impulses; the first normal where that has none.
    double whole[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < g->count; i++) {
        const mc_impact *impact = &impacts[g->key[i].index];
        c.impulse += impact->impulse;
        c.impulse_largest = fmax(c.impulse_largest, impact->impulse);
        c.friction_loss += impact->friction_loss;
        c.restitution_loss += impact->restitution_loss;
        for (int k = 0; k < 3; k++) {
            whole[k] += impact->impulse * impact->normal[k];
            c.tangential[k] += impact->tangential[k];
        }
    }
    c.tangential_size = vec3_norm(c.tangential);
    const double length = vec3_norm(whole);
    for (int k = 0; k < 3; k++) {
        c.normal[k] = length > 0.0 ? whole[k] / length : first->normal[k];
        c.point[k] = first->point[k];
    }

    memcpy(c.before, first->before, sizeof c.before);
    memcpy(c.after, last->after, sizeof c.after);
    c.energy_before = energy_sum(c.before);
    c.energy_after = energy_sum(c.after);
    for (int k = 0; k < 2; k++) {
        c.vibration += c.after[k].vibration - c.before[k].vibration;
        c.damped += c.after[k].damped - c.before[k].damped;
        c.slipped += c.after[k].slipped - c.before[k].slipped;
        c.crushed += c.after[k].crushed - c.before[k].crushed;
    }
    return c;
}

// Fills keys, sorted; fails on an impact that no world makes.
static mc_status sort_impacts(const mc_impact *impacts, int count, impact_key *keys,
                              mc_error *error)
{
    for (int i = 0; i < count; i++) {
        const mc_impact *impact = &impacts[i];
        if (impact->a < 0 || impact->a >= impact->b)
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                "impact %d: vehicles %d and %d; expected 0 <= a < b", i, impact->a,
                                impact->b);
        if (!isfinite(impact->time))
            return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0, "impact %d: time is not finite",
                                i);
        keys[i] = (impact_key){(uint64_t)impact->a << 32 | (uint64_t)impact->b, impact->time,
                               impact->time + fmax(impact->duration, 0.0), i};
    }
    qsort(keys, (size_t)count, sizeof *keys, key_order);
    return MC_OK;
}

// Cuts the sorted keys where the pair changes or was quiet; returns the number of groups.
static int cut_groups(const impact_key *keys, int count, double quiet, group *groups)
{
    int group_count = 0;
    double end = 0.0; // of the contact so far
    for (int i = 0; i < count; i++) {
        if (i == 0 || keys[i].pair != keys[i - 1].pair || keys[i].time - end > quiet) {
            groups[group_count++] = (group){&keys[i], 0};
            end = keys[i].end;
        }
        groups[group_count - 1].count++;
        end = fmax(end, keys[i].end);
    }
    return group_count;
}

mc_status mc_collisions_from_impacts(const mc_impact *impacts, int count, double quiet,
                                     mc_collision **out, int *out_count, mc_error *error)
{
    *out = NULL;
    *out_count = 0;
    if (!(quiet >= 0.0))
        return mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                            "quiet time of %g s between collisions; expected 0 or more", quiet);
    if (count <= 0)
        return MC_OK;
    impact_key *keys = malloc((size_t)count * sizeof *keys);
    group *groups = malloc((size_t)count * sizeof *groups);
    mc_status status = keys && groups ? sort_impacts(impacts, count, keys, error) : MC_NO_MEMORY;
    if (status == MC_OK) {
        const int group_count = cut_groups(keys, count, quiet, groups);
        qsort(groups, (size_t)group_count, sizeof *groups, group_order);
        *out = malloc((size_t)group_count * sizeof **out);
        for (int i = 0; *out && i < group_count; i++)
            (*out)[i] = collision_of(impacts, &groups[i]);
        *out_count = *out ? group_count : 0;
        status = *out ? MC_OK : MC_NO_MEMORY;
    }
    free(groups);
    free(keys);
    if (status == MC_NO_MEMORY)
        mc_error_set(error, status, NULL, 0, 0, "no memory for the collisions of %d impacts",
                     count);
    return status;
}

// ---- totals ----

typedef struct span { // one vehicle in one collision
    int vehicle;
    double first, last;
    const mc_energy *before, *after;
} span;

static int span_order(const void *p, const void *q)
{
    const span *a = p, *b = q;
    if (a->vehicle != b->vehicle)
        return a->vehicle < b->vehicle ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

mc_status mc_collisions_total(const mc_collision *collisions, int count, mc_collision_totals *out,
                              mc_error *error)
{
    *out = (mc_collision_totals){.collision_count = count > 0 ? count : 0};
    if (count <= 0)
        return MC_OK;
    const size_t span_count = 2 * (size_t)count;
    span *spans = malloc(span_count * sizeof *spans);
    if (!spans)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0,
                            "no memory for the totals of %d collisions", count);
    for (int i = 0; i < count; i++) {
        const mc_collision *c = &collisions[i];
        out->impact_count += c->impact_count;
        out->friction_loss += c->friction_loss;
        out->restitution_loss += c->restitution_loss;
        spans[2 * i] = (span){c->a, c->first, c->last, &c->before[0], &c->after[0]};
        spans[2 * i + 1] = (span){c->b, c->first, c->last, &c->before[1], &c->after[1]};
    }
    qsort(spans, span_count, sizeof *spans, span_order);
    for (size_t i = 0; i < span_count;) {
        span whole = spans[i++]; // grows over all that overlap it
        for (; i < span_count && spans[i].vehicle == whole.vehicle && spans[i].first <= whole.last;
             i++)
            if (spans[i].last > whole.last) {
                whole.last = spans[i].last;
                whole.after = spans[i].after;
            }
        out->vibration += whole.after->vibration - whole.before->vibration;
        out->damped += whole.after->damped - whole.before->damped;
        out->slipped += whole.after->slipped - whole.before->slipped;
        out->crushed += whole.after->crushed - whole.before->crushed;
    }
    free(spans);
    return MC_OK;
}

// ---- files ----

// The point of a number is a point, whatever the program's locale: for this thread, until
// locale_back.
static locale_t locale_plain(locale_t *old)
{
    const locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    *old = plain ? uselocale(plain) : (locale_t)0;
    return plain;
}

static void locale_back(locale_t plain, locale_t old)
{
    if (plain) {
        uselocale(old);
        freelocale(plain);
    }
}

static void write_csv_rows(file_writer *out, const mc_collision *collisions, int count)
{
    for (int k = 0; k < COLUMN_COUNT; k++)
        file_print(out, columns[k].unit[0] ? "%s%s [%s]" : "%s%s", k ? "," : "", columns[k].name,
                   columns[k].unit);
    file_print(out, "\n");
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < COLUMN_COUNT; k++) {
            const double value = mc_collision_value(&collisions[i], &columns[k]);
            if (isnan(value)) // printf may give it a sign
                file_print(out, "%snan", k ? "," : "");
            else
                file_print(out, "%s%.17g", k ? "," : "", value);
        }
        file_print(out, "\n");
    }
}

static void write_json_rows(file_writer *out, const mc_collision *collisions, int count)
{
    file_print(out, "{\n  \"columns\": [");
    for (int k = 0; k < COLUMN_COUNT; k++) // names, units and docs need no escapes
        file_print(out, "%s\n    {\"name\": \"%s\", \"unit\": \"%s\", \"doc\": \"%s\"}",
                   k ? "," : "", columns[k].name, columns[k].unit, columns[k].doc);
    file_print(out, "\n  ],\n  \"collisions\": [");
    for (int i = 0; i < count; i++) {
        file_print(out, "%s\n    {", i ? "," : "");
        for (int k = 0; k < COLUMN_COUNT; k++) {
            const double value = mc_collision_value(&collisions[i], &columns[k]);
            file_print(out, isfinite(value) ? "%s\"%s\": %.17g" : "%s\"%s\": null", k ? ", " : "",
                       columns[k].name, value);
        }
        file_print(out, "}");
    }
    file_print(out, "%s]\n}\n", count > 0 ? "\n  " : "");
}

static mc_status write_file(const char *path, const mc_collision *collisions, int count,
                            void (*rows)(file_writer *, const mc_collision *, int), mc_error *error)
{
    mc_error own; // the caller may not want to know
    file_writer *out = file_writer_open(path, error ? error : &own);
    if (!out)
        return error ? error->code : own.code;
    locale_t old;
    const locale_t plain = locale_plain(&old);
    rows(out, collisions, count);
    locale_back(plain, old);
    return file_writer_commit(out, error);
}

mc_status mc_collisions_write_csv(const char *path, const mc_collision *collisions, int count,
                                  mc_error *error)
{
    return write_file(path, collisions, count, write_csv_rows, error);
}

mc_status mc_collisions_write_json(const char *path, const mc_collision *collisions, int count,
                                   mc_error *error)
{
    return write_file(path, collisions, count, write_json_rows, error);
}

mc_status mc_collisions_write(const char *path, const mc_collision *collisions, int count,
                              mc_error *error)
{
    const size_t length = strlen(path);
    const int json = length >= 5 && strcasecmp(path + length - 5, ".json") == 0;
    return json ? mc_collisions_write_json(path, collisions, count, error)
                : mc_collisions_write_csv(path, collisions, count, error);
}

// ---- the table ----

// value right-aligned in width with a blank before it; what does not fit loses decimals, then
// digits.
static void print_cell(FILE *out, double value, int width, int decimals)
{
    char cell[CELL];
    int length = width;
    if (isnan(value))
        length = snprintf(cell, sizeof cell, "-");
    for (int d = decimals; length >= width && d >= 0; d--)
        length = snprintf(cell, sizeof cell, "%.*f", d, value);
    for (int d = width - 2; length >= width && d >= 1; d--)
        length = snprintf(cell, sizeof cell, "%.*g", d, value);
    fprintf(out, "%*s", width, cell);
}

static void print_heading(FILE *out, int vehicles_width)
{
    fprintf(out, "%-*s", vehicles_width, "vehicles");
    for (int k = 0; k < COLUMN_COUNT; k++)
        if (columns[k].heading)
            fprintf(out, "%*s", columns[k].width, columns[k].heading);
    fprintf(out, "\n%*s", vehicles_width, "");
    for (int k = 0; k < COLUMN_COUNT; k++)
        if (columns[k].heading)
            fprintf(out, "%*s", columns[k].width, columns[k].unit[0] ? columns[k].unit : "-");
    fprintf(out, "\n");
}

static void print_row(FILE *out, const mc_collision *c, int vehicles_width)
{
    char pair[2 * CELL];
    snprintf(pair, sizeof pair, "%lld-%lld", c->a + 1LL, c->b + 1LL);
    fprintf(out, "%-*s", vehicles_width, pair);
    for (int k = 0; k < COLUMN_COUNT; k++)
        if (columns[k].heading)
            print_cell(out, mc_collision_value(c, &columns[k]), columns[k].width,
                       columns[k].decimals);
    fprintf(out, "\n");
}

// Where the energy went; what took none is not named, but for vibration and damping.
static void print_totals(FILE *out, const mc_collision_totals *t)
{
    fprintf(out, "%d collision%s, %d micro-impact%s: %.5g J into vibration, %.5g J into damping",
            t->collision_count, t->collision_count == 1 ? "" : "s", t->impact_count,
            t->impact_count == 1 ? "" : "s", t->vibration, t->damped);
    if (t->crushed != 0.0)
        fprintf(out, ", %.5g J into permanent deformation", t->crushed);
    if (t->friction_loss != 0.0)
        fprintf(out, ", %.5g J into friction", t->friction_loss);
    if (t->restitution_loss != 0.0)
        fprintf(out, ", %.5g J lost in impacts", t->restitution_loss);
    fprintf(out, "\n");
}

mc_status mc_collisions_print(FILE *out, const mc_collision *collisions, int count, int row_max,
                              mc_error *error)
{
    mc_collision_totals totals;
    const mc_status status = mc_collisions_total(collisions, count, &totals, error);
    if (status != MC_OK)
        return status;
    const int row_count = row_max >= 0 && row_max < count ? row_max : count;
    int width = VEHICLES_WIDTH;
    for (int i = 0; i < row_count; i++) {
        const int length =
            snprintf(NULL, 0, "%lld-%lld", collisions[i].a + 1LL, collisions[i].b + 1LL);
        width = length > width ? length : width;
    }
    if (row_count > 0)
        print_heading(out, width);
    for (int i = 0; i < row_count; i++)
        print_row(out, &collisions[i], width);
    if (row_count > 0 && row_count < count)
        fprintf(out, "... and %d more\n", count - row_count);
    if (count <= 0)
        fprintf(out, "no collisions\n");
    else
        print_totals(out, &totals);
    if (ferror(out))
        return mc_error_set(error, MC_IO, NULL, 0, 0, "cannot write the table of collisions");
    return MC_OK;
}
