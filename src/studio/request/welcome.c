// welcome.c - what a page is told first: branches, tables, laws, its own place.
#include "studio/request/welcome.h"

#include "base/bytes.h"
#include "motorcade/event.h"
#include "motorcade/vehicle_type.h"
#include "motorcade/version.h"
#include "studio/hub/branch_list.h"
#include "studio/hub/describe.h"
#include "studio/hub/inside.h"
#include "studio/hub/intake.h"
#include "studio/hub/json.h"
#include "studio/request/figures.h"

#include <stdlib.h>
#include <string.h>

static json_t *place_json(const playhead *p)
{
    json_t *out = json_object();
    json_t *ui = p->ui ? json_loads(p->ui, 0, NULL) : NULL;
    json_put(out, "t", json_value(p->t));
    json_put(out, "playing", json_boolean(p->playing));
    json_put(out, "live", json_boolean(p->live));
    json_put(out, "rate", json_value(p->rate));
    json_put(out, "select", json_string(p->select));
    json_put(out, "world", json_integer(p->branch));
    json_put(out, "ui", ui ? ui : json_object());
    return out;
}

static json_t *tables_json(void)
{
    json_t *list = json_array();
    mc_table table;
    for (int k = 0; mc_table_at(k, &table); k++) {
        json_t *t = json_object();
        json_put(t, "name", json_string(table.name));
        json_put(t, "group", json_string(table.group));
        json_put(t, "title", json_string(table.title));
        json_put(t, "rows", json_rows(table.rows, table.count));
        json_array_append_new(list, t);
    }
    return list;
}

static json_t *types_json(void)
{
    json_t *list = json_array();
    const mc_vehicle_type *type;
    for (int k = 0; (type = mc_vehicle_type_at(k)); k++) {
        json_t *t = json_object();
        json_put(t, "name", json_string(type->name));
        json_put(t, "doc", json_string(type->doc));
        json_array_append_new(list, t);
    }
    return list;
}

static json_t *laws_json(void)
{
    json_t *list = json_array();
    mc_law law;
    for (int k = 0; mc_law_at(k, &law); k++) {
        json_t *l = json_object(), *lines = json_array();
        mc_law_line line;
        for (int i = 0; mc_law_line_at(law.name, i, &line); i++)
            json_array_append_new(lines, json_law_line(&line));
        json_put(l, "name", json_string(law.name));
        json_put(l, "doc", json_string(law.doc));
        json_put(l, "equation", json_string(law.equation));
        json_put(l, "source", json_string(law.source));
        json_put(l, "stability", json_string(law.stability));
        json_put(l, "limits", json_string(law.limits));
        json_put(l, "rows", json_rows(law.params, law.param_count));
        json_put(l, "lines", lines);
        json_array_append_new(list, l);
    }
    return list;
}

static json_t *signals_json(void)
{
    json_t *list = json_array();
    mc_law_signal signal;
    for (int k = 0; mc_law_signal_at(k, &signal); k++) {
        json_t *s = json_object();
        json_put(s, "name", json_string(signal.name));
        json_put(s, "unit", json_string(signal.unit));
        json_put(s, "doc", json_string(signal.doc));
        json_array_append_new(list, s);
    }
    return list;
}

static json_t *figures_json(void)
{
    json_t *list = json_array();
    for (int k = 0; k < MC_FIGURE_COUNT; k++) {
        json_t *f = json_object();
        json_put(f, "name", json_string(mc_figure_table[k].name));
        json_put(f, "unit", json_string(mc_figure_table[k].unit));
        json_put(f, "doc", json_string(mc_figure_table[k].doc));
        json_put(f, "better", json_integer(figures_better((mc_figure_id)k)));
        json_array_append_new(list, f);
    }
    return list;
}

// What can happen to a vehicle: the page makes its form of faults from it.
static json_t *events_json(void)
{
    json_t *list = json_array();
    const mc_event_kind *kind;
    for (int k = 0; (kind = mc_event_kind_at(k)); k++) {
        json_t *e = json_object();
        json_put(e, "name", json_string(kind->name));
        json_put(e, "label", json_string(kind->label ? kind->label : ""));
        json_put(e, "fault", json_boolean(kind->fault));
        json_put(e, "shaped", json_boolean(kind->shaped));
        json_put(e, "rows", json_rows(kind->value, kind->value ? 1 : 0));
        json_array_append_new(list, e);
    }
    return list;
}

