// parts.h - inside of the hub, shared by its files.
//
// Threads:
//   transport  calls hub_*: it parses a request, and queues or does it; it fetches messages
//   simulation owns runs and timelines of all worlds, does changes and exact seeks (simulate.c)
//   answers    reads histories and files (answers.c)
//   sweep      one at a time, while a sweep is on (answer_sweep.c)
//
// Locks, never taken in another order: hub.lock (pages, queues, the list of worlds), then the lock
// of a world (what others may know of it), then the lock of its history. Neither is held while
// something is simulated, read or packed. The simulation thread alone changes the list of worlds
// and what is in them, so it reads them without a lock.
#pragma once

#include "motorcade/figures.h"
#include "motorcade/observe.h"
#include "motorcade/timeline.h"
#include "studio/frame.h"
#include "studio/history.h"
#include "studio/hub.h"
#include "studio/registry.h"

#include <jansson.h>
#include <pthread.h>

enum {
    WORLDS_MOST = 64,
    PAGE_QUEUE_MOST = 16 << 20, // bytes that may wait for a page
    TEXT_MOST = 65536,          // bytes of a request
    ROWS_MOST = 2000,
    NAME_MOST = 64,
    UI_MOST = 4096,
    UNDER_WAY_MOST = 16, // requests of a page
};

// ---- messages ----

struct bytes; // base/bytes.h

typedef struct message {
    hub_message out; // first
    atomic_int refs;
} message;

message *message_text(json_t *json);                    // takes the object; NULL: no memory
message *message_copy(const void *text, size_t length); // JSON that was put together; the same
message *message_frames(frame_buffer *buffer);          // takes the bytes
message *message_hold(message *m);

// ---- worlds ----

typedef struct log_entry { // a command, kept apart from a run
    double t;
    long long step; // of a script: given at this step; 0: at its time
    char event[32], vehicle[NAME_MOST], by[NAME_MOST];
    char *param; // "" allowed; owned
    double value;
    mc_inputs inputs;
} log_entry;

typedef struct world_event {
    double t;
    const char *type;
    char vehicle[NAME_MOST], other[NAME_MOST];
    char text[160];
    double value;
    char event[32], target[NAME_MOST]; // of the log entry it came from; "": none
    unsigned long long param;          // hash of its parameter
} world_event;

typedef struct world_impact {
    mc_impact impact; // a and b are ids of the studio
    char name[2][NAME_MOST];
    double mass[2]; // kg, then
} world_impact;

typedef enum world_state { WORLD_RUNNING, WORLD_ENDED, WORLD_FAILED } world_state;

typedef struct car_memory {       // what the recorder remembers of one car
    bool braked, pushed;          // pedals, for events
    double brake_time, push_time; // s, when they were last on
} car_memory;

typedef struct world {
    atomic_int refs;
    int number; // never used again for another world
    int slot;   // in hub.worlds; -1: not there
    bool replay;

    // Of the simulation thread alone.
    mc_run *run; // NULL: a recording, or removed
    mc_timeline *line;
    mc_snapshot live; // the state at the end, while the run shows another instant
    roster *who;
    void *scratch; // a row of the instant shown
    size_t scratch_size;
    history_row now; // in scratch; valid when now_valid
    bool now_valid;
    double next_row;  // s
    int impacts_seen; // of the run
    int happened_seen;
    car_memory *cars;  // by column
    log_entry *script; // commands to be given when their time comes, in order
    int script_count, script_at;
    double compared;            // s, compared with the parent up to here
    bool orphan;                // the world it branched off from was changed before the fork
    unsigned long long instant; // counts states that can be shown
    uint32_t seq;
    unsigned long long vehicles_hash; // of what the list of vehicles says
    double saved_t;                   // s, of the saved state it came from; 0: none
    unsigned long long saved_hash;

    // Of all threads, under `lock`; written by the simulation thread alone.
    pthread_mutex_t lock;
    char name[NAME_MOST];
    int parent; // -1: none
    double fork;
    char change[160];
    bool same;
    double differs; // NAN: not yet
    double start, end, limit, step, row;
    double offset; // s, of a recording: its times are shown so much later
    world_state state;
    char message[256];
    int version;
    double headroom;
    char *text;                // what is in the world, an object; of a run without its vehicles
    char *vehicles;            // of a run, a list
    uint32_t vehicles_version; // counts changes of that list, from 1; 0: a recording
    char *origin;              // text of the scenario it began with
    world_event *events;
    int event_count, event_room;
    world_impact *impacts;
    frame_contact *contacts; // the same, for frames
    int impact_count, impact_room;
    log_entry *log; // a copy of the run's, for questions
    int log_count, log_room;

    history past; // its own lock
} world;

