// edit.c - changes of cars, hills, laws, steps. Each is one edit of the
// scenario (mc_scenario_edit) in the log.
#include "studio/request/edit.h"

#include "studio/hub/change.h"
#include "studio/hub/describe.h"
#include "studio/hub/json.h"
#include "studio/hub/log.h"
#include "studio/request/controller.h"
#include "studio/request/law_text.h"
#include "studio/request/read.h"
#include "studio/request/requests.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Gives the edit where the change happens; takes it. False: see *error, the change continues.
static bool edit_try(const change *c, json_t *edit, log_entry *out, mc_error *error)
{
    *out = (log_entry){.event = "edit",
                       .param = json_dumps(edit, JSON_COMPACT | JSON_REAL_PRECISION(17))};
    json_decref(edit);
    if (!out->param)
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for an edit");
    else if (log_give(c->branch, out, error) == MC_OK)
        return true;
    log_entry_free(out);
    return false;
}

// The end of a change that gave an edit. who: the cars before it; NULL: none is new. Takes e.
static void edit_end(request *r, change *c, log_entry *e, const char *text, const roster *who)
{
    if (c->branched)
        snprintf(c->branch->change, sizeof c->branch->change, "%s", text);
    if (change_end(r, c, e, text)) {
        int *before = who ? roster_match(who, c->branch->who) : NULL;
        for (int v = 0; before && v < c->branch->who->count; v++)
            if (before[v] < 0)
                c->vehicle = c->branch->who->name[v];
        free(before);
        change_answer(r, c);
    }
    log_entry_free(e);
}

void edit_give(request *r, change *c, json_t *edit, const char *text)
{
    mc_error error = {0};
    log_entry e;
    if (edit_try(c, edit, &e, &error)) {
        edit_end(r, c, &e, text, NULL);
        return;
    }
    request_reject_error(r, &error);
    change_abandon(c);
}

static void edit_do(request *r, json_t *edit, const char *text)
{
    change c;
    if (read_change(r, text, &c))
        edit_give(r, &c, edit, text);
    else
        json_decref(edit);
}

void request_edit(request *r)
{
    json_t *edit = json_object_get(r->body, "edit");
    if (!json_is_object(edit) || json_object_size(edit) == 0) {
        request_reject(r, "edit", "edit must be an object, such as {\"remove\": \"car3\"}");
        return;
    }
    change c;
    mc_error error = {0};
    log_entry e;
    const char *text = json_object_iter_key(json_object_iter(edit));
    if (!read_change(r, text, &c))
        return;
    roster *who = roster_hold(c.branch->who); // a car it adds is named in the answer
    if (edit_try(&c, json_incref(edit), &e, &error)) {
        edit_end(r, &c, &e, text, who);
    } else {
        request_reject_error(r, &error);
        change_abandon(&c);
    }
    roster_drop(who);
}

void request_step(request *r)
{
    double step;
    if (!read_number(r, "step", 1e-6, 10, NAN, &step))
        return;
    char text[64];
    snprintf(text, sizeof text, "step = %g s", step);
    edit_do(r, json_pack("{s:f}", "step", step), text);
}

void request_end(request *r)
{
    double end;
    if (!read_number(r, "end", 1e-6, 1e6, NAN, &end))
        return;
    char text[64];
    snprintf(text, sizeof text, "end = %g s", end);
    edit_do(r, json_pack("{s:f}", "end", end), text);
}

// The step of stored rows: of storage alone, so it is in no log.
void request_row(request *r)
{
    double row;
    branch *b;
    if (!read_number(r, "row", 1e-4, 60, NAN, &row) || !read_branch(r, &b))
        return;
    if (!b->run) {
        request_reject(r, "world", "world %d is a recording: its rows are those of the file",
                       b->number);
    } else {
        pthread_mutex_lock(&b->lock);
        b->row = fmax(row, b->step);
        b->next_row = (floor(b->end / b->row + 1e-6) + 1.0) * b->row;
        pthread_mutex_unlock(&b->lock);
        describe_tell(r->h, b);
        request_done(r, json_pack("{s:f}", "row", b->row));
    }
    branch_drop(b);
}

