// sources.c - vehicles that enter by flow: times of arrival, models; and where vehicles leave.
//
// Arrivals are drawn when the scenario is read, from its seed: the k-th vehicle of a source comes
//
//   h = min_headway + (1/flow - min_headway) e,   e exponential with mean 1
//
// after the one before it. So a source is vehicles with the key `from`, and whatever is known of
// those holds for them: a run that is resumed, branched or edited has the same ones.
#include "scenario/sources.h"

#include "scenario/reader.h"

#include <math.h>
#include <string.h>

static const unsigned HEADWAYS = 0xffffffe0u, MODELS = 0xffffffe1u,
                      EXITS = 0xffffffe2u; // streams of random numbers

// ---- models ----

typedef struct model_mix {
    int count, model[64];
    double upto[64]; // sum of the shares, the last one 1
} model_mix;

static void read_mix(scenario_reader *r, const yaml_node *node, model_mix *mix)
{
    static const mc_param row = {"share", "-", NAN, 0.0, 1e6, "of a model"};
    double sum = 0.0;
    if (node->kind != YAML_MAPPING || !node->first) {
        reader_reject(&r->base, node, "expected models with their shares, such as {car: 0.8}");
        return;
    }
    for (const yaml_node *n = node->first; n && r->base.status == MC_OK; n = n->next) {
        if (mix->count == 64) {
            reader_reject(&r->base, n->key, "a mix has at most 64 models");
            return;
        }
        mix->model[mix->count] = scenario_model_index(r, n->key);
        sum += r->base.status == MC_OK ? scenario_value(r, n, &row) : 0.0;
        mix->upto[mix->count++] = sum;
    }
    if (r->base.status == MC_OK && !(sum > 0.0))
        reader_reject(&r->base, node->key, "the shares of a mix add up to 0");
    for (int k = 0; k < mix->count; k++)
        mix->upto[k] /= sum;
}

static void read_models(scenario_reader *r, const yaml_node *map, model_mix *mix)
{
    const yaml_node *one = reader_get(&r->base, map, "model");
    const yaml_node *several = reader_get(&r->base, map, "mix");
    if (one && several)
        reader_reject(&r->base, several->key, "a source has the key model or mix, not both");
    else if (several)
        read_mix(r, several, mix);
    else if (one)
        *mix = (model_mix){1, {scenario_model_index(r, one)}, {1.0}};
    else if (r->base.status == MC_OK)
        reader_reject(&r->base, map, "a source needs the key model or mix");
}

static int model_of(const scenario *s, const model_mix *mix, unsigned source, unsigned number)
{
    const double chance = noise_uniform(s->seed, source, MODELS, number);
    int k = 0;
    while (k < mix->count - 1 && chance >= mix->upto[k])
        k++;
    return mix->model[k];
}

// ---- exits ----

// Shares of off-ramps; what is left of 1 stays on the road.
static void read_exits(scenario_reader *r, const yaml_node *map, model_mix *exits)
{
    static const mc_param row = {"share", "-", NAN, 0.0, 1.0, "of an off-ramp"};
    const yaml_node *node = reader_get(&r->base, map, "exits");
    double sum = 0.0;
    if (node && (node->kind != YAML_MAPPING || !node->first))
        reader_reject(&r->base, node, "expected off-ramps with their shares, such as {Main: 0.2}");
    for (const yaml_node *n = node ? node->first : NULL; n && r->base.status == MC_OK;
         n = n->next) {
        if (exits->count == 64) {
            reader_reject(&r->base, n->key, "a source has at most 64 exits");
            return;
        }
        exits->model[exits->count] = scenario_exit_index(r, n->key);
        sum += r->base.status == MC_OK ? scenario_value(r, n, &row) : 0.0;
        exits->upto[exits->count++] = sum;
    }
    if (r->base.status == MC_OK && sum > 1.0 + 1e-9)
        reader_reject(&r->base, node->key, "the shares of exits add up to %g, more than 1", sum);
}

static int exit_of(const scenario *s, const model_mix *exits, unsigned source, unsigned number)
{
    const double chance = noise_uniform(s->seed, source, EXITS, number);
    for (int k = 0; k < exits->count; k++)
        if (chance < exits->upto[k])
            return exits->model[k];
    return -1;
}

// ---- arrivals ----

static void read_arrivals(scenario_reader *r, const yaml_node *map, scenario_source *a)
{
    a->flow = a->file_flow = scenario_number(r, map, SECTION_SOURCE, "flow");
    a->min_headway = scenario_number(r, map, SECTION_SOURCE, "min_headway");
    a->from = scenario_number(r, map, SECTION_SOURCE, "from");
    a->until = scenario_number(r, map, SECTION_SOURCE, "until");
    if (isnan(a->until))
        a->until = r->s->end;
    if (r->base.status == MC_OK && a->min_headway > 3600.0 / a->flow)
        reader_reject(&r->base, yaml_find(map, "flow"),
                      "flow is %g per hour, one every %.3g s; min_headway asks for at least %g s",
                      a->flow, 3600.0 / a->flow, a->min_headway);
}

