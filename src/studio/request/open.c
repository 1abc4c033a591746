// open.c - open: a file, an upload or a text becomes a branch.
//
// What pages may open: files in the folders given at start, what they uploaded, and the text of a
// scenario.
#include "studio/request/open.h"

#include "motorcade/medusa.h"
#include "motorcade/multibody.h"
#include "studio/hub/branch_list.h"
#include "studio/hub/describe.h"
#include "studio/hub/inside.h"
#include "studio/hub/intake.h"
#include "studio/hub/json.h"
#include "studio/hub/mail.h"
#include "studio/hub/open.h"
#include "studio/hub/queue.h"
#include "studio/hub/saved_state.h"
#include "studio/hub/upload.h"
#include "studio/request/files.h"
#include "studio/request/read.h"
#include "studio/request/requests.h"
#include "studio/request/welcome.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
        request_reject(
            r, "upload",
            u.name[0]
                ? "cannot store the upload in the folder for temporary files: is the disk full?"
                : "no upload has this key");
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
            request_reject(r, "with", "entry %zu of with is not an upload", k + 1);
            end_bundle(b);
            return false;
        }
        if (open_ends_in(u.name, ".csv")) {
            b->many_csv = true;
        } else {
            memcpy(b->with, b->made[b->count - 1], sizeof b->made[0]);
            b->has_with = true;
        }
    }
    if (b->many_csv && !open_is_scenario(b->name))
        memcpy(b->path, b->folder, sizeof b->folder);
    return true;
}

// An upload is opened once.
static void forget_uploads(request *r, const char *key)
{
    const json_t *with = json_object_get(r->body, "with");
    pthread_mutex_lock(&r->h->lock);
    upload_forget(r->h, key, INFINITY);
    if (json_is_string(with))
        upload_forget(r->h, json_string_value(with), INFINITY);
    for (size_t k = 0; k < json_array_size(with); k++) {
        const char *other = json_string_value(json_array_get(with, k));
        if (other)
            upload_forget(r->h, other, INFINITY);
    }
    pthread_mutex_unlock(&r->h->lock);
}

// How a platoon of MEDUSA is to run; "": as usual.
static bool read_choice(request *r, open_choice *out)
{
    static const char *const words[3][3] = {
        {"exponential", "published", ""}, {"impulses", "penalty", "none"}, {"file", "solved", ""}};
    static const char *const names[3] = {"scheme", "contact", "equilibrium"};
    const char **to[3] = {&out->scheme, &out->contact, &out->equilibrium};
    for (int k = 0; k < 3; k++) {
        if (!read_text(r, names[k], 40, "", to[k]))
            return false;
        bool known = !*to[k][0];
        for (int w = 0; w < 3; w++)
            known = known || strcmp(*to[k], words[k][w]) == 0;
        if (!known) {
            request_reject(r, names[k], "unknown %s \"%.40s\"; expected %s, %s%s%s", names[k],
                           *to[k], words[k][0], words[k][1], words[k][2][0] ? ", " : "",
                           words[k][2]);
            return false;
        }
    }
    return true;
}

static opened *open_upload(request *r, const char *key, mc_error *error)
{
    bundle *b = malloc(sizeof *b);
    opened *o = NULL;
    if (b && make_bundle(r, b, key)) {
        if (open_is_scenario(b->name)) {
            FILE *in = fopen(b->path, "rb");
            char *text = malloc((8 << 20) + 1);
            const size_t n = in && text ? fread(text, 1, (8 << 20) + 1, in) : 0;
            if (in)
                fclose(in);
            if (text && b->count > 1 &&
                !mc_multibody_is_text(text, n)) // the scenario with the files it names
                o = open_scenario(r->h, mc_scenario_parse_bundle(text, n, b->made[0], error),
                                  b->name, error);
            else if (text)
                o = open_text(r->h, text, n, b->name, error);
            free(text);
        } else if (mc_medusa_is_platoon(b->path)) {
            open_choice choice;
            if (read_choice(r, &choice))
                o = open_medusa(r->h, b->path, b->has_with ? b->with : NULL, &choice, true, b->name,
                                error);
        } else if (open_is_state(b->name)) {
            o = saved_state_open(r->h, b->path, b->name, error);
        } else {
            o = open_recording(r->h, b->path, b->has_with ? b->with : NULL, b->name, error);
        }
        snprintf(error->file, sizeof error->file, "%s", b->name);
        end_bundle(b);
    }
    forget_uploads(r, key);
    free(b);
    return o;
}

// ---- the request ----

// Everything is new: a page is told all that welcome says.
static void tell_reset(hub *h)
{
    pthread_mutex_lock(&h->lock);
    int count = 0;
    hub_page *pages[512];
    for (hub_page *p = h->pages; p && count < 512; p = p->next)
        if (p->greeted) {
            p->place.t = h->live;
            p->place.branch = h->main_branch;
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
            mail_send(pages[k], m);
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
    opened_make_place(r->h, o);
    const bool beside = o->beside;
    r->opened = NULL;
    if (!opened_install(r->h, o, &number, &error)) {
        request_reject_error(r, &error);
        return;
    }
    request_done(r, json_pack("{s:i}", "world", number));
    if (!beside) {
        tell_reset(r->h);
        return;
    }
    branch *b = branch_list_find(r->h, number);
    describe_tell(r->h, b);
    branch_drop(b);
}

static const request_kind second_half = {"open", SIMULATION, REQUEST_CHANGES, install};

void open_hand_over(request *r, opened *o)
{
    r->opened = o;
    r->kind = &second_half;
    request *next = request_move(r);
    if (next)
        queue_post(next->h, next);
}

static opened *read_source(request *r, const char *file, const char *key, const char *text,
                           const char *name, mc_error *error)
{
    if (text[0])
        return open_text(r->h, text, strlen(text), name, error);
    if (key[0])
        return open_upload(r, key, error);
    char path[PATH_MAX], with[PATH_MAX];
    const char *other;
    if (!read_text(r, "with", 1000, "", &other))
        return NULL;
    if (!files_path(r->h, file, path) || (other[0] && !files_path(r->h, other, with))) {
        request_reject(r, "file", "\"%.200s\" is in none of the folders given at start", file);
        return NULL;
    }
    open_choice choice;
    if (!read_choice(r, &choice))
        return NULL;
    const char *second = other[0] ? with : NULL, *shown = files_name(file);
    opened *o = mc_medusa_is_platoon(path)
                    ? open_medusa(r->h, path, second, &choice, false, shown, error)
                    : open_path(r->h, path, second, shown, error);
    if (!o)
        snprintf(error->file, sizeof error->file, "%.200s", file);
    return o;
}

void request_open(request *r)
{
    const char *file, *key, *text, *name;
    bool beside;
    const json_t *with = json_object_get(r->body, "with");
    if (!read_text(r, "file", 1000, "", &file) || !read_text(r, "upload", 64, "", &key) ||
        !read_text(r, "text", MAX_REQUEST_BYTES, "", &text) ||
        !read_text(r, "name", 200, "scenario.yaml", &name) ||
        !read_flag(r, "beside", false, &beside))
        return;
    if (!file[0] + !key[0] + !text[0] != 2) {
        request_reject(r, NULL, "expected one of file, upload, text");
        return;
    }
    if (with && !json_is_string(with) && !json_is_array(with)) {
        request_reject(r, "with", "with must be a text or a list of them");
        return;
    }
    mc_error error = {0};
    opened *o = read_source(r, file, key, text, name, &error);
    if (!o) {
        if (!r->answered)
            request_reject_error(r, &error);
        return;
    }
    o->beside = beside;
    open_hand_over(r, o);
}
