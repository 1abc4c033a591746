// source.h - a run as what is recorded: the columns of its vehicles, and their rows.
#pragma once

#include "play/recording.h"

// Columns, tables and the record of a recording whose vehicles are known.
mc_status play_source_make(mc_recording *rec, mc_error *error);

// After another version came into use: which channels of its vehicles the columns are.
void play_source_follow(mc_recording *rec);

// The columns of the recording, and behind them the other channels of a vehicle that the scenario
// wants. False: no memory.
bool play_late_columns(mc_recording *rec, play_late *late);
void play_late_follow(const mc_recording *rec, play_late *late); // as play_source_follow
void play_late_fill(const mc_recording *rec, play_late *late);   // its row now

int play_column(mc_field field); // of motion; -1: it is none
