// open.c - files become worlds.
//
// A file is read on the answers thread, however long that takes; the simulation thread then puts it
// into the list. What pages may open: files in the folders given at start, what they uploaded, and
// the text of a scenario. A scenario from a page can name no other files.
#include "studio/requests.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

void opened_free(opened *o)
{
    if (!o)
        return;
    mc_run_destroy(o->run);
    world_drop(o->world);
    for (int k = 0; k < o->script_count; k++)
        log_entry_free(&o->script[k]);
    free(o->script);
    free(o->title);
    free(o->file);
    free(o);
}

opened *open_scenario(hub *h, mc_scenario *s, const char *shown, mc_error *error)
{
    opened *o = s ? calloc(1, sizeof *o) : NULL;
    if (s && !o)
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a scenario");
    if (o) {
        const mc_run_options options = {
            .threads = h->options.threads, .interpret = true, .mileage = true};
        const char *name = mc_scenario_info_of(s)->name;
        o->title = strdup(name && name[0] ? name : shown);
        o->file = strdup(shown);
        o->run = mc_run_create(s, &options, error);
        if (!o->run || !o->title || !o->file) {
            opened_free(o);
            o = NULL;
        }
    }
    mc_scenario_free(s);
    return o;
}

static bool ends_in(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n >= m && strcasecmp(name + n - m, end) == 0;
}

static bool is_scenario(const char *name)
{
    return ends_in(name, ".yaml") || ends_in(name, ".yml");
}

static bool is_state(const char *name)
{
    return ends_in(name, ".mcstate");
}

static opened *open_replay(hub *h, const char *path, const char *with, const char *shown,
                           mc_error *error)
{
    opened *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->world = replay_world(h, path, with, error);
    o->title = strdup(o->world && o->world->name[0] ? o->world->name : shown);
    o->file = strdup(shown);
    if (o->world && o->title && o->file)
        return o;
    opened_free(o);
    return NULL;
}

opened *open_path(hub *h, const char *path, const char *with, const char *shown, mc_error *error)
{
    if (is_scenario(shown))
        return open_scenario(h, mc_scenario_load(path, error), shown, error);
    if (is_state(shown))
        return state_open(h, path, shown, error);
    return open_replay(h, path, with, shown, error);
}

opened *open_text(hub *h, const char *text, size_t length, const char *shown, mc_error *error)
{
    return open_scenario(h, mc_scenario_parse(text, length, NULL, error), shown, error);
}

bool opened_install(hub *h, opened *o, int *number, mc_error *error)
{
    *number = -1;
    if (o->beside && !budget_room(h, error)) {
        opened_free(o);
        return false;
    }
    world *w = o->world ? o->world : world_create(h, "Main");
    o->world = NULL;
    if (!w) {
        mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a world");
        opened_free(o);
        return false;
    }
    mc_run *run = o->run;
    o->run = NULL;
    if (run && !world_begin_run(h, w, run, error)) {
        world_drop(w);
        opened_free(o);
        return false;
    }
    if (!o->beside) {
        world_remove_all(h);
        undo_clear(h);
        h->driver_count = 0;
        h->live = w->replay ? w->end : fmax(w->start, o->t);
        pthread_mutex_lock(&h->lock);
        char *title = h->title, *file = h->file;
        h->title = o->title, h->file = o->file;
        o->title = title, o->file = file;
        h->main_world = h->world_number & 0xffff;
        pthread_mutex_unlock(&h->lock);
    } else {
        snprintf(w->name, sizeof w->name, "%s", o->title);
    }
    w->saved_t = o->t;
    w->saved_hash = o->hash;
    w->script = o->script, w->script_count = o->script_count;
    o->script = NULL, o->script_count = 0;
    if (w->run) {
        world_note_log(w, "saved state");
        world_give_script(h, w);
        record_roster(h, w);
    }
    world_describe(h, w);
    *number = world_install(h, w);
    if (*number < 0) {
        mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                     "there are %d worlds already; remove one first", WORLDS_MOST);
        world_drop(w);
    }
    opened_free(o);
    return *number >= 0;
}

