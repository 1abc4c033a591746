// description.h - the XML files of a unit, from the variables of its model.
#pragma once

#include "codegen/emit.h"
#include "fmu/model.h"

// id: model identifier; token: of fmu_model_token; version: 2 or 3.
void fmu_describe(const fmu_model *m, int version, const char *id, const char *token,
                  expr_text *out);
void fmu_describe_terminals(const fmu_model *m, expr_text *out); // terminalsAndIcons.xml of 3.0

bool fmu_has_directional(const fmu_model *m);