// All but the branches.
static json_t *common_json(hub *h)
{
    json_t *out = json_object(), *limits = json_object();
    pthread_mutex_lock(&h->lock);
    char *title = strdup(h->title ? h->title : ""), *file = strdup(h->file ? h->file : "");
    pthread_mutex_unlock(&h->lock);
    json_put(out, "title", json_string(title ? title : ""));
    json_put(out, "file", json_string(file ? file : ""));
    free(title);
    free(file);
    json_put(out, "version", json_integer(1));
    json_put(out, "motorcade", json_string(mc_version()));
    json_put(out, "types", types_json());
    json_put(out, "tables", tables_json());
    json_put(out, "laws", laws_json());
    json_put(out, "signals", signals_json());
    json_put(out, "figures", figures_json());
    json_put(limits, "command_bytes", json_integer(MAX_REQUEST_BYTES));
    json_put(limits, "commands_per_second", json_integer(MAX_REQUESTS));
    json_put(limits, "commands_under_way", json_integer(MAX_REQUESTS_UNDER_WAY));
    json_put(out, "events", events_json());
    json_put(out, "limits", limits);
    return out;
}

bool welcome_begin(hub *h, welcome *out)
{
    branch *branches[MAX_BRANCHES];
    *out = (welcome){.count = branch_list_all(h, branches)};
    bytes list = {0};
    int log = 0;
    bool good = true;
    for (int k = 0; k < out->count; k++) {
        int entries = 0;
        bytes_put(&list, k ? "," : "[", 1);
        good = describe_put_text(branches[k], true, &list, &out->vehicles[k], &entries) && good;
        log += entries;
        out->number[k] = branches[k]->number;
        branch_drop(branches[k]);
    }
    bytes_put(&list, out->count ? "]" : "[]", out->count ? 1 : 2);
    json_t *common = common_json(h);
    json_put(common, "log", json_integer(log));
    char *text = json_dumps(common, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(common);
    good = good && text && !list.failed;
    bytes all = {0};
    if (good) {
        static const char name[] = ",\"worlds\":";
        bytes_put(&all, text, strlen(text) - 1);
        bytes_put(&all, name, sizeof name - 1);
        bytes_put(&all, list.data, list.size);
        bytes_put(&all, "}", 1);
    }
    free(text);
    bytes_free(&list);
    if (!good || all.failed) {
        bytes_free(&all);
        return false;
    }
    out->text = (char *)all.data;
    out->length = all.size;
    return true;
}

message *welcome_message(const welcome *w, hub_page *page, json_t *own)
{
    hub *h = page->h;
    playhead place;
    char key[sizeof page->key];
    pthread_mutex_lock(&h->lock);
    place = page->place;
    place.ui = page->place.ui ? strdup(page->place.ui) : NULL;
    memcpy(key, page->key, sizeof key);
    pthread_mutex_unlock(&h->lock);
    json_put(own, "key", json_string(key));
    json_put(own, "page", json_integer(page->number));
    json_put(own, "place", place_json(&place));
    json_put(own, "read_only", json_boolean(page->read_only));
    free(place.ui);
    char *text = json_dumps(own, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(own);
    bytes all = {0};
    if (text) { // two objects as one
        bytes_put(&all, text, strlen(text) - 1);
        bytes_put(&all, ",", 1);
        bytes_put(&all, w->text + 1, w->length - 1);
    }
    message *m = text && !all.failed ? message_copy(all.data, all.size) : NULL;
    free(text);
    bytes_free(&all);
    return m;
}

void welcome_told(const welcome *w, hub_page *page)
{
    hub *h = page->h;
    for (int slot = 0; slot < h->slot_count; slot++)
        for (int k = 0; k < w->count; k++)
            if (h->branches[slot] && h->branches[slot]->number == w->number[k])
                page->frames[slot].vehicles = w->vehicles[k];
}
