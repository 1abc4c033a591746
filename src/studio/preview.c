// preview.c - what is in a file before it is opened: the cars as they stand at the start, the road.
//
// For a picture in a list of files. Nothing is simulated. Recordings are shown by the row in their
// middle, as long as they are small: reading a large one takes longer than a picture is worth.
#include "studio/requests.h"

#include <string.h>
#include <sys/stat.h>

enum { CARS_MOST = 400 };
#define RECORDING_MOST (4 << 20) // bytes of a recording that is looked into

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

static void preview_run(const mc_run *run, json_t *out, json_t *cars)
{
    const int n = mc_run_vehicle_count(run);
    for (int v = 0; v < n && v < CARS_MOST; v++) {
        mc_run_vehicle_info info;
        mc_run_view view;
        mc_run_vehicle(run, v, &info);
        mc_run_look(run, v, &view);
        put_car(cars, view.motion.x, view.motion.y, info.length, info.width, info.platoon);
    }
    mc_run_road_info road;
    mc_run_road(run, &road);
    json_t *grades = json_array();
    for (int k = 0; k < road.grade_count && k < CARS_MOST; k++) {
        json_t *hill = json_array();
        json_array_append_new(hill, json_value(road.grades[k].from));
        json_array_append_new(hill, json_value(road.grades[k].to));
        json_array_append_new(hill, json_value(road.grades[k].value));
        json_array_append_new(grades, hill);
    }
    json_put(out, "count", json_integer(n));
    json_put(out, "lanes", json_integer(road.lanes));
    json_put(out, "lane_width", json_value(road.lane_width));
    json_put(out, "grades", grades);
}

static void preview_recording(world *w, json_t *out, json_t *cars)
{
    history_view view;
    if (!history_look(&w->past, &view))
        return;
    const int rows = history_view_rows(&view);
    if (rows) {
        const history_row row = history_view_row(&view, rows / 2);
        for (int c = 0; c < row.who->count && c < CARS_MOST; c++)
            put_car(cars, row.x[c], row.value[MC_FIELD_Y][c], 5.0, 1.9, 0);
        json_put(out, "count", json_integer(row.who->count));
    }
    history_view_end(&view);
    json_put(out, "grades", json_array());
}

void request_preview(request *r)
{
    const char *file;
    char path[OPEN_PATH_MOST];
    struct stat s;
    if (!request_text(r, "file", 1000, NULL, &file))
        return;
    if (!open_file_path(r->h, file, path) || stat(path, &s) != 0) {
        request_refuse(r, "file", "\"%.200s\" is in none of the folders given at start", file);
        return;
    }
    const size_t n = strlen(file);
    const bool scenario =
        n > 5 && (strcmp(file + n - 5, ".yaml") == 0 || strcmp(file + n - 4, ".yml") == 0);
    if (!scenario && s.st_size > RECORDING_MOST) {
        request_refuse(r, "file", "\"%.200s\" is too large to be looked into", file);
        return;
    }
    mc_error error = {0};
    opened *o = open_path(r->h, path, NULL, file, &error);
    if (!o) {
        request_refuse_error(r, &error);
        return;
    }
    json_t *out = json_object(), *cars = json_array();
    json_put(out, "cars", cars);
    if (o->run)
        preview_run(o->run, out, cars);
    else if (o->world)
        preview_recording(o->world, out, cars);
    opened_free(o);
    request_done(r, out);
}
