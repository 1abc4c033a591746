// happened.c - rows of the tables of impacts and events.
#include "replay/happened.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

mc_status recorded_list_read(recorded *r, const char *name, recorded_list *out, mc_error *error)
{
    enum { COLUMNS_MAX = 1000 };
    const int table = results_reader_find(r->file, name);
    const results_shape *s = table >= 0 ? results_reader_table(r->file, table) : NULL;
    *out = (recorded_list){0};
    if (!s || s->vehicle_count > 0 || s->column_count > COLUMNS_MAX)
        return MC_OK;
    out->shape = s;
    out->row_count = s->row_count < RECORDED_ROWS_MAX ? s->row_count : RECORDED_ROWS_MAX;
    out->left_out = s->row_count - out->row_count;
    out->values = calloc((size_t)out->row_count + 1, (size_t)s->column_count * sizeof *out->values);
    if (!out->values)
        return mc_error_set(error, MC_NO_MEMORY, r->path, 0, 0, "no memory left");
    const results_part part = {.row_count = out->row_count, .column_count = s->column_count};
    return results_read(r->file, table, &part, out->values, error);
}

void recorded_list_free(recorded_list *list)
{
    free(list->values);
    *list = (recorded_list){0};
}

double recorded_list_at(const recorded_list *list, int64_t row, int64_t column)
{
    return column >= 0 ? list->values[row * list->shape->column_count + column] : NAN;
}

static double value_of(const recorded_list *list, int64_t row, const char *column)
{
    return recorded_list_at(list, row, results_shape_find(list->shape, column));
}

int64_t recorded_list_time(const recorded_list *list)
{
    if (!list->shape)
        return -1;
    const int64_t t = results_shape_find(list->shape, "t");
    return t >= 0 ? t : results_shape_find(list->shape, "time"); // medusa, format 1
}

// Medusa runs of format 1 counted vehicles from 1, and said so in the explanation of the column.
static int vehicle_of(const recorded *r, const recorded_list *list, int64_t row, const char *column)
{
    const int64_t c = results_shape_find(list->shape, column);
    const bool from_1 =
        c >= 0 && results_reader_format(r->file) == 1 && strstr(list->shape->docs[c], "from 1");
    return recorded_vehicle(r, recorded_list_at(list, row, c) - from_1);
}

#define UNKNOWN                                                                                    \
    {                                                                                              \
        NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN                                      \
    }
// Speeds and energies of the two are not in files: only their sum, which the columns have.
static const mc_impact unknown = {.gap = NAN,
                                  .velocity_before = {{NAN, NAN, NAN}, {NAN, NAN, NAN}},
                                  .velocity_after = {{NAN, NAN, NAN}, {NAN, NAN, NAN}},
                                  .before = {UNKNOWN, UNKNOWN},
                                  .after = {UNKNOWN, UNKNOWN}};
#undef UNKNOWN

bool recorded_impact(const recorded *r, const recorded_list *impacts, int64_t row,
                     mc_impact *impact)
{
    static const char *const point[3] = {"x", "y", "z"}, *const normal[3] = {"nx", "ny", "nz"},
                             *const friction[3] = {"fx", "fy", "fz"};
    const int a = vehicle_of(r, impacts, row, "a"), b = vehicle_of(r, impacts, row, "b");
    *impact = unknown;
    impact->time = recorded_list_at(impacts, row, recorded_list_time(impacts));
    if (a < 0 || b < 0 || a == b || !isfinite(impact->time))
        return false;
    const double sign = a < b ? 1.0 : -1.0; // of what points from a to b, or acts on b
    const double duration = value_of(impacts, row, "duration");
    impact->a = a < b ? a : b, impact->b = a < b ? b : a;
    impact->duration = isnan(duration) ? 0.0 : duration;
    impact->closing = value_of(impacts, row, "closing");
    impact->impulse = value_of(impacts, row, "impulse");
    impact->friction_loss = value_of(impacts, row, "friction_loss");
    impact->restitution_loss = value_of(impacts, row, "restitution_loss");
    for (int k = 0; k < 3; k++) {
        impact->point[k] = value_of(impacts, row, point[k]);
        impact->normal[k] = sign * value_of(impacts, row, normal[k]);
        const double along = sign * value_of(impacts, row, friction[k]);
        impact->tangential[k] = isnan(along) ? 0.0 : along; // runs of format 1 have none
    }
    return true;
}

bool recorded_event_at(const recorded *r, const recorded_list *events, int64_t row,
                       int64_t kind_count, recorded_event *event)
{
    const double kind = value_of(events, row, "kind"), vehicle = value_of(events, row, "vehicle");
    *event = (recorded_event){.t = recorded_list_at(events, row, recorded_list_time(events)),
                              .kind = kind >= 0.0 && kind < (double)kind_count ? (int)kind : -1,
                              .vehicle = recorded_vehicle(r, vehicle),
                              .value = value_of(events, row, "value")};
    return isfinite(event->t);
}
