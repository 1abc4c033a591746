// sumo.c - see sumo.h.
#include "sumo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const double WIDTH = 3.2; // m, of a lane

static void fail(const char *what, const char *text)
{
    fprintf(stderr, "sumo: %s: %s\n", what, text);
    exit(1);
}

static FILE *create(const sumo *s, char path[256], const char *name)
{
    snprintf(path, 256, "%s/%s_%d_%s.xml", s->folder, name, s->count, s->model);
    FILE *file = fopen(path, "w");
    if (!file)
        fail("cannot write", path);
    return file;
}

static void finish(FILE *file, const char *path)
{
    if (fclose(file) != 0)
        fail("cannot write", path);
}

static void write_net(sumo *s)
{
    const double length = (s->count + 1) * s->spacing / s->lanes +
                          1.2 * s->limit * s->step * s->long_steps +
                          1000.0; // no car reaches the end
    FILE *file = create(s, s->net, "net");
    fprintf(file,
            "<net version=\"1.9\">\n"
            "<location netOffset=\"0,0\" convBoundary=\"0,0,%.2f,0\" origBoundary=\"0,0,%.2f,0\" "
            "projParameter=\"!\"/>\n"
            "<edge id=\"road\" from=\"a\" to=\"b\" priority=\"-1\">",
            length, length);
    for (int k = 0; k < s->lanes; k++) {
        const double y = -WIDTH * (s->lanes - k - 0.5);
        fprintf(file,
                "<lane id=\"road_%d\" index=\"%d\" speed=\"%g\" length=\"%.2f\" shape=\"0,%.2f "
                "%.2f,%.2f\"/>",
                k, k, s->limit, length, y, length, y);
    }
    fprintf(file,
            "</edge>\n"
            "<junction id=\"a\" type=\"dead_end\" x=\"0\" y=\"0\" incLanes=\"\" intLanes=\"\" "
            "shape=\"0,0 0,-%.2f\"/>\n"
            "<junction id=\"b\" type=\"dead_end\" x=\"%.2f\" y=\"0\" incLanes=\"",
            s->lanes * WIDTH, length);
    for (int k = 0; k < s->lanes; k++)
        fprintf(file, "%sroad_%d", k ? " " : "", k);
    fprintf(file, "\" intLanes=\"\" shape=\"%.2f,-%.2f %.2f,0\"/>\n</net>\n", length,
            s->lanes * WIDTH, length);
    finish(file, s->net);
}

// All cars stand on the road at once, at even distances, one lane after the other.
static void write_routes(sumo *s)
{
    FILE *file = create(s, s->routes, "routes");
    fprintf(file, "<routes><route id=\"all\" edges=\"road\"/>\n");
    double known[64];
    int types = 0;
    for (int k = 0; k < s->count; k++) {
        const double v = s->desired(k);
        int type = 0;
        while (type < types && known[type] != v)
            type++;
        if (type == types) {
            if (types == 64)
                fail("desired speeds", "more than 64");
            known[types++] = v;
            fprintf(file, "<vType id=\"t%d\" carFollowModel=\"%s\" maxSpeed=\"%g\"/>\n", type,
                    s->model, v);
        }
        fprintf(file,
                "<vehicle id=\"%d\" type=\"t%d\" route=\"all\" depart=\"0\" departLane=\"%d\" "
                "departPos=\"%g\" departSpeed=\"%g\" insertionChecks=\"none\"/>\n",
                k, type, k % s->lanes, (s->count - k) * s->spacing / s->lanes, s->start(k));
    }
    fprintf(file, "</routes>\n");
    finish(file, s->routes);
}

// Runs SUMO for `steps`, with an output if asked. CPU s; -1: there is no SUMO.
static double run_sumo(const sumo *s, int steps, const char *output, const char *path)
{
    char end[32], step[32];
    snprintf(end, sizeof end, "%.2f", steps * s->step);
    snprintf(step, sizeof step, "%g", s->step);
    const pid_t child = fork();
    if (child == 0) {
        const char *arguments[] = {"sumo",    "-n",
                                   s->net,    "-r",
                                   s->routes, "--step-length",
                                   step,      "--end",
                                   end,       "--no-step-log",
                                   "true",    "--no-warnings",
                                   "true",    "--duration-log.disable",
                                   "true",    "--time-to-teleport",
                                   "-1",      "--collision.action",
                                   "none",    "--threads",
                                   "1",       "--xml-validation",
                                   "never",   "--xml-validation.net",
                                   "never",   output,
                                   path,      NULL};
        if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
            _exit(126);
        execvp(arguments[0], (char *const *)arguments);
        _exit(127);
    }
    int status = 0;
    struct rusage use;
    if (child < 0 || wait4(child, &status, 0, &use) != child || !WIFEXITED(status))
        fail("it", "did not end");
    if (WEXITSTATUS(status) == 127)
        return -1.0;
    if (WEXITSTATUS(status) != 0)
        fail("it", "failed");
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

static FILE *run_with(const sumo *s, const char *output, char path[256])
{
    snprintf(path, 256, "%s/output.xml", s->folder);
    run_sumo(s, s->long_steps, output, path);
    FILE *file = fopen(path, "r");
    if (!file)
        fail("no", path);
    return file;
}

// All cars are on the road in every step that is measured, and move.
static void check(const sumo *s)
{
    char path[256], line[1024];
    FILE *file = run_with(s, "--summary-output", path);
    int seen = 0;
    while (fgets(line, sizeof line, file)) {
        const char *time = strstr(line, " time=\""), *running = strstr(line, " running=\""),
                   *speed = strstr(line, " meanSpeed=\"");
        if (!time || !running || !speed || atof(time + 7) < s->short_steps * s->step)
            continue;
        if (atoi(running + 10) != s->count || !(atof(speed + 12) > 10.0))
            fail("not all cars drive", line);
        seen++;
    }
    if (seen < s->long_steps - s->short_steps)
        fail("it", "its summary is too short");
    fclose(file);
    unlink(path);
}

double sumo_changes(const sumo *s)
{
    char path[256], line[1024];
    FILE *file = run_with(s, "--lanechange-output", path);
    double changes = 0.0;
    while (fgets(line, sizeof line, file)) {
        const char *time = strstr(line, " time=\"");
        if (strstr(line, "<change ") && time && atof(time + 7) >= s->short_steps * s->step)
            changes++;
    }
    fclose(file);
    unlink(path);
    return changes;
}

bool sumo_start(sumo *s)
{
    s->short_best = s->long_best = HUGE_VAL;
    write_net(s);
    write_routes(s);
    if (run_sumo(s, 1, NULL, NULL) < 0.0)
        return false;
    check(s);
    return true;
}

void sumo_measure(sumo *s)
{
    s->short_best = fmin(s->short_best, run_sumo(s, s->short_steps, NULL, NULL));
    s->long_best = fmin(s->long_best, run_sumo(s, s->long_steps, NULL, NULL));
}

double sumo_end(sumo *s)
{
    unlink(s->net);
    unlink(s->routes);
    return (double)s->count * (s->long_steps - s->short_steps) / (s->long_best - s->short_best);
}
