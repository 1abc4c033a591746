// inside.h - the hub from inside: what its files and the requests share.
//
// Threads:
//   transport  the server's one thread: pages join and leave (page.h), their texts become requests
//              (intake.h) that are queued or done at once, and it fetches messages (mail.h)
//   simulation owns runs and timelines of all branches, does changes and exact seeks (simulate.h)
//   answers    reads histories and files, so that no question slows the simulation (answers.h)
//   sweep      one at a time, while a sweep is on (sweep.h)
//
// Locks, never taken in another order: hub.lock (pages, queues, the list of branches), then the
// lock of a branch (what others may know of it), then the lock of its history. None is held while
// something is simulated, read or packed. The simulation thread alone changes the list of
// branches and what is in them, so it reads them without a lock.
#pragma once

#include "motorcade/studio.h"
#include "studio/hub/branch.h"
#include "studio/hub/drive.h"
#include "studio/hub/page.h"
#include "studio/hub/publish.h"
#include "studio/history/registry.h"
#include "studio/hub/request.h"
#include "studio/hub/sweep.h"
#include "studio/hub/undo.h"
#include "studio/hub/upload.h"

// The simulation thread does not walk over the pages in every turn. It looks when one did this:
typedef enum stir_what {
    STIR_PLACE = 1,  // plays otherwise than before
    STIR_PEDALS = 2, // drives
    STIR_FRAMES = 4  // can take a frame it could not take before
} stir_what;

struct hub {
    mc_studio_options options;
    const request_table *requests; // that pages can make
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
    bool started;      // it ran before: a page that joins does not start it
    unsigned stirred;  // what pages did that it has not seen: stir_what
    kept_place *kept;
    int kept_count;
    request *sim_first, *sim_last, *ask_first, *ask_last, *hello_first, *hello_last;
    branch *branches[MAX_BRANCHES]; // NULL: free
    int slot_count;                 // no branch stands behind it
    int branch_number;              // of the next one
    int main_branch;                // number of the one to be shown first
    upload *uploads;
    int upload_count;
    size_t upload_bytes;

    atomic_size_t max_memory; // bytes of all branches together
    registry names;
    struct mc_concept_live *concept; // of the answers thread: the one that was looked at last
    pthread_t simulation, answers;
    bool simulation_on, answers_on;

    // Of the simulation thread alone.
    double live; // s, how far all go
    bool running;
    double clock_real, clock_sim; // s: simulated time clock_sim was to be at real time clock_real
    double clock_rate;
    int clock_by;          // number of the page at whose rate it runs; 0: none
    double requested;      // rate that pages ask for
    double requested_rest; // s, where they ask it to rest; INFINITY: nowhere
    double requested_next; // s of the clock, when they are looked at again
    double frames_next;    // s of the clock, when the next page is due
    double busy, busy_since, load;
    double clock_told;
    double budget_next; // s of the clock, when memory is looked at again
    int behind_first;   // slot of the branch behind whose turn it is
    driver *drivers;
    int driver_count;
    undo_step *undo;
    int undo_count, redo_count; // undo[undo_count ..] can be done again
    int undo_group;             // number of the last group of steps
    bool clock_due;
    bool at_end; // a page plays, and every scenario has come to its end
    sweep *sweep;
    packed packed[MAX_PACKED];
    int packed_count;
};

void hub_stir(hub *h, stir_what what); // under the lock: the simulation thread looks at it now
double hub_now(void);                  // s, a clock that never goes back
void hub_key(char key[33]);            // random hex digits, for keys that cannot be guessed
