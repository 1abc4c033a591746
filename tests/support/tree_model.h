// tree_model.h - a tree as a model of Motorcade, without a file. Needs no peer program.
#pragma once

#include "multibody/model.h"
#include "support/tree.h"

// Springs, and torques as loads that are numbers, are taken along when `loads` is set. Values of
// parameters stand in model->parameters. Free with mb_model_free.
void tree_to_model(const tree *t, bool loads, mb_model *out);
