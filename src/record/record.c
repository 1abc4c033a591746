// record.c - the tables of a results file filled from a source.
#include "record/record.h"

#include "motorcade/version.h"

#include <stdlib.h>
#include <string.h>

enum {
    EVENT_ROWS = 1024,  // of impacts and events that have room before files overflow
    CONTACT_ROWS = 256, // of contact_motion and joined_motion, which are longer
    JOINED_ROWS = 64,   // of joined_vehicles
};

struct record {
    record_source source;
    results *file;   // NULL: none
    double **values; // by table, [object][column]
    int *index;      // by table: in the file
    int time, vehicles, impacts, events, contacts, joined, joined_motion;
    // contact_motion: its columns, where each comes from, and a row.
    results_column *contact_columns;
    int *contact_from; // behind t and vehicle: column of all tables, one after the other
    int contact_count, all_columns;
    double *contact_row, *contact_all;
};

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the rows of a record");
}

static mc_status make_room(record *r, mc_error *error)
{
    const record_source *s = &r->source;
    r->values = calloc((size_t)s->table_count, sizeof *r->values);
    r->index = calloc((size_t)s->table_count, sizeof *r->index);
    bool good = r->values && r->index;
    for (int k = 0; k < s->table_count && good; k++) {
        r->values[k] = calloc((size_t)s->object_count * (size_t)s->tables[k].column_count + 1,
                              sizeof **r->values);
        good = r->values[k];
    }
    return good ? MC_OK : no_memory(error);
}

// ---- contact_motion ----

static const results_column contact_head[] = {
    {"t", "s", "instant of the contact"},
    {"vehicle", "-", "from 0"},
};
enum { CONTACT_HEAD = sizeof contact_head / sizeof contact_head[0] };

// A quantity of several tables is the same in all of them.
static void add_contact_column(record *r, const results_column *column, int from)
{
    for (int k = 0; k < r->contact_count; k++)
        if (strcmp(r->contact_columns[k].name, column->name) == 0)
            return;
    r->contact_from[r->contact_count] = from;
    r->contact_columns[r->contact_count++] = *column;
}

static mc_status make_contacts(record *r, mc_error *error)
{
    const record_source *s = &r->source;
    for (int k = 0; k < s->table_count; k++)
        r->all_columns += s->tables[k].column_count;
    const size_t n = (size_t)r->all_columns + CONTACT_HEAD;
    r->contact_columns = calloc(n, sizeof *r->contact_columns);
    r->contact_from = calloc(n, sizeof *r->contact_from);
    r->contact_row = calloc(n, sizeof *r->contact_row);
    r->contact_all = calloc(n, sizeof *r->contact_all);
    if (!r->contact_columns || !r->contact_from || !r->contact_row || !r->contact_all)
        return no_memory(error);
    for (int k = 0; k < CONTACT_HEAD; k++)
        add_contact_column(r, &contact_head[k], -1);
    for (int k = 0, from = 0; k < s->table_count; from += s->tables[k++].column_count)
        for (int c = 0; c < s->tables[k].column_count; c++)
            add_contact_column(r, &s->tables[k].columns[c], from + c);
    return MC_OK;
}

static mc_status add_contacts(record *r, mc_error *error)
{
    const results_table table = {
        "contact_motion", r->contact_columns, r->contact_count, 0, CONTACT_ROWS, true};
    return results_add_table(r->file, &table, &r->contacts, error);
}

static mc_status add_joined(record *r, mc_error *error)
{
    results_column columns[RECORD_JOINED_COLUMNS] = {{"t", "s", "end of its first step"}};
    memcpy(columns + 1, record_vehicle_columns, sizeof record_vehicle_columns);
    const results_table vehicles = {"joined_vehicles", columns, RECORD_JOINED_COLUMNS, 0,
                                    JOINED_ROWS,       true};
    const results_table motion = {
        "joined_motion", r->contact_columns, r->contact_count, 0, CONTACT_ROWS, true};
    mc_status status = results_add_table(r->file, &vehicles, &r->joined, error);
    if (status == MC_OK)
        status = results_add_table(r->file, &motion, &r->joined_motion, error);
    if (status == MC_OK) {
        results_leave_out_empty(r->file, r->joined);
        results_leave_out_empty(r->file, r->joined_motion);
    }
    return status;
}

int record_number(const record *r, int object)
{
    return object < r->source.object_count ? object
                                           : RECORD_JOINED + object - r->source.object_count;
}

static mc_status write_alone(record *r, int table, double time, int object, mc_error *error)
{
    const record_source *s = &r->source;
    double *to = r->contact_all;
    for (int k = 0; k < s->table_count; to += s->tables[k++].column_count)
        s->tables[k].fill(s->context, object, to);
    r->contact_row[0] = time;
    r->contact_row[1] = record_number(r, object);
    for (int k = CONTACT_HEAD; k < r->contact_count; k++)
        r->contact_row[k] = r->contact_all[r->contact_from[k]];
    return results_write(r->file, table, r->contact_row, error);
}

mc_status record_contact(record *r, double time, int object, mc_error *error)
{
    return r->file && r->source.contacts ? write_alone(r, r->contacts, time, object, error) : MC_OK;
}

// ---- objects that join ----

mc_status record_join(record *r, double time, int object, mc_error *error)
{
    const record_source *s = &r->source;
    double row[RECORD_JOINED_COLUMNS] = {time};
    record_vehicle vehicle;
    if (!r->file || !s->joins)
        return MC_OK;
    s->vehicle(s->context, object, &vehicle);
    record_put_vehicle(&vehicle, row + 1);
    return results_write(r->file, r->joined, row, error);
}

