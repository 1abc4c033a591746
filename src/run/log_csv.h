// log_csv.h - the log of commands as text: the one form in which it is written anywhere.
//
//     step,event,vehicle,param,value,throttle,brake,steer,acceleration,time
//     3800,set,@follow,k3,1.6,0,0,0,0,38
//
// CSV as in RFC 4180: a text with commas, quotes or line breaks stands in quotes. The step
// counts, and the time of that step, s, is for people; where no step is given it is the one nearest
// to the time. Without any times the last column may be left out.
//
// A log stands in a file of its own (mc_run_write_log), in the section `log:` of a scenario
// (mc_run_export), and so in the studio's saved states.
#pragma once

#include "base/bytes.h"
#include "run/run.h"

void run_log_print(const mc_run *r, bytes *out); // without a final '\0'; out->failed: no memory
// Puts the commands of a text into the log: all of them or none. file, line: where its first line
// stands; every: whether its lines are lines of that file.
mc_status run_log_read(mc_run *r, const char *text, const char *file, int line, bool every,
                       mc_error *error);
