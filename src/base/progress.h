// progress.h - the progress of a long run, for the terminal.
//
// On a terminal one line is redrawn at most ten times a second:
//     [########............]  43 %  t=2.1300  12.4 x real time  0:12 left
// Elsewhere (a log, a pipe, TERM=dumb) the same without the bar is printed at most every 10 s, and
// once at the end. For use by commands, between steps: never inside a kernel.
#pragma once

#include <stdbool.h>
#include <stdio.h>

typedef struct progress_view {
    double start, end; // s, simulated time of the whole run; end may be INFINITY
    double now;        // s, simulated time reached
    double wall;       // s, real time since the start of the run
    bool finished;     // show the time taken instead of the time left
} progress_view;

// Writes the line, without newline, into buffer; returns its length. columns is the width to fill
// with a bar; 0, or too little room, leaves the bar out. Touches neither clock nor terminal.
int progress_format(char *buffer, int size, const progress_view *view, int columns);

typedef struct progress {
    FILE *out;
    bool terminal;
    bool line_shown;    // the cursor stands at the end of a drawn line
    progress_view view; // as of the last look at the clock
    double wall_start;  // s, monotonic clock
    double wall_drawn;  // s, when the last line was written
    double wall_looked; // s, when the clock was read last
    int calls_left;     // before the clock is read again
    int stride;         // calls from one look to the next
} progress;

// out is stderr but for tests. start and end: simulated time of the run.
void progress_begin(progress *p, FILE *out, double start, double end);

// now: simulated time reached. Most calls only count.
void progress_update(progress *p, double now);
void progress_show(void *p, double now); // the same, for who calls with a context

// Takes the line away so that something else can be printed; the next update draws it again.
void progress_clear(progress *p);

// The last line, at the time really reached, ended by a newline.
void progress_end(progress *p, double now);

// The three above with the clock given; wall counts from any fixed moment.
void progress_begin_at(progress *p, FILE *out, bool terminal, double start, double end,
                       double wall);
void progress_update_at(progress *p, double now, double wall);
void progress_end_at(progress *p, double now, double wall);