world *world_hold(world *w);
void world_drop(world *w); // the last one frees it

// ---- pages ----

typedef struct playhead { // what a page reported of its playhead
    double t;
    bool playing, live;
    double rate;
    char select[NAME_MOST];
    int world;
    char *ui; // JSON; NULL: {}
} playhead;

typedef struct queued {
    struct queued *next;
    message *message;
} queued;

typedef struct page_frames { // frames of one world for one page
    message *waiting;        // the newest that was not fetched
    uint32_t waiting_seq;
    uint32_t sent[2]; // not acknowledged
    int sent_count;
    unsigned long long shown; // instant packed last
    uint32_t vehicles;        // version of its list of vehicles that the page has
    int64_t tick;             // of the clock, at which it was
} page_frames;

typedef struct packed { // a frame for a tick of the clock, shared between pages
    int slot, number;   // of the world
    uint32_t version;   // of its list of vehicles
    double rate;        // ticks a second
    int64_t tick;
    uint32_t mask;
    bool windowed, bodies;
    double from, to;
    uint32_t seq;
    unsigned long long instant;
    message *message; // NULL: it could not be packed
} packed;

enum { PACKED_MOST = 64 };

typedef struct drive_wish {
    bool fresh, release;
    int world;
    double at; // s; NAN: the live end
    char vehicle[NAME_MOST];
    mc_inputs inputs;
    json_int_t id;
} drive_wish;

struct hub_page {
    hub *h;
    atomic_int refs;
    atomic_int under_way; // requests that are queued or being carried out
    struct hub_page *next;
    int number;
    bool read_only;
    // Under hub.lock.
    char key[33], name[NAME_MOST];
    bool gone, greeted, greeting, subscribed;
    bool looks_on; // it has reported its playhead
    int follows;   // number of the page whose playhead it is told; 0: none
    const char *closing;
    playhead place;
    double reported; // s of the clock
    uint32_t mask;
    double rate;
    bool windowed;
    double from, to;
    bool bodies;
    queued *first, *last;
    size_t waiting;
    page_frames frames[WORLDS_MOST];
    drive_wish drive;
    // Of the transport thread alone.
    double second; // s of the clock, at which the counts began
    int requests, drives;
};

// ---- requests ----

typedef struct request {
    struct request *next;
    hub *h;
    hub_page *page; // held
    json_t *body;   // owned
    json_int_t id;  // -1: none
    const struct request_kind *kind;
    bool answered;
    bool counted;        // among those under way of its page
    bool again;          // it is to be carried out again: what it waits for is not there yet
    double since;        // s of the clock, since when it waits; 0: it does not
    mc_timeline_way way; // to the instant it asks for
    json_t *partial;     // a part of the answer, made by another thread; owned
    // Handed from the answers thread to the simulation thread: what was opened.
    struct opened *opened;
} request;

typedef enum request_where { HERE, ANSWERS, SIMULATION } request_where;

typedef struct request_kind {
    const char *name;
    request_where where;
    bool changes; // refused to pages that may only look
    void (*run)(request *r);
} request_kind;

const request_kind *request_find(const char *name); // NULL: unknown
const char *request_nearest(const char *name);

// ---- undo ----

typedef enum step_kind { STEP_BRANCH, STEP_LOG } step_kind;

typedef struct undo_step {
    step_kind kind;
    int world;            // that was made, or whose log was changed
    int parent;           // of a branch
    double at;            // of a branch
    char name[NAME_MOST]; // of a branch
    bool removed, added;  // of a log: the entry before, the entry after
    log_entry before, after;
    char text[160], by[NAME_MOST];
    int group; // steps of one number are taken back together; 0: alone
} undo_step;

enum { UNDO_MOST = 256 };

// ---- the hub ----

typedef struct kept_place {
    char key[33];
    playhead place;
    double left; // s of the clock
} kept_place;

typedef struct upload {
    char key[33], name[256];
    void *bytes; // owned
    size_t length;
    double came; // s of the clock
} upload;