// ---- hills ----

void request_grades(request *r)
{
    const json_t *given = json_object_get(r->body, "grades");
    if (!json_is_array(given) || json_array_size(given) > 1000) {
        request_reject(r, "grades",
                       "grades must be a list of at most 1000 hills, "
                       "[{\"from\", \"to\", \"grade\", \"transition\"}]");
        return;
    }
    json_t *list = json_array();
    for (size_t k = 0; k < json_array_size(given); k++) {
        static const char *const keys[] = {"from", "to", "grade", "transition"};
        const json_t *hill = json_array_get(given, k);
        json_t *out = json_object();
        bool good = json_is_object(hill);
        for (int i = 0; good && i < 4; i++) {
            json_t *value = json_object_get(hill, keys[i]);
            good = value ? json_is_number(value) : i == 3;
            if (value && good)
                json_object_set(out, keys[i], value);
        }
        json_array_append_new(list, out);
        if (!good) {
            json_decref(list);
            request_reject(r, "grades", "hill %zu needs the numbers from, to, grade (rad)", k + 1);
            return;
        }
    }
    edit_do(r, json_pack("{s:o}", "grades", list), "hills");
}

// ---- cars ----

static bool find_car(request *r, const branch *b, const char *name, int *v)
{
    *v = b->run ? mc_run_find(b->run, name) : -1;
    if (*v < 0)
        request_reject(r, "vehicle", "unknown vehicle \"%s\" in world %d", name, b->number);
    return *v >= 0;
}

// The car in front of v in its platoon; -1: none.
static int ahead(const mc_run *run, int v)
{
    mc_run_vehicle_info own, other;
    mc_run_vehicle(run, v, &own);
    int best = -1, place = -1;
    for (int k = 0; own.platoon >= 0 && k < mc_run_vehicle_count(run); k++) {
        mc_run_vehicle(run, k, &other);
        if (other.platoon == own.platoon && other.place < own.place && other.place > place) {
            best = k;
            place = other.place;
        }
    }
    return best;
}

// The first or the last car of the platoon of v; v when it drives alone.
static int platoon_end(const mc_run *run, int v, bool front)
{
    mc_run_vehicle_info best, other;
    mc_run_vehicle(run, v, &best);
    for (int k = 0; best.platoon >= 0 && k < mc_run_vehicle_count(run); k++) {
        mc_run_vehicle(run, k, &other);
        if (other.platoon != best.platoon ||
            (front ? other.place >= best.place : other.place <= best.place))
            continue;
        best = other;
        v = k;
    }
    return v;
}

// The length of cars of a model, m; 6 for a new model.
static double model_length(const mc_run *run, const char *model)
{
    mc_run_model_info info;
    for (int k = 0; mc_run_model_at(run, k, &info); k++)
        if (strcmp(info.name, model) == 0)
            return info.length;
    return 6.0;
}

// A place in the lane of v, in front of it or behind it, with the gap the roadway wants: where no
// other car of the lane stands. Returns the car it is next to.
static int put_place(const mc_run *run, int v, bool front, const char *model, json_t *add)
{
    const int count = mc_run_vehicle_count(run);
    const double own = model_length(run, model);
    mc_run_view view;
    mc_run_vehicle_info info, other;
    mc_run_road_info road;
    double x = NAN, speed = 0.0;
    mc_run_road(run, &road);
    mc_run_vehicle(run, v, &info);
    for (int next = v, k = 0; next >= 0 && k <= count; k++) {
        v = next;
        mc_run_look(run, v, &view);
        mc_run_vehicle(run, v, &other);
        const double gap = fmax(road.distance, 2.0) + road.headway * fmax(view.motion.v, 0.0) + 1.0;
        const double away = 0.5 * (own + other.length) + gap;
        x = view.motion.x + (front ? away : -away);
        speed = fmax(view.motion.v, 0.0);
        next = -1;
        for (int i = 0; i < count; i++) { // the farthest that is in the way
            mc_run_vehicle(run, i, &other);
            mc_run_look(run, i, &view);
            if (i != v && other.lane == info.lane &&
                fabs(view.motion.x - x) < 0.5 * (own + other.length) + 0.5)
                next = i;
        }
    }
    json_object_set_new(add, "lane", json_integer(info.lane + 1));
    json_object_set_new(add, "x", json_real(x));
    json_object_set_new(add, "v", json_real(speed));
    return v;
}

