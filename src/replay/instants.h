// instants.h - instants of collisions from the table contact_motion of a results file.
#pragma once

#include "replay/happened.h"
#include "replay/replay.h"

typedef struct replay_instants {
    recorded_list list;
    int64_t vehicle; // column
    double *time;    // s, rising
    int count;
    int *row; // by instant and car: row of the list; -1: it does not take part
    int car_count;
} replay_instants;

// As many as a recording may have beside its rows. On failure to be freed, too.
mc_status replay_instants_read(replay_instants *i, recorded *rec, mc_error *error);
// Into the rows behind those of the recording, which are filled: a car that does not take part is
// interpolated between the instants at which it is known.
void replay_instants_fill(const replay_instants *i, mc_replay *r);
void replay_instants_free(replay_instants *i);