mc_status record_joined(record *r, double time, int object, mc_error *error)
{
    return r->file && r->source.joins ? write_alone(r, r->joined_motion, time, object, error)
                                      : MC_OK;
}

// ---- tables ----

static mc_status add_tables(record *r, mc_error *error)
{
    const record_source *s = &r->source;
    const results_table time = {"time", record_time_columns, 1, 0, s->row_count, false};
    const results_table vehicles = {
        "vehicles", record_vehicle_columns, RECORD_VEHICLE_COLUMNS, s->object_count, 1, true};
    const results_table impacts = {
        "impacts", record_impact_columns, RECORD_IMPACT_COLUMNS, 0, EVENT_ROWS, true};
    const results_table events = {"events", record_event_columns, RECORD_EVENT_COLUMNS,
                                  0,        EVENT_ROWS,           true};
    mc_status status = results_add_table(r->file, &time, &r->time, error);
    for (int k = 0; k < s->table_count && status == MC_OK; k++) {
        const results_table t = {s->tables[k].name, s->tables[k].columns, s->tables[k].column_count,
                                 s->object_count,   s->row_count,         false};
        status = results_add_table(r->file, &t, &r->index[k], error);
    }
    if (!s->vehicle || status != MC_OK)
        return status;
    status = results_add_table(r->file, &vehicles, &r->vehicles, error);
    if (status == MC_OK)
        status = results_add_table(r->file, &impacts, &r->impacts, error);
    if (status == MC_OK)
        status = results_add_table(r->file, &events, &r->events, error);
    if (status == MC_OK && (s->contacts || s->joins))
        status = make_contacts(r, error);
    if (status == MC_OK && s->contacts)
        status = add_contacts(r, error);
    return status == MC_OK && s->joins ? add_joined(r, error) : status;
}

static mc_status set_texts(record *r, mc_error *error)
{
    const record_source *s = &r->source;
    const char *const texts[][2] = {
        {"kind", s->kind}, {"motorcade", mc_version()}, {"command", s->command ? s->command : ""}};
    mc_status status = MC_OK;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0] && status == MC_OK; k++)
        status = results_set_text(r->file, texts[k][0], texts[k][1], error);
    return status == MC_OK
               ? results_set_list(r->file, "vehicle_names", s->object_names, s->object_count, error)
               : status;
}

record *record_new(const char *path, const record_source *source, mc_error *error)
{
    record *r = calloc(1, sizeof *r);
    if (!r) {
        no_memory(error);
        return NULL;
    }
    r->source = *source;
    mc_status status = make_room(r, error);
    if (path && status == MC_OK) {
        r->file = results_new(path, error);
        status = r->file ? add_tables(r, error) : error->code;
        if (status == MC_OK)
            status = set_texts(r, error);
    }
    if (status == MC_OK)
        return r;
    record_free(r);
    return NULL;
}

results *record_file(record *r)
{
    return r->file;
}

static mc_status write_vehicles(record *r, mc_error *error)
{
    const record_source *s = &r->source;
    double *row = calloc((size_t)s->object_count * RECORD_VEHICLE_COLUMNS, sizeof *row);
    if (!row)
        return no_memory(error);
    for (int v = 0; v < s->object_count; v++) {
        record_vehicle vehicle;
        s->vehicle(s->context, v, &vehicle);
        record_put_vehicle(&vehicle, row + v * RECORD_VEHICLE_COLUMNS);
    }
    const mc_status status = results_write(r->file, r->vehicles, row, error);
    free(row);
    return status;
}

mc_status record_begin(record *r, mc_error *error)
{
    const mc_status status = r->file ? results_create(r->file, error) : MC_OK;
    return r->file && r->source.vehicle && status == MC_OK ? write_vehicles(r, error) : status;
}

void record_take(record *r)
{
    const record_source *s = &r->source;
    for (int k = 0; k < s->table_count; k++) {
        const record_table *t = &s->tables[k];
        for (int v = 0; v < s->object_count; v++)
            t->fill(s->context, v, r->values[k] + (size_t)v * (size_t)t->column_count);
    }
}

const double *record_values(const record *r, int table)
{
    return r->values[table];
}

mc_status record_write(record *r, double time, mc_error *error)
{
    mc_status status = MC_OK;
    if (!r->file)
        return MC_OK;
    for (int k = 0; k < r->source.table_count && status == MC_OK; k++)
        status = results_write(r->file, r->index[k], r->values[k], error);
    // The time last: where it is, the row is whole.
    return status == MC_OK ? results_write(r->file, r->time, &time, error) : status;
}

mc_status record_impact(record *r, const mc_impact *impact, int a, int b, mc_error *error)
{
    double row[RECORD_IMPACT_COLUMNS];
    record_put_impact(impact, a, b, row);
    return r->file ? results_write(r->file, r->impacts, row, error) : MC_OK;
}

mc_status record_happened(record *r, const record_event *event, mc_error *error)
{
    double row[RECORD_EVENT_COLUMNS];
    record_put_event(event, row);
    return r->file ? results_write(r->file, r->events, row, error) : MC_OK;
}

mc_status record_end(record *r, const char *ended, mc_error *error)
{
    if (!r->file)
        return MC_OK;
    const mc_status status = results_set_text(r->file, "ended", ended, error);
    return status == MC_OK ? results_finish(r->file, error) : status;
}

void record_free(record *r)
{
    if (!r)
        return;
    for (int k = 0; r->values && k < r->source.table_count; k++)
        free(r->values[k]);
    free(r->values);
    free(r->index);
    free(r->contact_columns);
    free(r->contact_from);
    free(r->contact_row);
    free(r->contact_all);
    results_free(r->file);
    free(r);
}
