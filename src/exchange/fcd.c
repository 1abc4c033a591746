// fcd.c - the motion of a recording as floating car data, for SUMO's tools.
//
// SUMO gives the place of the front of a vehicle in the plane, an angle that counts clockwise from
// north (y), and lanes by edge and index from the right. A recording has stations and offsets; its
// scenario has the road, by which they become places. Paths of the road are the edges, pos is the
// station of the front. Without a scenario the road is straight, and its edge is called main.
#include "motorcade/exchange.h"
#include "motorcade/replay.h"
#include "motorcade/road.h"
#include "motorcade/scenario.h"

#include "base/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct fcd {
    file_writer *out;
    const mc_replay *replay;
    const mc_replay_info *info;
    mc_fcd_form form;
    const mc_road *road; // NULL: not known
} fcd;

static void write_name(file_writer *out, const char *text)
{
    for (; *text; text++) {
        const char *word = *text == '&'   ? "&amp;"
                           : *text == '<' ? "&lt;"
                           : *text == '"' ? "&quot;"
                                          : NULL;
        file_write(out, word ? word : text, word ? strlen(word) : 1);
    }
}

static double value_of(const double *row, int car, double fallback)
{
    return row && !isnan(row[car]) ? row[car] : fallback;
}

typedef struct place {
    double x, y, angle; // m, m, degrees clockwise from north
    double station;     // m, of the front, along its path
    const char *edge;
    int lane; // from the right, 0 first
} place;

// The nearest lane, counted from the right among those that exist there.
static int lane_at(const mc_road *road, int path, double station, double offset)
{
    int found = 0, count = 0;
    double nearest = HUGE_VAL, width;
    for (int k = mc_road_lane_count(road, path) - 1; k >= 0; k--) {
        const double away = fabs(offset - mc_road_lane_centre(road, path, k, station, &width));
        if (!(width > 0.0))
            continue;
        if (away < nearest)
            nearest = away, found = count;
        count++;
    }
    return found;
}

static place place_of(const fcd *f, int row, int car, const mc_replay_car *c, double middle)
{
    const mc_replay *r = f->replay;
    const double offset =
        value_of(mc_replay_row(r, row, MC_FIELD_Y), car, -c->lane * f->info->lane_width);
    const double psi = value_of(mc_replay_row(r, row, MC_FIELD_PSI), car, 0.0);
    const double half = 0.5 * c->length;
    place out = {middle, offset, psi, fmax(middle + half, 0.0), "main", 0};
    mc_road_path path;
    const int number = (int)value_of(mc_replay_row(r, row, MC_FIELD_PATH), car, 0.0);
    if (f->road && mc_road_path_at(f->road, number, &path)) {
        const double station = middle - mc_road_path_base(f->road, number);
        double heading;
        mc_road_place(f->road, number, station, offset, &out.x, &out.y, &heading);
        out.angle += heading;
        out.station = fmax(station + half, 0.0);
        out.edge = path.name;
        out.lane = lane_at(f->road, number, station, offset);
    } else {
        const double width = f->info->lane_width > 0.0 ? f->info->lane_width : 3.4;
        const int last = f->info->lane_count > 0 ? f->info->lane_count - 1 : 0;
        out.lane = last - (int)lrint(fmin(fmax(-offset / width, 0.0), last));
    }
    out.x += half * cos(out.angle);
    out.y += half * sin(out.angle);
    out.angle = remainder(90.0 - out.angle * 180.0 / M_PI, 360.0);
    out.angle += out.angle < 0.0 ? 360.0 : 0.0;
    return out;
}

static void write_car(const fcd *f, double t, int row, int car)
{
    const mc_replay *r = f->replay;
    const double middle = value_of(mc_replay_row(r, row, MC_FIELD_MIDDLE), car, NAN);
    if (isnan(middle))
        return;
    mc_replay_car c;
    mc_replay_car_at(r, car, &c);
    const place p = place_of(f, row, car, &c, middle);
    // The schema has neither negative speeds and positions nor accelerations.
    const double v = fmax(value_of(mc_replay_row(r, row, MC_FIELD_V), car, 0.0), 0.0);
    const double a = value_of(mc_replay_row(r, row, MC_FIELD_A), car, 0.0);
    char model[64]; // without its type, "car (point)"
    const char *named = c.model[0] ? c.model : "car";
    snprintf(model, sizeof model, "%.*s", (int)strcspn(named, " ("), named);
    if (f->form == MC_FCD_CSV) {
        file_print(f->out, "%.3f;%.2f;%s;%s_%d;%.3f;0.00;%.3f;%s;%.3f;%.3f;%.3f\n", t, p.angle,
                   c.name, p.edge, p.lane, p.station, v, model, p.x, p.y, a);
        return;
    }
    file_print(f->out, "        <vehicle id=\"");
    write_name(f->out, c.name);
    file_print(f->out, "\" x=\"%.3f\" y=\"%.3f\" angle=\"%.2f\" type=\"", p.x, p.y, p.angle);
    write_name(f->out, model);
    file_print(f->out, "\" speed=\"%.3f\" pos=\"%.3f\" lane=\"", v, p.station);
    write_name(f->out, p.edge);
    file_print(f->out, "_%d\" slope=\"0.00\"/>\n", p.lane);
}

static void write_rows(const fcd *f, double every)
{
    double next = -HUGE_VAL;
    if (f->form == MC_FCD_XML)
        file_print(f->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fcd-export>\n");
    else
        file_print(f->out, "timestep_time;vehicle_angle;vehicle_id;vehicle_lane;vehicle_pos;"
                           "vehicle_slope;vehicle_speed;vehicle_type;vehicle_x;vehicle_y;"
                           "vehicle_acceleration\n");
    for (int row = 0; row < f->info->row_count; row++) {
        const double t = mc_replay_time(f->replay, row);
        if (t < next - 1e-9)
            continue;
        next = t + every;
        if (f->form == MC_FCD_XML)
            file_print(f->out, "    <timestep time=\"%.3f\">\n", t);
        for (int car = 0; car < f->info->car_count; car++)
            write_car(f, t, row, car);
        if (f->form == MC_FCD_XML)
            file_print(f->out, "    </timestep>\n");
    }
    if (f->form == MC_FCD_XML)
        file_print(f->out, "</fcd-export>\n");
}

mc_status mc_fcd_write(const char *recording, const char *path, mc_fcd_form form, double every,
                       mc_error *error)
{
    mc_replay *replay = mc_replay_load(recording, NULL, error);
    if (!replay)
        return error->code;
    fcd f = {.replay = replay, .info = mc_replay_info_of(replay), .form = form};
    mc_error none = {0};
    const char *text = f.info->scenario;
    mc_scenario *scenario =
        text && text[0] ? mc_scenario_parse(text, strlen(text), recording, &none) : NULL;
    f.road = scenario ? mc_scenario_road(scenario) : NULL;
    f.out = file_writer_open(path, error);
    mc_status status = f.out ? MC_OK : error->code;
    if (f.out) {
        write_rows(&f, every);
        status = file_writer_commit(f.out, error);
    }
    mc_scenario_free(scenario);
    mc_replay_free(replay);
    return status;
}
