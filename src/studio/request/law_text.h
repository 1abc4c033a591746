// law_text.h - a control law as a page writes it: lines of formulas.
//
//     kp := 0.3 [1/s^2]                  a parameter
//     error = gap - distance - headway*v   a name for a formula
//     z' = error [m*s]                   a state by its rate; z(0) = 0.5 says where it starts
//     a = kp*error + 0.8*(v_front - v)   the desired acceleration
//
// Blank lines and what follows a '#' do not count. Units in brackets are optional; after a number
// inside a formula they are the number's.
//
// Any thread.
#pragma once

#include "motorcade/status.h"

#include <jansson.h>

// The law as the map that a scenario has under `law`; NULL: *error has line, column and text of the
// place in the page's text. Formulas are checked too: names, units, signals.
json_t *law_text_read(const char *text, mc_error *error);

// Names of signals that the formulas of such a map use.
json_t *law_text_signals(const json_t *law);
