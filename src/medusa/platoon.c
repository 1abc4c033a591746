// platoon.c - reads platoon.dat.
#include "medusa/files.h"

#include "base/assert.h"
#include "base/file.h"
#include "io/keyword.h"

#include <math.h>
#include <string.h>

#define REQUIRED NAN

const mc_param medusa_vehicle_params[MEDUSA_VEHICLE_PARAM_COUNT] = {
    [MEDUSA_X] = {"X", "m", REQUIRED, -1e8, 1e8, "position of the mass centre along x"},
    [MEDUSA_Y] = {"Y", "m", REQUIRED, -1e8, 1e8, "position of the mass centre along y"},
    [MEDUSA_ORIENTATION] = {"ORIENTATION", "rad", REQUIRED, -1e3, 1e3,
                            "heading from the x axis (left is positive)"},
    [MEDUSA_SPEED] = {"SPEED", "m/s", REQUIRED, -200.0, 200.0, "forward speed"},
    [MEDUSA_STEERING] = {"STEERING", "rad", REQUIRED, -1.5, 1.5,
                         "steering angle of the front wheels (left is positive)"},
};

const mc_param medusa_input_params[MEDUSA_INPUT_COUNT] = {
    [MEDUSA_INPUT_STEERING] = {"STEERING_OVER_TIME", "rad", REQUIRED, -1.5, 1.5,
                               "steering angle of the front wheels (left is positive)"},
    [MEDUSA_INPUT_THROTTLE] = {"THROTTLE_OVER_TIME", "-", REQUIRED, 0.0, 1.0,
                               "fraction of the throttle range"},
    [MEDUSA_INPUT_BRAKE] = {"BRAKE_OVER_TIME", "-", REQUIRED, 0.0, 1.0,
                            "fraction of the maximum brake force"},
};
static const mc_param time_row = {"time", "s", REQUIRED, 0.0, 1e9, "time of an input"};

// Bytes of the shortest text a vehicle can have: bounds how many vehicles a file can hold.
static size_t shortest_vehicle(void)
{
    size_t length = strlen("VEHICLE_HAS_MODEL 1 INITIALLY_WITH ");
    for (int i = 0; i < MEDUSA_VEHICLE_PARAM_COUNT; i++)
        length += strlen(medusa_vehicle_params[i].name) + strlen(" 0 ");
    return length - 1; // the last needs no space after it
}

// Takes pairs of time and value up to the next word.
static void read_points(keyword_cursor *cursor, const mc_param *row, arena *a, medusa_input *out)
{
    int numbers = 0;
    for (keyword_cursor ahead = *cursor;
         ahead.status == MC_OK && ahead.token.kind == KEYWORD_NUMBER; numbers++)
        keyword_take(&ahead);
    double *time = arena_alloc(a, ((size_t)numbers / 2 + 1) * sizeof *time);
    double *value = arena_alloc(a, ((size_t)numbers / 2 + 1) * sizeof *value);
    if (!time || !value) {
        cursor->status = mc_error_set(cursor->error, MC_NO_MEMORY, cursor->file, 0, 0,
                                      "no memory for an input over time");
        return;
    }
    out->time = time;
    out->value = value;
    int count = 0;
    for (; cursor->status == MC_OK && (count == 0 || cursor->token.kind == KEYWORD_NUMBER);
         count++) {
        keyword_token token;
        if (cursor->token.kind != KEYWORD_NUMBER) {
            keyword_reject(cursor, "pairs of time (s) and value (%s) after %s", row->unit,
                           row->name);
            return;
        }
        keyword_value(cursor, &time_row, &time[count], &token);
        if (count > 0 && time[count] < time[count - 1])
            keyword_blame(cursor, &token, "time %g s of %s is before %g s: times must not decrease",
                          time[count], row->name, time[count - 1]);
        keyword_value(cursor, row, &value[count], NULL);
    }
    out->count = count;
}

static void read_inputs(keyword_cursor *cursor, arena *a, medusa_vehicle *vehicle)
{
    for (int i = 0; i < MEDUSA_INPUT_COUNT;) {
        if (!keyword_is(cursor, medusa_input_params[i].name)) {
            i++;
            continue;
        }
        const keyword_token word = keyword_take(cursor);
        if (vehicle->input[i].count > 0)
            keyword_blame(cursor, &word, "%s appears twice for one vehicle",
                          medusa_input_params[i].name);
        vehicle->input[i].line = word.line;
        vehicle->input[i].column = word.column;
        read_points(cursor, &medusa_input_params[i], a, &vehicle->input[i]);
        i = 0; // inputs come in any order
    }
}