typedef struct driver { // whose hands are on a car
    int page;
    char name[NAME_MOST];
    int world;
    char vehicle[NAME_MOST];
    int from_world; // world that the page names; the car was branched off with it
    mc_inputs inputs;
    double last; // s of the clock
} driver;

typedef struct sweep_state sweep_state;

// The simulation thread does not walk over the pages in every turn. It looks when one did this:
typedef enum stir_what {
    STIR_PLACE = 1,  // plays otherwise than before
    STIR_PEDALS = 2, // drives
    STIR_FRAMES = 4  // can take a frame it could not take before
} stir_what;

struct hub {
    mc_studio_options options;
    char **folders;
    char *title, *file;
    void (*wake)(void *context);
    void *wake_context;
    char temporary[64]; // folder for uploads and tables of sweeps

    pthread_mutex_t lock;
    pthread_cond_t work;  // for the simulation thread
    pthread_cond_t asked; // for the answers thread
    bool quit;
    hub_page *pages;
    int page_number;
    bool running_told; // the simulation runs: it looks at pages by itself
    unsigned stirred;  // what pages did that it has not seen: stir_what
    kept_place *kept;
    int kept_count;
    request *sim_first, *sim_last, *ask_first, *ask_last, *hello_first, *hello_last;
    world *worlds[WORLDS_MOST]; // NULL: free
    int slot_count;             // no world stands behind it
    int world_number;           // of the next one
    int main_world;             // number of the one to be shown first
    upload *uploads;
    int upload_count;
    size_t upload_bytes;

    atomic_size_t memory_most; // bytes of all worlds together
    registry names;
    pthread_t simulation, answers;
    bool simulation_on, answers_on;

    // Of the simulation thread alone.
    double live; // s, how far all go
    bool running;
    double clock_real, clock_sim; // s: simulated time clock_sim was to be at real time clock_real
    double clock_rate;
    double wanted;      // rate that pages ask for
    double wanted_next; // s of the clock, when they are looked at again
    double frames_next; // s of the clock, when the next page is due
    double busy, busy_since, load;
    double clock_told;
    double budget_next; // s of the clock, when memory is looked at again
    int behind_first;   // slot of the world behind whose turn it is
    driver *drivers;
    int driver_count;
    undo_step *undo;
    int undo_count, redo_count; // undo[undo_count ..] can be done again
    int undo_group;             // number of the last group of steps
    bool clock_due;
    bool at_end; // a page plays, and every scenario has come to its end
    sweep_state *sweep;
    packed packed[PACKED_MOST];
    int packed_count;
};

void hub_stir(hub *h, stir_what what); // under the lock: the simulation thread looks at it now

// create.c: removes the upload of that key (NULL: all) that came before an instant of the clock;
// under hub.lock.
void uploads_forget(hub *h, const char *key, double before);
// create.c: takes an upload out of the list; the bytes are the caller's. False: there is none.
// Locks.
bool upload_take(hub *h, const char *key, upload *out);

// hub.c
double hub_now(void);                                           // s, a clock that never goes back
void hub_send(hub_page *page, message *m);                      // takes the message; locks
void hub_broadcast(hub *h, message *m, const hub_page *except); // takes the message; locks
void hub_tell_followers(hub *h, int page, message *m); // the same, of those that follow a page
// A world described, with its vehicles to pages that have another version of them. Takes both; full
// NULL: all have this one.
bool hub_vehicles_known(hub *h, int slot, uint32_t version);
void hub_tell_world(hub *h, int slot, uint32_t version, message *brief, message *full);
void hub_wake_pages(hub *h);
void hub_post(hub *h, request *r); // to the thread of its kind; takes it
void hub_post_simulation(hub *h, request *r);
void hub_post_again(hub *h, request *r); // behind those of others, before later ones of its page
request *hub_take_answer(hub *h);        // the next one of the answers thread; NULL: quit
bool request_wanted(request *r);         // it changes something, or its page is still there
hub_page *page_hold(hub_page *page);
void page_drop(hub_page *page);
void page_name(hub_page *page, char out[NAME_MOST]); // as it is now: a hello may change it; locks
void hub_key(char key[33]);
world *hub_world(hub *h, int number); // held, or NULL; any thread
int hub_worlds(hub *h, world **out);  // all, held, the main one first; any thread