// ---- folders ----

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static const char *file_kind(const char *name)
{
    return is_scenario(name)                                 ? "scenario"
           : is_state(name)                                  ? "state"
           : ends_in(name, ".h5")                            ? "results"
           : ends_in(name, ".asc")                           ? "data.asc"
           : ends_in(name, ".csv")                           ? "csv"
           : ends_in(name, ".dat") || ends_in(name, ".data") ? "dynavis"
                                                             : NULL;
}

// The value of a top-level key of a scenario, as it stands in its first lines; "": none.
static void peek(const char *path, const char *key, char *out, size_t size)
{
    char line[400];
    FILE *in = fopen(path, "r");
    out[0] = '\0';
    const size_t length = strlen(key);
    for (int k = 0; in && k < 60 && fgets(line, sizeof line, in) && !out[0]; k++) {
        if (strncmp(line, key, length) != 0 || line[length] != ':')
            continue;
        char *value = line + length + 1;
        value += strspn(value, " \t\">|");
        value[strcspn(value, "\"\r\n")] = '\0';
        snprintf(out, size, "%s", value);
    }
    if (in)
        fclose(in);
}

static void list_files(const char *root, const char *below, int depth, json_t *list)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s%s%s", root, below[0] ? "/" : "", below);
    struct dirent **entries;
    const int count = scandir(path, &entries, NULL, alphasort);
    for (int k = 0; k < count; k++) {
        const char *name = entries[k]->d_name;
        char full[PATH_MAX], relative[1024];
        struct stat s;
        snprintf(relative, sizeof relative, "%.500s%s%.500s", below, below[0] ? "/" : "", name);
        const bool fits = snprintf(full, sizeof full, "%s/%s", path, name) < (int)sizeof full;
        if (name[0] != '.' && fits && stat(full, &s) == 0 && json_array_size(list) < 2000) {
            const char *kind = file_kind(name);
            if (S_ISDIR(s.st_mode) && depth > 0)
                list_files(root, relative, depth - 1, list);
            else if (S_ISREG(s.st_mode) && kind) {
                char title[200] = "", doc[300] = "";
                if (is_scenario(name)) {
                    peek(full, "name", title, sizeof title);
                    peek(full, "doc", doc, sizeof doc);
                }
                json_t *file = json_object(), *shown = json_string(relative);
                json_put(file, "file", shown ? shown : json_string(""));
                json_put(file, "kind", json_string(kind));
                json_t *text = json_string(title);
                json_put(file, "title", text ? text : json_string(""));
                text = json_string(doc);
                json_put(file, "doc", text ? text : json_string(""));
                json_put(file, "size", json_integer(s.st_size));
                if (shown)
                    json_array_append(list, file);
                json_decref(file);
            }
        }
        free(entries[k]);
    }
    if (count >= 0)
        free(entries);
}

void request_files(request *r)
{
    json_t *folders = json_array(), *out = json_object();
    for (int k = 0; k < r->h->options.folder_count; k++) {
        json_t *files = json_array(), *folder = json_object();
        list_files(r->h->folders[k], "", 1, files);
        json_put(folder, "name", json_string(base_name(r->h->folders[k])));
        json_put(folder, "files", files);
        json_array_append_new(folders, folder);
    }
    json_put(out, "folders", folders);
    request_done(r, out);
}

// The path of a file named by a page, FOLDER/FILE or FILE; false: it is in none of the folders.
_Static_assert(OPEN_PATH_MOST >= PATH_MAX, "realpath needs the room");

bool open_file_path(hub *h, const char *file, char out[OPEN_PATH_MOST])
{
    for (int k = 0; k < h->options.folder_count; k++) {
        char root[PATH_MAX], whole[PATH_MAX];
        const char *name = base_name(h->folders[k]), *below = file;
        const size_t length = strlen(name);
        if (strncmp(file, name, length) == 0 && file[length] == '/')
            below = file + length + 1;
        for (int turn = 0; turn < 2; turn++, below = file) {
            if (snprintf(whole, sizeof whole, "%s/%s", h->folders[k], below) >= (int)sizeof whole ||
                !realpath(h->folders[k], root) || !realpath(whole, out))
                continue;
            const size_t n = strlen(root);
            if (strncmp(out, root, n) == 0 && out[n] == '/')
                return true;
        }
    }
    return false;
}

