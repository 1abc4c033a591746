// storyboard.h - the vehicles of an OpenSCENARIO file and what happens to them.
//
// Vehicles do what actions say, whatever is around them, so their places are known in advance
// (plan.h). Events are carried out in the order of the times at which their triggers are met; each
// changes the plans that later triggers depend on.
#pragma once

#include "exchange/document.h"
#include "exchange/plan.h"
#include "motorcade/road.h"
#include "road_files/xodr.h"

enum { STORY_ENTITIES_MAX = 1000, STORY_EVENTS_MAX = 1000 };

typedef struct story_entity {
    const char *id, *name; // of the file, of the scenario
    const xml_node *node;
    double length, width, height, middle, mass; // m: middle of the box before the reference point
    double max_speed, max_acceleration, max_brake; // m/s, m/s^2
    bool vehicle;
    bool placed;
    int lane; // from 0 at the left, of the main road; where it goes to
    int start_lane;
    double start, offset; // m, of the middle of the box at the start; from the middle of the lane
    double v;             // m/s, at the start
    plan plan;
} story_entity;

typedef struct story_change { // a lane change
    int entity, lane;
    double at, duration, distance; // s, s, m
} story_change;

typedef struct story {
    xml_reader r;
    document *d;
    const mc_road *road;
    const xodr_index *index;
    story_entity *entities;
    int entity_count;
    story_change *changes;
    int change_count;
    double last, end; // s: of the last thing that happens; of the run, NAN: not given
} story;

// The entity of a name; -1: there is none, and status says so.
int story_entity_of(story *s, const xml_node *node, const char *name);

// m, offset of the middle of a lane of the main road; NAN: there is no such lane.
double story_lane_middle(const story *s, int lane, double station);

typedef struct story_place {
    bool main;              // it is on the main road
    int lane;               // from 0
    double station, offset; // m; from the middle of the lane
} story_place;
// A Position, with those of other entities at time t. false: it is of a kind that is not read.
bool story_position(story *s, const xml_node *position, double t, story_place *out);

// Speed and dynamics of a SpeedAction at time t for an entity; adds to its plan.
void story_speed_action(story *s, const xml_node *action, int entity, double t, double *done);
void story_lane_action(story *s, const xml_node *action, int entity, double t, double *done);
void story_synchronize(story *s, const xml_node *action, int entity, double t, double *done);

// Carries out the stories of a storyboard.
void story_play(story *s, const xml_node *storyboard);
