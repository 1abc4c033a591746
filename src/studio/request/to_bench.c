// to_bench.c - a car of a world as a mechanism on the bench, as it is at an instant.
//
// The simulation thread takes the car's values, the answers thread derives and simulates the
// mechanism, the simulation thread puts it into the list.
#include "studio/request/requests.h"

#include "motorcade/observe.h"
#include "studio/hub/bench.h"
#include "studio/hub/json.h"
#include "studio/hub/queue.h"
#include "studio/request/card.h"
#include "studio/request/open.h"

#include <stdio.h>
#include <stdlib.h>

static void simulate_car(request *r)
{
    const json_t *values = json_object_get(r->partial, "values"), *row;
    const size_t count = json_array_size(values);
    bench_entry *entries = calloc(count + 1, sizeof *entries);
    bench_source source = {.world = (int)json_integer_value(json_object_get(r->partial, "world")),
                           .t = json_number_value(json_object_get(r->partial, "t"))};
    snprintf(source.vehicle, sizeof source.vehicle, "%s",
             json_string_value(json_object_get(r->partial, "vehicle")));
    for (size_t k = 0; entries && k < count; k++) {
        row = json_array_get(values, k);
        bench_entry *e = &entries[k];
        *e = (bench_entry){.kind = BENCH_SET};
        snprintf(e->name, sizeof e->name, "%s", json_string_value(json_array_get(row, 0)));
        snprintf(e->value, sizeof e->value, "%.17g", json_number_value(json_array_get(row, 1)));
    }
    mc_error error = {0};
    const char *text = json_string_value(json_object_get(r->partial, "text"));
    bench *m = entries && text ? bench_from_car(text, &source, entries, (int)count, &error) : NULL;
    opened *o = m ? open_bench(m, source.vehicle, &error) : NULL;
    free(entries);
    if (o)
        open_hand_over(r, o);
    else
        request_reject_error(r, &error);
}

static const request_kind second_half = {"to_bench", ANSWERS, REQUEST_CHANGES, simulate_car};

static json_t *values_json(const mc_vehicle_bench *car)
{
    json_t *list = json_array();
    for (int k = 0; k < car->value_count; k++)
        json_array_append_new(
            list, json_pack("[s,o]", car->values[k].name, json_value(car->values[k].value)));
    return list;
}

static void take_car(request *r, const branch *b, const visit *at, int v, const char *vehicle)
{
    mc_vehicle_bench car;
    mc_error error = {0};
    if (mc_run_bench(at->run, v, &car, &error) != MC_OK) {
        request_reject_error(r, &error);
        return;
    }
    r->partial = json_object();
    json_put(r->partial, "text", json_string(car.text));
    json_put(r->partial, "values", values_json(&car));
    json_put(r->partial, "vehicle", json_string(vehicle));
    json_put(r->partial, "world", json_integer(b->number));
    json_put(r->partial, "t", json_value(mc_run_time(at->run)));
    mc_vehicle_bench_free(&car);
    r->kind = &second_half;
    request *next = request_move(r);
    if (next)
        queue_post(next->h, next);
}

void request_to_bench(request *r)
{
    card_answer_at(r, take_car);
}