typedef struct new_car { // what was asked for
    const char *model, *controller, *profile, *beside;
    const json_t *define; // the model, where it is new; NULL: it is there
    bool front;
} new_car;

// `define`, a map that makes the model `name` in the same edit. NULL in *out: not given.
static bool model_given(request *r, const json_t **out)
{
    *out = json_object_get(r->body, "define");
    if (!*out || json_is_object(*out))
        return true;
    request_reject(r, "define",
                   "define must be a map such as {\"like\": \"town_car\", \"mass\": 1500}");
    return false;
}

// Puts it into an edit; takes the edit and returns it.
static json_t *with_model(json_t *edit, const char *name, const json_t *define)
{
    if (define) {
        json_t *copy = json_deep_copy(define), *models = json_object();
        json_object_set_new(models, name, copy);
        json_object_set_new(edit, "models", models);
    }
    return edit;
}

static json_t *add_edit(const new_car *car, json_t *add)
{
    return with_model(json_pack("{s:o}", "add", add), car->model, car->define);
}

static json_t *car_map(const new_car *car)
{
    json_t *add = json_pack("{s:s}", "model", car->model);
    if (car->controller[0])
        json_object_set_new(add, "controller", json_string(car->controller));
    if (car->profile[0])
        json_object_set_new(add, "profile", json_string(car->profile));
    return add;
}

// Tries the places one after the other: the one asked for; behind the last car of the platoon; in
// the lane, behind all of it or in front of it. next_to: the car it is put behind or in front of.
static bool try_places(const change *c, const new_car *car, int v, int *next_to, log_entry *e,
                       mc_error *error)
{
    const mc_run *run = c->branch->run;
    mc_run_vehicle_info info;
    mc_run_vehicle(run, v, &info);
    const int after = car->front ? ahead(run, v) : v, end = platoon_end(run, v, car->front);
    const int joined[] = {after, car->front || end == v ? -1 : end};
    for (int k = 0; info.platoon >= 0 && k < 2; k++) {
        if (joined[k] < 0)
            continue;
        json_t *add = car_map(car);
        json_object_set_new(add, "platoon", json_string(mc_run_vehicle_name(run, joined[k])));
        mc_error wrong = {0};
        *next_to = k == 0 ? v : joined[k];
        if (edit_try(c, add_edit(car, add), e, &wrong))
            return true;
        if (k == 0)
            *error = wrong; // of the place that was asked for
    }
    json_t *add = car_map(car);
    *next_to = put_place(run, end, car->front, car->model, add);
    mc_error wrong = {0};
    if (edit_try(c, add_edit(car, add), e, &wrong))
        return true;
    if (!error->text[0])
        *error = wrong;
    return false;
}

// What the answer says of where the car was put; "": it joined the platoon where it was asked for.
// Nothing joins a platoon in front of its leader, which follows a profile and not the car in front.
static void write_note(const new_car *car, bool elsewhere, bool leads, const char *next_to,
                       char *out, size_t size)
{
    const char *const where = car->front ? "in front of" : "behind";
    int used = 0;
    out[0] = '\0';
    if (elsewhere)
        used = snprintf(out, size, "no room %s %.50s: place it %s %.50s%s", where, car->beside,
                        where, next_to, leads ? "; " : "");
    if (leads && used >= 0 && (size_t)used < size)
        snprintf(out + used, size - (size_t)used,
                 "it drives by itself: %.50s leads its platoon by its profile; give %.50s a "
                 "controller, and it follows the new car",
                 next_to, next_to);
}

static bool leads_by_profile(const mc_run *run, int v)
{
    mc_run_vehicle_info info;
    mc_run_vehicle(run, v, &info);
    return info.leader && (!info.controller[0] || info.controller[0] == '(');
}

