// source.c - vehicles of a run by fields and channels, pose and energy.
#include "play/source.h"

#include "motorcade/road.h"

#include <math.h>
#include <string.h>

// Columns of motion; channels of the vehicles follow. Of the last ones, path is there where the
// road has ramps, the others where the scenario has estimators or the ERSC.
static const mc_field motion_fields[] = {
    MC_FIELD_X,          MC_FIELD_Y,        MC_FIELD_PSI,        MC_FIELD_V,
    MC_FIELD_A,          MC_FIELD_JERK,     MC_FIELD_THROTTLE,   MC_FIELD_BRAKE,
    MC_FIELD_STEER,      MC_FIELD_N,        MC_FIELD_GAP,        MC_FIELD_SPACING_ERROR,
    MC_FIELD_A_DESIRED,  MC_FIELD_YAW_RATE, MC_FIELD_SIDE_SLIP,  MC_FIELD_A_Y,
    MC_FIELD_LANE,       MC_FIELD_PATH,     MC_FIELD_ESTIMATE,   MC_FIELD_ESTIMATE_BAND,
    MC_FIELD_CHECKED_IN, MC_FIELD_WARNINGS, MC_FIELD_BLIND_SPOT,
};
enum { FIELDS_MAX = sizeof motion_fields / sizeof motion_fields[0] };
_Static_assert((int)FIELDS_MAX <= (int)PLAY_FIELDS, "a place for every field");

static bool has_field(const mc_run *run, mc_field field)
{
    if (field == MC_FIELD_ESTIMATE || field == MC_FIELD_ESTIMATE_BAND)
        return mc_run_has_estimators(run);
    if (field == MC_FIELD_CHECKED_IN || field == MC_FIELD_WARNINGS || field == MC_FIELD_BLIND_SPOT)
        return mc_run_has_ersc(run);
    if (field == MC_FIELD_PATH)
        return mc_road_path_count(mc_scenario_road(mc_run_scenario(run))) > 1;
    return true;
}

int play_column(mc_field field)
{
    for (int k = 0; k < FIELDS_MAX; k++)
        if (motion_fields[k] == field)
            return k;
    return -1;
}

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the recording");
}

// ---- columns ----

static bool is_chosen(const mc_scenario *s, const char *channel)
{
    int k = 0;
    for (const char *name; (name = mc_scenario_channel_at(s, k)); k++)
        if (strcmp(name, channel) == 0)
            return true;
    return k == 0; // none is named: all
}

// Whether some vehicle has each of the channels that the scenario names.
static mc_status check_channels(const mc_recording *rec, mc_error *error)
{
    const mc_scenario *s = mc_run_scenario(rec->run);
    const char *name;
    for (int k = 0; (name = mc_scenario_channel_at(s, k)); k++) {
        bool found = false;
        for (int v = 0; v < rec->count && !found; v++) {
            const mc_channel *channels;
            const int count = mc_run_channels(rec->run, v, &channels);
            for (int j = 0; j < count; j++)
                found = found || strcmp(channels[j].name, name) == 0;
        }
        if (!found)
            return mc_error_set(error, MC_BAD_INPUT, mc_scenario_info_of(s)->file, 0, 0,
                                "record: no vehicle has a channel \"%s\"", name);
    }
    return MC_OK;
}

// A channel that is a quantity of every kind (fuel) is called what that is called.
static results_column column_of(const mc_channel *channel)
{
    const mc_field field = mc_field_find(channel->name);
    return field < MC_FIELD_COUNT ? record_field_column(field)
                                  : (results_column){channel->name, channel->unit, channel->doc};
}