bool open_allowed(hub *h, const char *path)
{
    char root[PATH_MAX], real[PATH_MAX];
    bool allowed = !h->answers_on; // no page can ask yet
    for (int k = 0; k < h->options.folder_count && !allowed; k++) {
        const size_t n = realpath(h->folders[k], root) ? strlen(root) : 0;
        allowed = n && realpath(path, real) && strncmp(real, root, n) == 0 && real[n] == '/';
    }
    return allowed;
}

// ---- uploads ----

// Uploads under their own names in a folder, so that a reader finds them beside each other.
typedef struct bundle {
    char folder[96], path[PATH_MAX], with[PATH_MAX];
    char name[256];
    bool has_with, many_csv;
    char made[64][PATH_MAX / 8];
    int count;
} bundle;

// Takes the upload of that key out of the list. False: there is none, or it cannot be written.
static bool add_to_bundle(hub *h, bundle *b, const char *key, upload *u)
{
    if (b->count == 64 || !upload_take(h, key, u))
        return false;
    char path[sizeof b->made[0]];
    bool good = snprintf(path, sizeof path, "%s/%s", b->folder, u->name) < (int)sizeof path;
    FILE *out = good ? fopen(path, "wbx") : NULL; // x: no two of the same name
    if (out) {
        memcpy(b->made[b->count++], path, sizeof path);
        good = fwrite(u->bytes, u->length, 1, out) == 1;
        good = fclose(out) == 0 && good;
    }
    free(u->bytes);
    u->bytes = NULL;
    return out && good;
}

static void end_bundle(bundle *b)
{
    for (int k = 0; k < b->count; k++)
        unlink(b->made[k]);
    rmdir(b->folder);
}

static bool make_bundle(request *r, bundle *b, const char *key)
{
    upload u;
    *b = (bundle){0};
    snprintf(b->folder, sizeof b->folder, "%s/open%d", r->h->temporary, r->page->number);
    u.name[0] = '\0';
    if (mkdir(b->folder, 0700) != 0 || !add_to_bundle(r->h, b, key, &u)) {
        request_refuse(r, "upload",
                       u.name[0] ? "the upload cannot be stored in the folder for "
                                   "temporary files: is it full?"
                                 : "there is no upload of that key");
        end_bundle(b);
        return false;
    }
    snprintf(b->name, sizeof b->name, "%s", u.name);
    memcpy(b->path, b->made[0], sizeof b->made[0]);
    const json_t *with = json_object_get(r->body, "with");
    const size_t count = json_is_array(with) ? json_array_size(with) : json_is_string(with) ? 1 : 0;
    for (size_t k = 0; k < count; k++) {
        const char *other = json_string_value(json_is_array(with) ? json_array_get(with, k) : with);
        if (!other || !add_to_bundle(r->h, b, other, &u)) {
            request_refuse(r, "with", "entry %zu of with is no upload", k + 1);
            end_bundle(b);
            return false;
        }
        if (ends_in(u.name, ".csv")) {
            b->many_csv = true;
        } else {
            memcpy(b->with, b->made[b->count - 1], sizeof b->made[0]);
            b->has_with = true;
        }
    }
    if (b->many_csv)
        memcpy(b->path, b->folder, sizeof b->folder);
    return true;
}

// An upload is opened once.
static void forget_uploads(request *r, const char *key)
{
    const json_t *with = json_object_get(r->body, "with");
    pthread_mutex_lock(&r->h->lock);
    uploads_forget(r->h, key, INFINITY);
    if (json_is_string(with))
        uploads_forget(r->h, json_string_value(with), INFINITY);
    for (size_t k = 0; k < json_array_size(with); k++) {
        const char *other = json_string_value(json_array_get(with, k));
        if (other)
            uploads_forget(r->h, other, INFINITY);
    }
    pthread_mutex_unlock(&r->h->lock);
}

