// impacts.h - the impacts of a run, also those of vehicles that are no longer there.
//
// A run knows the impacts of the vehicles and obstacles it has. When one leaves, the recording
// keeps those it took part in: they stay in the results file and in the figures.
#pragma once

#include "play/recording.h"

mc_status play_impacts_follow(mc_recording *rec, mc_error *error); // after every step
mc_status play_impacts_figures(mc_recording *rec, mc_error *error);
mc_status play_impacts_write(mc_recording *rec, bool ended, mc_error *error); // ended: all, else
                                                                              // those that are over
void play_impacts_free(mc_recording *rec);
