// motorcade.h - all of the library; a program may as well include just the headers it uses.
//
//   files of users   scenario.h, multibody.h, concept.h, concept_edit.h, medusa.h, dynavis.h,
//                    road_file.h
//   running          run.h, timeline.h, observe.h, world.h, impact.h, vehicle_model.h, road.h,
//                    simulate.h
//   results          record.h, quantity.h, replay.h, figures.h, collisions.h, report.h, plot.h,
//                    picture.h, render.h
//   many runs        sweep.h, runs.h
//   other tools      fmu.h
//   analysis         analysis.h, concept_live.h, suspension_rig.h, kinematics.h, linear.h,
//                    string_stability.h, identify.h, powertrain.h, laws.h, tyre_rig.h, verify.h
//   your own         vehicle_type.h, law.h, tyre.h, joint.h
//   the studio       studio.h
//   everywhere       status.h, param.h, watch.h, version.h
//
// docs/library.md shows how to build with it, and what holds for errors, memory and threads.
#pragma once

#include "motorcade/analysis.h"
#include "motorcade/collisions.h"
#include "motorcade/concept.h"
#include "motorcade/concept_edit.h"
#include "motorcade/concept_live.h"
#include "motorcade/dynavis.h"
#include "motorcade/event.h"
#include "motorcade/exchange.h"
#include "motorcade/figures.h"
#include "motorcade/fmu.h"
#include "motorcade/identify.h"
#include "motorcade/impact.h"
#include "motorcade/joint.h"
#include "motorcade/law.h"
#include "motorcade/lateral.h"
#include "motorcade/laws.h"
#include "motorcade/kinematics.h"
#include "motorcade/linear.h"
#include "motorcade/manoeuvre.h"
#include "motorcade/medusa.h"
#include "motorcade/motion.h"
#include "motorcade/multibody.h"
#include "motorcade/observe.h"
#include "motorcade/param.h"
#include "motorcade/picture.h"
#include "motorcade/plot.h"
#include "motorcade/powertrain.h"
#include "motorcade/quantity.h"
#include "motorcade/record.h"
#include "motorcade/render.h"
#include "motorcade/replay.h"
#include "motorcade/report.h"
#include "motorcade/road.h"
#include "motorcade/road_file.h"
#include "motorcade/run.h"
#include "motorcade/runs.h"
#include "motorcade/scenario.h"
#include "motorcade/simulate.h"
#include "motorcade/status.h"
#include "motorcade/string_stability.h"
#include "motorcade/studio.h"
#include "motorcade/suspension_rig.h"
#include "motorcade/sweep.h"
#include "motorcade/timeline.h"
#include "motorcade/tyre.h"
#include "motorcade/tyre_rig.h"
#include "motorcade/vehicle_model.h"
#include "motorcade/vehicle_type.h"
#include "motorcade/verify.h"
#include "motorcade/version.h"
#include "motorcade/watch.h"
#include "motorcade/world.h"