static medusa_vehicle read_vehicle(keyword_cursor *cursor, const medusa_models *models, arena *a)
{
    medusa_vehicle vehicle = {.line = cursor->token.line, .column = cursor->token.column};
    keyword_expect(cursor, "VEHICLE_HAS_MODEL", "start of a vehicle; the number of its model",
                   NULL);
    const keyword_token written = cursor->token;
    int number;
    keyword_integer(cursor, "VEHICLE_HAS_MODEL", 1, MEDUSA_MODELS_MAX, &number);
    if (number > models->count)
        keyword_blame(cursor, &written, "VEHICLE_HAS_MODEL %d: %s has %d model%s", number,
                      models->file, models->count, models->count == 1 ? "" : "s");
    vehicle.model = number - 1;

    keyword_expect(cursor, "INITIALLY_WITH", "start of the initial conditions", NULL);
    double value[MEDUSA_VEHICLE_PARAM_COUNT];
    for (int i = 0; i < MEDUSA_VEHICLE_PARAM_COUNT; i++)
        keyword_param(cursor, &medusa_vehicle_params[i], &value[i], NULL);
    vehicle.x = value[MEDUSA_X];
    vehicle.y = value[MEDUSA_Y];
    vehicle.orientation = value[MEDUSA_ORIENTATION];
    vehicle.speed = value[MEDUSA_SPEED];
    vehicle.steering = value[MEDUSA_STEERING];
    read_inputs(cursor, a, &vehicle);
    return vehicle;
}

static mc_status read_vehicles(keyword_cursor *cursor, const medusa_models *models, arena *a,
                               medusa_platoon *platoon)
{
    int count;
    keyword_expect(cursor, "NUMBER_OF_VEHICLES", "how many vehicles this file has", NULL);
    if (keyword_integer(cursor, "NUMBER_OF_VEHICLES", 1, MEDUSA_VEHICLES_MAX, &count) != MC_OK)
        return cursor->status;

    // No more room than the bytes can fill, whatever the count says.
    const size_t possible = cursor->length / shortest_vehicle();
    const size_t room = possible < (size_t)count ? possible : (size_t)count;
    platoon->file = arena_copy_text(a, cursor->file, strlen(cursor->file));
    platoon->vehicle = arena_alloc(a, room * sizeof platoon->vehicle[0]);
    if (!platoon->file || !platoon->vehicle)
        return mc_error_set(cursor->error, MC_NO_MEMORY, cursor->file, 0, 0,
                            "no memory for %d vehicles", count);
    for (int i = 0; i < count; i++) {
        if (cursor->token.kind == KEYWORD_END)
            return keyword_reject(cursor, "vehicle %d of %d (NUMBER_OF_VEHICLES says %d)", i + 1,
                                  count, count);
        const medusa_vehicle vehicle = read_vehicle(cursor, models, a);
        if (cursor->status != MC_OK)
            return cursor->status;
        mc_assert((size_t)i < room);
        platoon->vehicle[i] = vehicle;
    }
    if (keyword_is(cursor, "VEHICLE_HAS_MODEL"))
        return keyword_blame(cursor, &cursor->token,
                             "NUMBER_OF_VEHICLES says %d, found one more VEHICLE_HAS_MODEL", count);
    medusa_surroundings_read(cursor, a, &platoon->around);
    if (cursor->status != MC_OK)
        return cursor->status;
    if (cursor->token.kind != KEYWORD_END)
        return keyword_reject(cursor, "the end of the file (NUMBER_OF_VEHICLES says %d)", count);
    platoon->count = count;
    return MC_OK;
}

mc_status medusa_platoon_parse(const char *bytes, size_t length, const char *name,
                               const medusa_models *models, arena *a, medusa_platoon *out,
                               mc_error *error)
{
    keyword_cursor cursor;
    *out = (medusa_platoon){0};
    mc_status status = keyword_begin(&cursor, name, bytes, length, error);
    if (status == MC_OK)
        status = read_vehicles(&cursor, models, a, out);
    if (status != MC_OK)
        *out = (medusa_platoon){0};
    return status;
}

mc_status medusa_platoon_read(const char *path, const medusa_models *models, arena *a,
                              medusa_platoon *out, mc_error *error)
{
    arena text = {0};
    char *bytes;
    size_t length;
    *out = (medusa_platoon){0};
    mc_status status = file_read(&text, path, KEYWORD_FILE_MAX, &bytes, &length, error);
    if (status == MC_OK)
        status = medusa_platoon_parse(bytes, length, path, models, a, out, error);
    arena_free(&text);
    return status;
}
