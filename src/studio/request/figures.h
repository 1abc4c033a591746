// figures.h - figures of stretches of branches, side by side; any thread.
#pragma once

#include "motorcade/figures.h"

int figures_better(mc_figure_id figure); // 1: more is better, -1: less, 0: neither
