// preview.c - what is in a file before it is opened: the cars as they stand at the start, the road.
//
// For a picture in a list of files. Nothing is simulated. Recordings are shown by the row in their
// middle, as long as they are small: reading a large one takes longer than a picture is worth.
#include "studio/request/requests.h"

#include "studio/hub/json.h"
#include "studio/hub/open.h"
#include "studio/request/files.h"
#include "studio/request/read.h"

#include <string.h>
#include <sys/stat.h>

enum { CARS_MAX = 400 };
#define RECORDING_MAX (4 << 20) // bytes of a recording that is looked into

static void put_car(json_t *cars, double x, double y, double length, double width, int platoon)
{
    json_t *car = json_array();
    json_array_append_new(car, json_value(x));
    json_array_append_new(car, json_value(y));
    json_array_append_new(car, json_value(length));
    json_array_append_new(car, json_value(width));
    json_array_append_new(car, json_integer(platoon));
    json_array_append_new(cars, car);
}

static void put_hill(json_t *grades, double from, double to, double grade)
{
    json_t *hill = json_array();
    json_array_append_new(hill, json_value(from));
    json_array_append_new(hill, json_value(to));
    json_array_append_new(hill, json_value(grade));
    json_array_append_new(grades, hill);
}

// Hills as the file gives them; a formula in as many pieces as a small picture shows.
static json_t *preview_hills(const mc_run *run, const mc_run_road_info *road)
{
    enum { PIECES = 60 };
    json_t *grades = json_array();
    for (int k = 0; k < road->grade_count && k < CARS_MAX; k++)
        put_hill(grades, road->grades[k].from, road->grades[k].to, road->grades[k].value);
    const double step = (road->profile_to - road->profile_from) / PIECES;
    for (int k = 0; k < PIECES && road->profile; k++) {
        const double from = road->profile_from + k * step;
        put_hill(grades, from, from + step, mc_run_slope(run, from + 0.5 * step));
    }
    return grades;
}

static void preview_run(const mc_run *run, json_t *out, json_t *cars)
{
    const int n = mc_run_vehicle_count(run);
    for (int v = 0; v < n && v < CARS_MAX; v++) {
        mc_run_vehicle_info info;
        mc_run_view view;
        mc_run_vehicle(run, v, &info);
        mc_run_look(run, v, &view);
        put_car(cars, view.motion.x, view.motion.y, info.length, info.width, info.platoon);
    }
    mc_run_road_info road;
    mc_run_road(run, &road);
    json_put(out, "count", json_integer(n));
    json_put(out, "lanes", json_integer(road.lanes));
    json_put(out, "lane_width", json_value(road.lane_width));
    json_put(out, "grades", preview_hills(run, &road));
}

static void preview_recording(branch *b, json_t *out, json_t *cars)
{
    history_view view;
    if (!history_look(&b->past, &view))
        return;
    const int rows = history_view_rows(&view);
    if (rows) {
        const history_row row = history_view_row(&view, rows / 2);
        for (int c = 0; c < row.who->count && c < CARS_MAX; c++)
            put_car(cars, row.middle[c], row.value[MC_FIELD_Y][c], 5.0, 1.9, 0);
        json_put(out, "count", json_integer(row.who->count));
    }
    history_view_end(&view);
    json_put(out, "grades", json_array());
}

void request_preview(request *r)
{
    const char *file;
    char path[FILES_PATH_SIZE];
    struct stat s;
    if (!read_text(r, "file", 1000, NULL, &file))
        return;
    if (!files_path(r->h, file, path) || stat(path, &s) != 0) {
        request_reject(r, "file", "\"%.200s\" is in none of the folders given at start", file);
        return;
    }
    const size_t n = strlen(file);
    const bool scenario =
        n > 5 && (strcmp(file + n - 5, ".yaml") == 0 || strcmp(file + n - 4, ".yml") == 0);
    if (!scenario && s.st_size > RECORDING_MAX) {
        request_reject(r, "file", "\"%.200s\" is too large to be looked into", file);
        return;
    }
    mc_error error = {0};
    opened *o = open_path(r->h, path, NULL, file, &error);
    if (!o) {
        request_reject_error(r, &error);
        return;
    }
    json_t *out = json_object(), *cars = json_array();
    json_put(out, "cars", cars);
    if (o->run)
        preview_run(o->run, out, cars);
    else if (o->branch)
        preview_recording(o->branch, out, cars);
    opened_free(o);
    request_done(r, out);
}