// Adds the channels of a vehicle that are not among the columns and that the scenario wants.
static void add_channels(const mc_run *run, int vehicle, play_columns *columns)
{
    const mc_channel *channels;
    const int channel_count = mc_run_channels(run, vehicle, &channels);
    for (int k = 0; k < channel_count; k++) {
        int at = 0;
        while (at < columns->count && strcmp(columns->column[at].name, channels[k].name) != 0)
            at++;
        if (at == columns->count && at < PLAY_FIELDS + PLAY_CHANNELS &&
            is_chosen(mc_run_scenario(run), channels[k].name))
            columns->column[columns->count++] = column_of(&channels[k]);
    }
}

static bool make_columns(mc_recording *rec)
{
    play_columns *c = &rec->columns;
    c->column = arena_alloc(&rec->memory, (FIELDS_MAX + PLAY_CHANNELS) * sizeof *c->column);
    for (int k = 0; c->column && k < FIELDS_MAX; k++)
        if (has_field(rec->run, motion_fields[k])) {
            c->field[c->count] = motion_fields[k];
            c->column[c->count++] = record_field_column(motion_fields[k]);
        }
    c->fields = c->count;
    for (int v = 0; c->column && v < rec->count; v++)
        add_channels(rec->run, v, c);
    return true;
}

// Which channel of a vehicle each column is; -1: a field, or none.
static void find_channels(const mc_run *run, int vehicle, const play_columns *columns,
                          int *channel_of)
{
    const mc_channel *channels;
    const int count = vehicle < 0 ? 0 : mc_run_channels(run, vehicle, &channels);
    for (int c = 0; c < columns->count; c++)
        channel_of[c] = -1;
    for (int k = 0; k < count; k++)
        for (int c = columns->fields; c < columns->count; c++)
            if (strcmp(columns->column[c].name, channels[k].name) == 0)
                channel_of[c] = k;
}

void play_source_follow(mc_recording *rec)
{
    for (int v = 0; v < rec->count; v++)
        find_channels(rec->run, rec->now[v], &rec->columns,
                      rec->channel_of + (size_t)v * (size_t)rec->columns.count);
}

// ---- rows ----

static void put_nothing(double *row, int count)
{
    for (int k = 0; k < count; k++)
        row[k] = NAN;
}

// A vehicle of the run as a row; -1: it has left. *fuel: kg.
static void fill(const mc_run *run, int vehicle, const play_columns *columns, const int *channel_of,
                 double *row, double *fuel)
{
    double value[MC_FIELD_COUNT], channel[2 * PLAY_CHANNELS];
    if (vehicle < 0) {
        put_nothing(row, columns->count);
        return;
    }
    mc_run_read_fields(run, vehicle, value, channel);
    for (int k = 0; k < columns->fields; k++)
        row[k] = value[columns->field[k]];
    for (int k = columns->fields; k < columns->count; k++)
        row[k] = channel_of[k] < 0 ? NAN : channel[channel_of[k]];
    *fuel = value[MC_FIELD_FUEL];
}

// Its number in the run now; -1: it has left.
static int now_of(const mc_recording *rec, int v)
{
    return v < rec->count ? rec->now[v] : rec->late[v - rec->count].now;
}

static void fill_motion(void *context, int v, double *row)
{
    mc_recording *rec = context;
    if (v >= rec->count) {
        play_late *late = &rec->late[v - rec->count];
        fill(rec->run, late->now, &rec->columns, late->channel_of, row, &late->fuel);
        return;
    }
    fill(rec->run, rec->now[v], &rec->columns,
         rec->channel_of + (size_t)v * (size_t)rec->columns.count, row, &rec->fuel[v]);
}

static void fill_pose(void *context, int v, double *row)
{
    const mc_recording *rec = context;
    mc_pose pose;
    if (now_of(rec, v) < 0) {
        put_nothing(row, RECORD_POSE_COLUMNS);
        return;
    }
    mc_run_pose(rec->run, now_of(rec, v), &pose);
    record_put_pose(&pose, row);
}

