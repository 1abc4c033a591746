// quantity.c - one quantity of one car over time.
#include "studio/request/quantity.h"

#include "studio/history/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double quantity_ttc(const history_view *view, int row, int column)
{
    const int rows = history_view_rows(view);
    if (rows < 2)
        return NAN;
    const history_row a = history_view_row(view, row > 0 ? row - 1 : 0);
    const history_row b = history_view_row(view, row > 0 ? row : 1);
    if (a.who != b.who && (column >= a.who->count || a.who->id[column] != b.who->id[column]))
        return NAN;
    const history_row *now = row > 0 ? &b : &a;
    const double gap = (double)now->value[MC_FIELD_GAP][column];
    const double closing =
        ((double)a.value[MC_FIELD_GAP][column] - (double)b.value[MC_FIELD_GAP][column]) /
        (b.t - a.t);
    return closing > 0.02 && closing < 200.0 ? gap / closing : NAN;
}

enum { TIME_GAP = MC_FIELD_COUNT, TTC, CHANNEL };

// A field, or what is made of fields; CHANNEL: neither.
static int find_quantity(const char *name)
{
    const mc_field field = mc_field_find(name);
    return field < MC_FIELD_COUNT          ? (int)field
           : strcmp(name, "time_gap") == 0 ? TIME_GAP
           : strcmp(name, "ttc") == 0      ? TTC
                                           : CHANNEL;
}

static int find_channel(const roster *who, int column, const char *name)
{
    const int count = who->channel_at[column + 1] - who->channel_at[column];
    for (int k = 0; k < count; k++)
        if (strcmp(who->channels[column][k].name, name) == 0)
            return who->channel_at[column] + k;
    return -1;
}

static double value_of(const history_view *view, int row, const history_row *now, int c, int what,
                       int channel)
{
    const double gap = (double)now->value[MC_FIELD_GAP][c], v = (double)now->value[MC_FIELD_V][c];
    switch (what) {
    case TIME_GAP:
        return v > 1.0 ? gap / v : NAN;
    case TTC:
        return quantity_ttc(view, row, c);
    case CHANNEL:
        return channel < 0 ? NAN : (double)now->channel[channel];
    default:
        return history_value(now, (mc_field)what, c);
    }
}

void quantity_free(quantity_curve *c)
{
    free(c->t);
    free(c->y);
    *c = (quantity_curve){0};
}

int quantity_end(const history_view *view, double to)
{
    const int end = history_view_at(view, to);
    return end < history_view_rows(view) && history_view_time(view, end) <= to + HISTORY_SAME
               ? end + 1
               : end;
}

bool quantity_read(const history_view *view, const char *vehicle, const char *quantity, double from,
                   double to, quantity_curve *out, mc_error *error)
{
    *out = (quantity_curve){0};
    const int what = find_quantity(quantity);
    const bool channel = what == CHANNEL;
    const int first = history_view_at(view, from), rows = quantity_end(view, to);
    const size_t room = rows > first ? (size_t)(rows - first) : 0;
    out->t = malloc((room + 1) * sizeof *out->t);
    out->y = malloc((room + 1) * sizeof *out->y);
    if (!out->t || !out->y) {
        quantity_free(out);
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a curve");
        return false;
    }
    const roster *who = NULL;
    int column = -1, place = -1;
    bool there = false, known = !channel;
    for (int row = first; row < rows; row++) {
        const history_row now = history_view_row(view, row);
        if (now.who != who) {
            who = now.who;
            column = roster_find(who, vehicle);
            place = channel && column >= 0 ? find_channel(who, column, quantity) : -1;
            there = there || column >= 0;
            known = known || place >= 0;
        }
        if (column < 0)
            continue;
        out->t[out->count] = now.t;
        out->y[out->count++] = value_of(view, row, &now, column, what, place);
    }
    if (known || !there)
        return true;
    quantity_free(out);
    mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                 "%.60s has no quantity \"%.40s\"; expected a field of frames, x, spacing_error, "
                 "time_gap, ttc or one of its channels",
                 vehicle, quantity);
    return false;
}
