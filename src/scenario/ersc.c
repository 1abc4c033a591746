// ersc.c - the map ersc of a road: its level, the controller of checked-in cars, its numbers.
#include "control/ersc.h"
#include "scenario/reader.h"

void scenario_read_ersc(scenario_reader *r, const yaml_node *root)
{
    scenario *s = r->s;
    const yaml_node *map = reader_get(&r->base, root, "road");
    const yaml_node *node = map ? reader_get(&r->base, map, "ersc") : NULL;
    s->ersc.controller = -1;
    for (int k = 0; k < ERSC_PARAM_COUNT; k++)
        s->ersc.p[k] = ersc_params[k].fallback;
    if (!node || reader_is_empty(node))
        return;
    const yaml_node *level = node;
    if (node->kind == YAML_SCALAR) { // in short
        s->ersc.level = scenario_whole(r, map, SECTION_ROAD, "ersc");
    } else if (scenario_check_keys(r, node, SECTION_ERSC, NULL, 0)) {
        const yaml_node *controller = reader_get(&r->base, node, "controller");
        s->ersc.level = scenario_whole(r, node, SECTION_ERSC, "level");
        scenario_params(r, node, ersc_params, ERSC_PARAM_COUNT, s->ersc.p);
        if (controller)
            s->ersc.controller = scenario_controller_index(r, controller);
        level = yaml_find(node, "level") ? yaml_find(node, "level") : node;
    }
    if (r->base.status == MC_OK && s->ersc.level > 0 && s->road.lane_count < ERSC_LANES_MIN)
        reader_reject(&r->base, level,
                      "the ERSC needs a road with at least %d lanes, this one has %d",
                      ERSC_LANES_MIN, s->road.lane_count);
}
