// progress.c - the progress line.
//
// Reading the clock costs more than a small step is worth, so only every stride-th call reads it.
// The stride doubles while looks come closer than LOOK_SHORT and falls back to 1 when one came late
// (a collision makes steps expensive), so that the line is never long out of date.
#include "base/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { STRIDE_MAX = 16, BAR_MIN = 10, BAR_MAX = 40, COLUMNS_DEFAULT = 80 };
static const double REDRAW = 0.1;      // s, between lines on a terminal
static const double LOG_PERIOD = 10.0; // s, between lines elsewhere
static const double LOOK_SHORT = 0.01; // s
static const double LOOK_LONG = 0.1;   // s

static double wall_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// 0:07, 12:34, 1:02:03; "-" for what is not known or absurd.
static void format_duration(char *buffer, size_t size, double seconds)
{
    if (!(seconds >= 0.0 && seconds < 360000.0)) {
        snprintf(buffer, size, "-");
        return;
    }
    const int s = (int)(seconds + 0.5);
    if (s >= 3600)
        snprintf(buffer, size, "%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(buffer, size, "%d:%02d", s / 60, s % 60);
}

// Three digits or so, never an exponent below a million.
static void format_speed(char *buffer, size_t size, double speed)
{
    if (!isfinite(speed) || speed < 0.0)
        snprintf(buffer, size, "-");
    else if (speed >= 1e6)
        snprintf(buffer, size, "%.1e", speed);
    else
        snprintf(buffer, size, "%.*f",
                 speed >= 100.0  ? 0
                 : speed >= 10.0 ? 1
                 : speed >= 0.1  ? 2
                                 : 4,
                 speed);
}

// Done part of the run, 0..1; negative when the run has no end.
static double fraction(const progress_view *v)
{
    if (!isfinite(v->end))
        return -1.0;
    if (!(v->end > v->start))
        return 1.0;
    const double f = (v->now - v->start) / (v->end - v->start);
    return f > 0.0 ? fmin(f, 1.0) : 0.0; // NaN: 0
}

int progress_format(char *buffer, int size, const progress_view *v, int columns)
{
    const double done = fraction(v);
    const double speed = v->wall > 0.0 ? (v->now - v->start) / v->wall : NAN;
    char percent[16] = "", speed_text[32], time_text[32];
    if (done >= 0.0) // rounded down: 100 % means the end was reached, up to rounding of the time
        snprintf(percent, sizeof percent, "%3d %%  ", (int)(100.0 * done + 1e-6));
    format_speed(speed_text, sizeof speed_text, speed);
    const double left = speed > 0.0 ? (v->end - v->now) / speed : NAN;
    format_duration(time_text, sizeof time_text, v->finished ? v->wall : left);

    char text[160];
    int length =
        snprintf(text, sizeof text, "%st=%.4f  %s x real time", percent, v->now, speed_text);
    if (length < (int)sizeof text && (v->finished || done >= 0.0))
        length += snprintf(text + length, sizeof text - (size_t)length,
                           v->finished ? "  took %s" : "  %s left", time_text);

    char bar[BAR_MAX + 4] = "";
    int cells = columns - length - 3; // "[" "]" " "
    if (done >= 0.0 && cells >= BAR_MIN) {
        cells = cells < BAR_MAX ? cells : BAR_MAX;
        const int full = (int)(done * cells);
        bar[0] = '[';
        memset(bar + 1, '#', (size_t)full);
        memset(bar + 1 + full, '.', (size_t)(cells - full));
        strcpy(bar + 1 + cells, "] ");
    }
    const int written = snprintf(buffer, (size_t)size, "%s%s", bar, text);
    return written < size ? written : size - 1;
}

static int terminal_columns(FILE *out)
{
    struct winsize window;
    if (ioctl(fileno(out), TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
        return window.ws_col;
    return COLUMNS_DEFAULT;
}

static void draw(progress *p, double wall)
{
    char line[256];
    if (p->terminal) {
        // One column stays free, or some terminals wrap; what is too long is cut.
        const int columns = terminal_columns(p->out) - 1;
        progress_format(line, sizeof line, &p->view, columns);
        fprintf(p->out, "\r%.*s\033[K", columns > 0 ? columns : 1, line);
        p->line_shown = true;
    } else {
        progress_format(line, sizeof line, &p->view, 0);
        fprintf(p->out, "%s\n", line);
    }
    fflush(p->out);
    p->wall_drawn = wall;
}

void progress_begin_at(progress *p, FILE *out, bool terminal, double start, double end, double wall)
{
    *p = (progress){.out = out,
                    .terminal = terminal,
                    .view = {.start = start, .end = end, .now = start},
                    .wall_start = wall,
                    .wall_drawn = wall,
                    .wall_looked = wall,
                    .stride = 1};
}

void progress_update_at(progress *p, double now, double wall)
{
    const double since_look = wall - p->wall_looked;
    if (since_look > LOOK_LONG)
        p->stride = 1;
    else if (since_look < LOOK_SHORT && p->stride < STRIDE_MAX)
        p->stride *= 2;
    p->wall_looked = wall;
    p->calls_left = p->stride - 1;

    p->view.now = now;
    p->view.wall = wall - p->wall_start;
    if (wall - p->wall_drawn >= (p->terminal ? REDRAW : LOG_PERIOD))
        draw(p, wall);
}

void progress_end_at(progress *p, double now, double wall)
{
    p->view.now = now;
    p->view.wall = wall - p->wall_start;
    p->view.finished = true;
    draw(p, wall);
    if (p->terminal) {
        fputc('\n', p->out);
        fflush(p->out);
    }
    p->line_shown = false;
}

void progress_begin(progress *p, FILE *out, double start, double end)
{
    const char *kind = getenv("TERM");
    const bool terminal = isatty(fileno(out)) && kind && strcmp(kind, "dumb") != 0;
    progress_begin_at(p, out, terminal, start, end, wall_clock());
}

void progress_update(progress *p, double now)
{
    if (p->calls_left-- <= 0)
        progress_update_at(p, now, wall_clock());
}

void progress_show(void *p, double now)
{
    progress_update(p, now);
}

void progress_clear(progress *p)
{
    if (p->line_shown) {
        fputs("\r\033[K", p->out);
        fflush(p->out);
        p->line_shown = false;
    }
}

void progress_end(progress *p, double now)
{
    progress_end_at(p, now, wall_clock());
}