// request_page.c, request_pages.c
void page_take_name(hub_page *page, const char *name);     // without control characters; locks
void pages_count(hub *h);                                  // told to all; locks
void pages_place(hub *h, const hub_page *page, bool gone); // told to those who follow it; locks

// request.c: answers
void request_done(request *r, json_t *results); // takes results; NULL: none
void request_refuse(request *r, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void request_refuse_json(request *r, json_t *refusal); // takes it; adds kind and id
void request_refuse_error(request *r, const mc_error *error);
void request_free(request *r);
// The same request with its answer still to come, for another thread; r is left empty.
request *request_move(request *r);

// request.c: what a request says. False: it was refused. A fallback of NAN: the number is needed.
bool request_number(request *r, const char *name, double min, double max, double fallback,
                    double *out);
bool request_optional(request *r, const char *name, double min, double max, double *out); // NAN
bool request_flag(request *r, const char *name, bool fallback, bool *out);
// fallback NULL: needed. The text lives as long as the request.
bool request_text(request *r, const char *name, size_t most, const char *fallback,
                  const char **out);
bool request_fields(request *r, uint32_t fallback, uint32_t *mask);
bool request_world(request *r, world **out); // held; `world`, 0 if it is not there
// `worlds`: a list of numbers, or all. held; at most WORLDS_MOST.
bool request_worlds(request *r, world **out, int *count);

// drive.c: the pedals pages hold now; silence of 2 s lets a car go.
void drive_pedals(hub *h, bool fresh); // fresh: pages may have new wishes

// simulate.c
// Gives what is due of the script at the instant where the world stands; true: it is described
// otherwise now. What cannot be given goes, and all pages are told.
bool world_give_script(hub *h, world *w);
bool world_run_to(hub *h, world *w, double t, double until); // until: s of hub_now
void *simulate_thread(void *hub);

// budget.c: all of the simulation thread.
bool budget_room(const hub *h, mc_error *error); // for another world; false: see *error
void budget_keep(hub *h);                        // thins a history when all have too much

// answers.c
void *answers_thread(void *hub);

// record.c: who is there now, and the instant shown as a row. False: no memory.
bool record_roster(hub *h, world *w);
bool record_look(hub *h, world *w);                   // fills w->now
bool record_row(hub *h, world *w);                    // stores it
void record_forget(world *w, double t);               // what was noted after t
void record_take_memory(world *w, const world *from); // what is remembered of its cars

// world.c
world *world_create(hub *h, const char *name);
bool world_begin_run(hub *h, world *w, mc_run *run, mc_error *error); // takes the run
mc_timeline *world_timeline(mc_run *run, mc_error *error);
int world_install(hub *h, world *w); // into the hub's list: its number; -1: no place
int world_install_as(hub *h, world *w, int number);
void world_remove(hub *h, world *w);
void world_remove_all(hub *h);
bool world_step(hub *h, world *w);    // one step; false: it ended or failed
void world_changed(hub *h, world *w); // vehicles, gains, road: described anew and told
void world_describe(hub *h, world *w);
void world_tell(hub *h, world *w);
// What others may know of a world, any thread. WORLD as a tree, and as text: version NULL or of the
// vehicles in it.
json_t *world_json(world *w);
bool world_put_text(world *w, bool vehicles, struct bytes *out, uint32_t *version, int *log_count);
log_entry *world_copy_log(world *w, int *count);
void log_entries_free(log_entry *entries, int count);
// To an instant of the past; world_return goes back to the end. way NULL: in one go. Else for a
// slice of time, so that others are not held up; *again: it is not there yet, and the same call is
// to be made again later. False: see *error.
bool world_seek(hub *h, world *w, double t, mc_timeline_way *way, bool *again, mc_error *error);
void world_return(hub *h, world *w);
void world_compare(hub *h, world *w);
void world_add_event(hub *h, world *w, const world_event *event);
json_t *world_event_json(const world_event *e, int log);
void world_note_entry(hub *h, world *w, const log_entry *e, const char *text); // as an event
int world_event_log(const log_entry *log, int count, const world_event *e);    // -1: none of them
void world_note_log(world *w, const char *by);
void world_append_log(world *w, const log_entry *e, const char *by); // one that was just given
// The run of a world as it was at an instant (NAN, or not before the end: as it is), to be looked
// at until visit_end. False: refused, or r->again.
typedef struct visit {
    mc_run *run;
    world *at; // whose timeline has the instant
    bool away; // it is not at its end
} visit;
bool visit_begin(request *r, world *w, double t, visit *out);
void visit_end(request *r, visit *v);
// The world whose timeline holds instant t of w: w, or one it branched off from. NULL: see *error.
world *world_at(hub *h, world *w, double t, mc_error *error);
// way, again: as of world_seek; NULL with *again: not yet.
world *world_branch(hub *h, world *parent, double at, const char *name, const char *change,
                    mc_timeline_way *way, bool *again, mc_error *error);
bool world_behind(const hub *h, const world *w);
void world_tell_rewritten(hub *h, const world *w, double from);
bool world_rewrite(hub *h, world *w, const log_entry *before, const log_entry *after,
                   mc_error *error);

void log_entry_free(log_entry *e);
bool log_entry_same(const log_entry *a, const log_entry *b);
bool log_entry_copy(log_entry *to, const log_entry *from);
mc_status log_entry_give(world *w, const log_entry *e, mc_error *error);

// pending.c: numbers with the commands of the coming step carried out.
// A parameter of a vehicle (NULL: of all cars of the controller).
double pending_param(const mc_run *run, const char *vehicle, const char *controller,
                     const char *group, const char *name, double now);
double pending_road(const mc_run *run, const char *name, double now, bool *commanded);
// Headway or distance of the first car of a controller; NAN: as the roadway's.
double pending_wish(const mc_run *run, const char *controller, const char *name, double own);

// undo.c
void undo_clear(hub *h);

// json.c
json_t *json_value(double value); // null when it is not finite
json_t *json_values(const double *values, int count);
json_t *json_rows(const mc_param *rows, int count);
void json_put(json_t *object, const char *name, json_t *value); // takes value
// The same as text. *last: the number that was written before in this place, all zero at first.
typedef struct json_number {
    double value;
    char text[32];
} json_number;
void json_write_text(struct bytes *out, const char *text);
void json_write_value(struct bytes *out, double value, json_number *last);
json_t *json_law_line(const mc_law_line *line);

// answer_figures.c: 1: more is better, -1: less, 0: neither.
int figures_better(mc_figure_id figure);

// replay.c: a recording as a world, not in the list yet; any thread. NULL: see *error.
world *replay_world(hub *h, const char *path, const char *with, mc_error *error);

// answer_sweep.c
void sweep_end(hub *h);

// welcome.c
typedef struct welcome { // what all pages are told alike
    char *text;          // an object; owned
    size_t length;
    int count; // of worlds
    int number[WORLDS_MOST];
    uint32_t vehicles[WORLDS_MOST]; // versions told
} welcome;
bool welcome_begin(hub *h, welcome *out); // false: no memory
// own: what this page alone is told; taken. NULL: no memory.
message *welcome_message(const welcome *w, hub_page *page, json_t *own);
void welcome_told(const welcome *w, hub_page *page); // under the lock

// open.c
typedef struct opened { // a file that was read, not yet a world
    mc_run *run;
    struct world *world; // ready, with its history (of a recording); or NULL
    char *title, *file;
    bool beside;
    double t;                // s, of a saved state: simulated to there
    unsigned long long hash; // of the state there
    log_entry *script;       // its commands
    int script_count;
} opened;
opened *open_path(hub *h, const char *path, const char *with, const char *shown, mc_error *error);
opened *open_text(hub *h, const char *text, size_t length, const char *shown, mc_error *error);
opened *open_scenario(hub *h, mc_scenario *s, const char *shown, mc_error *error); // takes s
enum { OPEN_PATH_MOST = 4096 };
// The path of a file named by a page, FOLDER/FILE or FILE; false: it is in none of the folders.
bool open_file_path(hub *h, const char *file, char out[OPEN_PATH_MOST]);
// Whether a file is in one of the folders given at start; so is all the user opens with the studio.
bool open_allowed(hub *h, const char *path);
// state.c: a saved state; the text of one, to be freed.
opened *state_open(hub *h, const char *path, const char *shown, mc_error *error);
char *state_text(hub *h, const world *w, const char *log);
void state_reached(hub *h, world *w); // the world came to the instant of the saved state
void opened_free(opened *o);
bool opened_install(hub *h, opened *o, int *number, mc_error *error); // simulation thread; takes it