static opened *open_upload(request *r, const char *key, mc_error *error)
{
    bundle *b = malloc(sizeof *b);
    opened *o = NULL;
    if (b && make_bundle(r, b, key)) {
        if (is_scenario(b->name)) {
            FILE *in = fopen(b->path, "rb");
            char *text = malloc((8 << 20) + 1);
            const size_t n = in && text ? fread(text, 1, (8 << 20) + 1, in) : 0;
            if (in)
                fclose(in);
            if (text)
                o = open_text(r->h, text, n, b->name, error);
            free(text);
        } else if (is_state(b->name)) {
            o = state_open(r->h, b->path, b->name, error);
        } else {
            o = open_replay(r->h, b->path, b->has_with ? b->with : NULL, b->name, error);
        }
        snprintf(error->file, sizeof error->file, "%s", b->name);
        end_bundle(b);
    }
    forget_uploads(r, key);
    free(b);
    return o;
}

// ---- the request ----

// Everything anew: a page is told all of what welcome says.
static void tell_reset(hub *h)
{
    pthread_mutex_lock(&h->lock);
    int count = 0;
    hub_page *pages[512];
    for (hub_page *p = h->pages; p && count < 512; p = p->next)
        if (p->greeted) {
            p->place.t = h->live;
            p->place.world = h->main_world;
            p->place.select[0] = '\0';
            pages[count++] = page_hold(p);
        }
    pthread_mutex_unlock(&h->lock);
    welcome all;
    const bool good = welcome_begin(h, &all);
    for (int k = 0; k < count; k++) {
        json_t *out = good ? json_object() : NULL;
        json_put(out, "kind", json_string("reset"));
        message *m = good ? welcome_message(&all, pages[k], out) : NULL;
        if (m) {
            hub_send(pages[k], m);
            pthread_mutex_lock(&h->lock);
            welcome_told(&all, pages[k]);
            pthread_mutex_unlock(&h->lock);
        }
        page_drop(pages[k]);
    }
    if (good)
        free(all.text);
}

static void install(request *r)
{
    mc_error error = {0};
    int number;
    opened *o = r->opened;
    const bool beside = o->beside;
    r->opened = NULL;
    if (!opened_install(r->h, o, &number, &error)) {
        request_refuse_error(r, &error);
        return;
    }
    request_done(r, json_pack("{s:i}", "world", number));
    if (!beside) {
        tell_reset(r->h);
        return;
    }
    world *w = hub_world(r->h, number);
    world_tell(r->h, w);
    world_drop(w);
}

static const request_kind second_half = {"open", SIMULATION, true, install};

static opened *read_source(request *r, const char *file, const char *key, const char *text,
                           const char *name, mc_error *error)
{
    if (text[0])
        return open_text(r->h, text, strlen(text), name, error);
    if (key[0])
        return open_upload(r, key, error);
    char path[PATH_MAX], with[PATH_MAX];
    const char *other;
    if (!request_text(r, "with", 1000, "", &other))
        return NULL;
    if (!open_file_path(r->h, file, path) || (other[0] && !open_file_path(r->h, other, with))) {
        request_refuse(r, "file", "\"%.200s\" is in none of the folders given at start", file);
        return NULL;
    }
    opened *o = open_path(r->h, path, other[0] ? with : NULL, base_name(file), error);
    if (!o)
        snprintf(error->file, sizeof error->file, "%.200s", file);
    return o;
}

void request_open(request *r)
{
    const char *file, *key, *text, *name;
    bool beside;
    const json_t *with = json_object_get(r->body, "with");
    if (!request_text(r, "file", 1000, "", &file) || !request_text(r, "upload", 64, "", &key) ||
        !request_text(r, "text", TEXT_MOST, "", &text) ||
        !request_text(r, "name", 200, "scenario.yaml", &name) ||
        !request_flag(r, "beside", false, &beside))
        return;
    if (!file[0] + !key[0] + !text[0] != 2) {
        request_refuse(r, NULL, "say one of file, upload, text");
        return;
    }
    if (with && !json_is_string(with) && !json_is_array(with)) {
        request_refuse(r, "with", "with must be a text or a list of them");
        return;
    }
    mc_error error = {0};
    opened *o = read_source(r, file, key, text, name, &error);
    if (!o) {
        if (!r->answered)
            request_refuse_error(r, &error);
        return;
    }
    o->beside = beside;
    r->opened = o;
    r->kind = &second_half;
    request *next = request_move(r);
    if (next)
        hub_post(next->h, next);
}