static void fill_energy(void *context, int v, double *row)
{
    const mc_recording *rec = context;
    mc_energy energy;
    double momentum[3], road[3];
    const int now = now_of(rec, v);
    if (now < 0) {
        put_nothing(row, RECORD_ENERGY_COLUMNS);
        return;
    }
    mc_run_energy(rec->run, now, &energy);
    mc_run_momentum(rec->run, now, momentum, road);
    record_put_energy(&energy, momentum, road, row);
}

// ---- vehicles that join later ----

bool play_late_columns(mc_recording *rec, play_late *late)
{
    play_columns *c = &late->columns;
    *c = rec->columns;
    if (rec->csv) { // only there it has columns of its own
        c->column = arena_alloc(&rec->memory, (PLAY_FIELDS + PLAY_CHANNELS) * sizeof *c->column);
        if (!c->column)
            return false;
        memcpy(c->column, rec->columns.column, (size_t)c->count * sizeof *c->column);
        add_channels(rec->run, late->now, c);
    }
    late->channel_of = arena_alloc(&rec->memory, (size_t)c->count * sizeof *late->channel_of);
    late->row = arena_alloc(&rec->memory, (size_t)c->count * sizeof *late->row);
    return late->channel_of && late->row;
}

void play_late_follow(const mc_recording *rec, play_late *late)
{
    find_channels(rec->run, late->now, &late->columns, late->channel_of);
}

void play_late_fill(const mc_recording *rec, play_late *late)
{
    fill(rec->run, late->now, &late->columns, late->channel_of, late->row, &late->fuel);
}

// ---- the source ----

static void describe(void *context, int v, record_vehicle *out)
{
    const mc_recording *rec = context;
    mc_run_vehicle_info info;
    v = now_of(rec, v);
    mc_run_vehicle(rec->run, v, &info);
    *out = (record_vehicle){.platoon = info.platoon,
                            .place = info.place,
                            .lane = info.lane,
                            .length = info.length,
                            .width = info.width,
                            .height = info.height,
                            .middle = mc_run_middle(rec->run, v),
                            .mass = mc_run_mass(rec->run, v),
                            .deformable = info.deformable};
}

static bool leaves_the_plane(const mc_recording *rec)
{
    mc_pose unused;
    for (int v = 0; v < rec->count; v++)
        if (mc_run_pose(rec->run, v, &unused))
            return true;
    return false;
}

mc_status play_source_make(mc_recording *rec, mc_error *error)
{
    const size_t n = (size_t)rec->count;
    rec->fuel = arena_alloc(&rec->memory, n * sizeof *rec->fuel + 8);
    if (!rec->fuel || !make_columns(rec))
        return no_memory(error);
    rec->channel_of =
        arena_alloc(&rec->memory, n * (size_t)rec->columns.count * sizeof *rec->channel_of + 8);
    if (!rec->channel_of)
        return no_memory(error);
    play_source_follow(rec);
    mc_status status = check_channels(rec, error);
    if (status != MC_OK)
        return status;
    rec->tables[PLAY_MOTION] =
        (record_table){"motion", rec->columns.column, rec->columns.count, fill_motion};
    rec->tables[PLAY_POSE] =
        (record_table){"pose", record_pose_columns, RECORD_POSE_COLUMNS, fill_pose};
    rec->tables[PLAY_ENERGY] =
        (record_table){"energy", record_energy_columns, RECORD_ENERGY_COLUMNS, fill_energy};
    const bool all = rec->output.hdf5 && (rec->output.full || leaves_the_plane(rec));
    const record_source source = {.kind = "run",
                                  .command = rec->output.command,
                                  .context = rec,
                                  .object_count = rec->count,
                                  .object_names = rec->names,
                                  .tables = rec->tables,
                                  .table_count = all ? PLAY_TABLES : PLAY_MOTION + 1,
                                  .row_count = (int64_t)ceil(rec->end / rec->every) + 2,
                                  .vehicle = describe,
                                  .contacts = true,
                                  .joins = true};
    rec->record = record_new(rec->output.hdf5, &source, error);
    return rec->record ? MC_OK : error->code;
}
