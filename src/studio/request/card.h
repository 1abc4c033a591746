// card.h - answers about one vehicle at an instant, for the files that give some.
#pragma once

#include "studio/hub/request.h"
#include "studio/request/visit.h"

// v: the vehicle's number in the run that is visited.
typedef void answer_about(request *r, const branch *b, const visit *at, int v, const char *vehicle);

// Answers about the request's vehicle at the instant `t`, or at the live end with what was
// commanded for the next step.
void card_answer_at(request *r, answer_about *about);
