// matrices.h - the matrices of a mechanism, printed and drawn; for `motorcade derive --matrices`.
#pragma once

#include "motorcade/multibody.h"

// At the state asked for last.
void matrices_print(const mc_multibody *m);
mc_status matrices_draw(const mc_multibody *m, const char *path, mc_error *error);
