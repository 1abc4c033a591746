// sources.h - vehicles that enter by flow: another flow than that of the file.
#pragma once

#include "scenario/scenario.h"

// After the flow of a source was set, to at most that of the file.
void scenario_source_retime(scenario *s, int source);
