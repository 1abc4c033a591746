// sumo.h - what the readers of SUMO's networks and routes share.
#pragma once

#include "exchange/graph.h"
#include "motorcade/exchange.h"

typedef struct sumo_scenario { // of a configuration, or of the command line
    const char *routes;        // files, with commas between them; NULL: none
    const char *routes_of;     // the file from whose folder they are named; NULL: as they are
    double begin, end, step;   // s; NAN: not given
} sumo_scenario;

// Edges, lanes and connections of a network.
void sumo_read_net(xml_reader *r, const xml_node *root, graph *out);

// The sections of vehicles, from files with routes, and `time`. Writes to d->out after the road.
mc_status sumo_write_traffic(document *d, const graph_road *road, const sumo_scenario *s,
                             mc_error *error);

// A whole scenario from a network.
mc_status sumo_write_scenario(document *d, const char *path, const xml_node *root,
                              const mc_exchange_options *options, const sumo_scenario *s,
                              mc_error *error);

// Text as a time: seconds, or h:m:s; false: it is neither.
bool sumo_time(const char *text, double *out);