// Time from arrival k to the next one, s.
static double headway_after(const scenario *s, int source, unsigned k)
{
    const scenario_source *a = &s->sources[source];
    const double mean = 3600.0 / a->flow, min = a->min_headway;
    return min - (mean - min) * log1p(-noise_uniform(s->seed, (unsigned)source, HEADWAYS, k));
}

// The vehicles are those of the flow of the file; of a lower one, the last ones never come.
void scenario_source_retime(scenario *s, int source)
{
    const scenario_source *a = &s->sources[source];
    double t = a->from;
    for (int k = 0; k < a->count; k++) {
        s->vehicles[a->first + k].from = t <= a->until ? t : SCENARIO_NEVER;
        t += headway_after(s, source, (unsigned)k);
    }
}

static void add_vehicles(scenario_reader *r, const yaml_node *map, scenario_vehicle v,
                         const model_mix *mix, const model_mix *exits)
{
    scenario_source *source = &r->s->sources[r->s->source_count];
    const unsigned which = (unsigned)r->s->source_count;
    source->first = r->s->vehicle_count;
    double t = source->from;
    for (unsigned k = 0; t <= source->until && r->base.status == MC_OK; k++) {
        scenario_vehicle *made = scenario_add_vehicle(r, map);
        if (!made)
            return;
        *made = v;
        made->name = scenario_numbered(r, source->name);
        made->model = model_of(r->s, mix, which, k);
        made->exit = exit_of(r->s, exits, which, k);
        made->from = t;
        source->count++;
        t += headway_after(r->s, r->s->source_count, k);
    }
}

static void read_source(scenario_reader *r, const yaml_node *map)
{
    if (!scenario_check_keys(r, map, SECTION_SOURCE, NULL, 0))
        return;
    scenario *s = r->s;
    scenario_source *source = &s->sources[s->source_count];
    const yaml_node *name = reader_get(&r->base, map, "name");
    *source = (scenario_source){.name = name ? scenario_name(r, name) : "source",
                                .place = scenario_place_of(map)};
    model_mix mix = {0}, exits = {0};
    read_models(r, map, &mix);
    read_exits(r, map, &exits);
    read_arrivals(r, map, source);
    const yaml_node *controller = scenario_need(r, map, SECTION_SOURCE, "controller");
    scenario_vehicle v = {.place = source->place,
                          .profile = -1,
                          .platoon = -1,
                          .estimator = -1,
                          .source = s->source_count,
                          .headway = NAN,
                          .distance = NAN,
                          .controller = controller ? scenario_controller_index(r, controller) : -1,
                          .lane = scenario_read_lane(r, map, SECTION_SOURCE),
                          .path = scenario_read_ramp(r, map, "ramp"),
                          .x = scenario_number(r, map, SECTION_SOURCE, "x"),
                          .v = scenario_number(r, map, SECTION_SOURCE, "v")};
    if (isnan(v.v))
        v.v = s->speed;
    v.y = scenario_lane_middle(s, &v);
    if (r->base.status == MC_OK)
        add_vehicles(r, map, v, &mix, &exits);
    s->source_count += r->base.status == MC_OK;
}

// ---- where they leave ----

static void read_ends(scenario_reader *r, const yaml_node *root)
{
    scenario *s = r->s;
    const yaml_node *map = yaml_find(root, "road"), *given = map ? yaml_find(map, "end") : NULL;
    mc_road_path path = {.length = HUGE_VAL};
    if (s->road.net)
        mc_road_path_at(&s->road, 0, &path);
    s->road_end = s->source_count > 0 && !path.closed ? path.length : HUGE_VAL;
    if (given)
        s->road_end = scenario_number(r, map, SECTION_ROAD, "end");
    if (given && path.closed && r->base.status == MC_OK)
        reader_reject(&r->base, given, "a closed road has no end");
    s->ramps_end = given || s->source_count > 0;
}

void scenario_read_sources(scenario_reader *r, const yaml_node *root)
{
    int count;
    const yaml_node *n = scenario_elements(r, root, "sources", YAML_SEQUENCE, &count);
    r->s->sources = reader_alloc(&r->base, count + 1, sizeof r->s->sources[0]);
    for (; n && r->base.status == MC_OK; n = n->next)
        read_source(r, n);
    read_ends(r, root);
}
