// bench_road.c - what it costs to ask a road: ten thousand cars, each with its station of a step
// ago.
#include "measure.h"
#include "road/network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CARS = 10000, ROUNDS = 40 };

static const road_piece clothoids[] = {
    {120.0, 0.0, 1.0 / 300.0},  {120.0, 1.0 / 300.0, 0.0}, {120.0, 0.0, -1.0 / 300.0},
    {120.0, -1.0 / 300.0, 0.0}, {120.0, 0.0, 1.0 / 300.0}, {120.0, 1.0 / 300.0, 0.0},
};

typedef struct traffic {
    double x[CARS], y[CARS], hint[CARS];
} traffic;

static void put(const road *r, traffic *t)
{
    for (int i = 0; i < CARS; i++) {
        const double s = 0.07 * i + 5.0;
        double heading;
        mc_road_place(r, 0, s, -1.7 * (i % 3), &t->x[i], &t->y[i], &heading);
        t->hint[i] = s - 1.5;
    }
}

static void ask(const char *name, const road *r, traffic *t)
{
    put(r, t);
    double best = HUGE_VAL, foot_best = HUGE_VAL, sum = 0.0;
    for (int k = 0; k < ROUNDS; k++) {
        const double begin = measure_cpu();
        for (int i = 0; i < CARS; i++) {
            mc_road_point p;
            mc_road_at(r, t->x[i], t->y[i], t->hint[i], &p);
            sum += p.station + p.offset;
        }
        const double middle = measure_cpu();
        for (int i = 0; i < CARS && r->net; i++) {
            road_foot foot;
            road_path_project(&r->net->branches[0].path, t->x[i], t->y[i], t->hint[i], &foot);
            sum += foot.station + foot.offset;
        }
        const double end = measure_cpu();
        best = fmin(best, middle - begin);
        foot_best = fmin(foot_best, end - middle);
    }
    measure_print_alone(name, 1e9 * best / CARS, "ns");
    if (r->net)
        measure_print_alone("road_foot_clothoid", 1e9 * foot_best / CARS, "ns");
    if (isnan(sum))
        printf("# not a number\n");
}

int main(void)
{
    arena memory = {0};
    mc_error error = {0};
    traffic *t = malloc(sizeof *t);
    road straight, curved;
    road_fault fault;
    const road_plan plan = {
        .pieces = clothoids, .piece_count = 6, .lane_count = 3, .lane_width = 3.4};
    if (!t || road_make(&memory, 3, 3.4, NULL, 0, NULL, 0, &straight, &error) != MC_OK ||
        road_make(&memory, 3, 3.4, NULL, 0, NULL, 0, &curved, &error) != MC_OK ||
        road_network_make(&memory, &plan, &curved, &curved.net, &fault, &error) != MC_OK)
        return 1;
    ask("road_at_straight", &straight, t);
    ask("road_at_clothoid", &curved, t);
    free(t);
    arena_free(&memory);
    return 0;
}
