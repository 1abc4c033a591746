// recorded.h - vehicles whose motion along a road is given: points that follow a speed over time
// and change lanes at given times.
#pragma once

#include "exchange/graph.h"

typedef struct recorded_state {
    double t, station, offset, heading, v; // s, m, m, rad from the road, m/s (NAN: from stations)
} recorded_state;

typedef struct recorded_car {
    const char *name;
    const xml_node *node;
    double length, width; // m
    recorded_state *states;
    int count;
} recorded_car;

typedef struct recorded_change { // of lanes
    const char *name;
    double at, duration, distance; // s, s, m
    int lane;                      // from 0
} recorded_change;

typedef struct recorded_list {
    recorded_car *cars;
    int count, room;
    recorded_change *changes;
    int change_count, change_room;
} recorded_list;

// Keeps it, and finds its changes of lanes.
void recorded_add(recorded_list *list, xml_reader *r, const graph_road *road,
                  const recorded_car *car);
int recorded_lane(const graph_road *road, double station, double offset); // nearest, from 0

// Parts of a scenario.
void recorded_print_controllers(const recorded_list *list, FILE *out);
void recorded_print_models(const recorded_list *list, FILE *out);
void recorded_print_vehicles(const recorded_list *list, xml_reader *r, const graph_road *road,
                             FILE *out);
void recorded_print_events(const recorded_list *list, FILE *out);

// The limits of a lane change over a distance that takes a time: the curve of docs/lanes.md has
// then the same limits by acceleration and by jerk.
void recorded_print_limits(FILE *out, double distance, double duration);
