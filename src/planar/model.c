// model.c - parameters of the planar car beside those of its body and its running gear.
#include "planar/model.h"

const mc_param planar_params[PLANAR_PARAM_COUNT] = {
    [PLANAR_TRACK_FRONT] = {"track_front", "m", 1.55, 0.2, 5.0, "between the front wheels"},
    [PLANAR_TRACK_REAR] = {"track_rear", "m", 1.55, 0.2, 5.0, "between the rear wheels"},
    [PLANAR_ROLL_FRONT] = {"roll_front", "-", 0.55, 0.0, 1.0,
                           "front share of the roll stiffness: of the lateral load transfer"},
    [PLANAR_LOAD_LAG] = {"load_lag", "s", 0.05, 5e-3, 1.0,
                         "time constant of the load transfer: of the body leaning"},
    [PLANAR_ORDER] = {"order", "-", 2.0, 2.0, 4.0,
                      "of the time steps: 2, with implicit spin of the wheels, or 4, explicit"},
    [PLANAR_STEP] = {"max_step", "s", 1e-3, 1e-6, 1e-2, "longest time step of the vehicle"},
};