static void add_car(request *r, change *c, const new_car *car)
{
    mc_error error = {0};
    log_entry e;
    int v, next_to = -1;
    if (!find_car(r, c->branch, car->beside, &v)) {
        change_abandon(c);
        return;
    }
    char names[160], text[160], note[320];
    roster *who = roster_hold(c->branch->who);
    // The run is another one after the edit: the name is kept before.
    const int first = platoon_end(c->branch->run, v, true);
    const bool leads = car->front && leads_by_profile(c->branch->run, first);
    if (!try_places(c, car, v, &next_to, &e, &error)) {
        request_reject_error(r, &error);
        change_abandon(c);
        roster_drop(who);
        return;
    }
    snprintf(names, sizeof names, "%.60s", who->name[next_to]);
    const char *const where = car->front ? "in front of" : "behind";
    snprintf(text, sizeof text, "car added %s %.60s", where, names);
    write_note(car, next_to != v, leads && next_to == first, names, note, sizeof note);
    if (note[0])
        c->note = note;
    edit_end(r, c, &e, text, who);
    roster_drop(who);
}

static void request_add(request *r)
{
    new_car car;
    const char *where;
    change c;
    if (!read_text(r, "model", NAME_SIZE - 1, NULL, &car.model) ||
        !read_text(r, "controller", NAME_SIZE - 1, "", &car.controller) ||
        !read_text(r, "profile", NAME_SIZE - 1, "", &car.profile) ||
        !read_text(r, "beside", NAME_SIZE - 1, NULL, &car.beside) ||
        !read_text(r, "where", 16, "behind", &where) || !model_given(r, &car.define))
        return;
    car.front = strcmp(where, "front") == 0;
    if (!car.front && strcmp(where, "behind") != 0)
        request_reject(r, "where", "where is \"%s\"; expected front, behind", where);
    else if (read_change(r, "car added", &c))
        add_car(r, &c, &car);
}

// `vehicle`, a name, or `vehicles`, a list of names; NULL: rejected.
static json_t *car_list(request *r, const branch *b)
{
    json_t *list = json_object_get(r->body, "vehicles");
    json_t *one = json_object_get(r->body, "vehicle");
    json_t *out = json_array();
    int v;
    if (list && !json_is_array(list)) {
        request_reject(r, "vehicles", "vehicles must be a list of names");
        json_decref(out);
        return NULL;
    }
    const size_t count = list ? json_array_size(list) : 1;
    for (size_t k = 0; k < count; k++) {
        json_t *name = list ? json_array_get(list, k) : one;
        if (!json_is_string(name)) {
            request_reject(r, "vehicle", "vehicle is missing: expected a text");
        } else if (find_car(r, b, json_string_value(name), &v)) {
            json_array_append(out, name);
            continue;
        }
        json_decref(out);
        return NULL;
    }
    return out;
}

static void change_cars(request *r, const char *op)
{
    const char *name = "";
    const json_t *define;
    change c;
    if (!model_given(r, &define) ||
        (strcmp(op, "remove") != 0 && !read_text(r, "name", NAME_SIZE - 1, NULL, &name)) ||
        !read_change(r, op, &c))
        return;
    json_t *cars = car_list(r, c.branch);
    if (!cars) {
        change_abandon(&c);
        return;
    }
    const char *first = json_string_value(json_array_get(cars, 0));
    char text[160];
    const size_t count = json_array_size(cars);
    snprintf(text, sizeof text, "%.60s%s: %s%s%.60s", first, count > 1 ? " and others" : "", op,
             name[0] ? " " : "", name);
    json_t *value = count == 1 ? json_incref(json_array_get(cars, 0)) : json_incref(cars);
    if (strcmp(op, "remove") == 0)
        edit_give(r, &c, json_pack("{s:o}", "remove", value), text);
    else
        edit_give(r, &c,
                  with_model(json_pack("{s:o,s:s}", "vehicle", value, op, name), name,
                             strcmp(op, "model") == 0 ? define : NULL),
                  text);
    json_decref(cars);
}

