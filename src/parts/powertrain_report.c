// powertrain_report.c - the mixture of the report's engine.
#include "parts/powertrain_report.h"

#define ANGLE(k, angle, flow) [k] = angle,
#define FLOW(k, angle, flow) [k] = flow,
const double mixture_angle[MIXTURE_POINTS] = {MIXTURE_TABLE(ANGLE)};
const double mixture_flow[MIXTURE_POINTS] = {MIXTURE_TABLE(FLOW)};