void request_car(request *r)
{
    const char *op;
    if (!read_text(r, "op", 16, NULL, &op))
        return;
    if (strcmp(op, "add") == 0)
        request_add(r);
    else if (strcmp(op, "remove") == 0 || strcmp(op, "model") == 0 ||
             strcmp(op, "controller") == 0 || strcmp(op, "profile") == 0)
        change_cars(r, op);
    else if (!controller_change(r, op))
        request_reject(r, "op",
                       "op is \"%s\"; expected add, remove, model, controller, profile, own, law, "
                       "linear, listen, inner, radio, sensor, avoid, fallback",
                       op);
}

// ---- laws ----

static json_t *numbers(const mc_param *rows, const double *values, int count)
{
    json_t *out = json_object();
    for (int k = 0; k < count; k++)
        if (isfinite(values[k]) && values[k] != rows[k].fallback)
            json_object_set_new(out, rows[k].name, json_real(values[k]));
    return out;
}

json_t *edit_controller(const mc_run_controller_info *c)
{
    json_t *out = json_object(), *listen = json_array();
    const char *const names[] = {"headway", "distance", "speed"};
    const double values[] = {c->headway, c->distance, c->v_set};
    for (int k = 0; k < 3; k++)
        if (!isnan(values[k]))
            json_object_set_new(out, names[k], json_real(values[k]));
    for (int k = 0; k < c->listen_count; k++)
        json_array_append_new(listen, json_integer(c->listen[k]));
    if (c->listen_leader)
        json_array_append_new(listen, json_string("leader"));
    json_object_set_new(out, "listen", listen);
    for (int k = 0; k < c->part_count; k++) {
        json_t *part = numbers(c->parts[k].rows, c->parts[k].values, c->parts[k].count);
        const bool avoid = strcmp(c->parts[k].name, "avoid") == 0;
        if (json_object_size(part) > 0)
            json_object_set(out, c->parts[k].name, part);
        else if (avoid)
            json_object_set_new(out, "avoid", json_true());
        json_decref(part);
    }
    if (c->fallback[0]) {
        json_t *fallback = numbers(c->fallback_params, c->fallback_values, c->fallback_count);
        json_object_set_new(fallback, "law", json_string(c->fallback));
        json_object_set_new(out, "fallback", fallback);
    }
    return out;
}

void request_law(request *r)
{
    const char *controller, *text;
    mc_error error = {0};
    change c;
    if (!read_text(r, "controller", NAME_SIZE - 1, NULL, &controller) ||
        !read_text(r, "text", 32768, NULL, &text))
        return;
    json_t *law = law_text_read(text, &error);
    if (!law) {
        request_reject_error(r, &error);
        return;
    }
    char what[160];
    snprintf(what, sizeof what, "law of %.60s", controller);
    if (!read_change(r, what, &c)) {
        json_decref(law);
        return;
    }
    mc_run_controller_info info;
    bool found = false;
    for (int k = 0; !found && mc_run_controller_at(c.branch->run, k, &info); k++)
        found = strcmp(info.name, controller) == 0;
    if (!found) {
        request_reject(r, "controller", "unknown controller \"%s\"", controller);
        json_decref(law);
        change_abandon(&c);
        return;
    }
    json_t *map = edit_controller(&info);
    json_object_set_new(map, "law", law);
    edit_give(r, &c, json_pack("{s:{s:o}}", "controllers", controller, map), what);
}

void request_law_check(request *r)
{
    const char *text;
    mc_error error = {0};
    if (!read_text(r, "text", 32768, NULL, &text))
        return;
    json_t *law = law_text_read(text, &error);
    if (!law) {
        request_reject_error(r, &error);
        return;
    }
    json_t *out = json_object(), *parameters = json_array();
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(law, "parameters"), name, value)
    {
        json_t *unit = json_object_get(value, "unit");
        json_array_append_new(parameters, json_pack("{s:s,s:O,s:s}", "name", name, "value",
                                                    json_object_get(value, "value"), "unit",
                                                    unit ? json_string_value(unit) : ""));
    }
    json_put(out, "parameters", parameters);
    json_put(out, "signals", law_text_signals(law));
    json_decref(law);
    request_done(r, out);
}
