// estimators.c - the list of estimators of the library, and what estimators can measure.
#include "control/estimator.h"

#include <stddef.h>
#include <strings.h>

// A new one is a file that defines estimator_WORD, and its word here.
#define ESTIMATORS(estimator) estimator(mass) estimator(mass_squares)
#define DECLARE(word) extern const estimator_kind estimator_##word;
#define ADDRESS(word) &estimator_##word,
ESTIMATORS(DECLARE)

static const estimator_kind *const kinds[] = {ESTIMATORS(ADDRESS)};

const estimator_kind *estimator_at(int index)
{
    return index >= 0 && index < (int)(sizeof kinds / sizeof kinds[0]) ? kinds[index] : NULL;
}

const estimator_kind *estimator_find(const char *name)
{
    const estimator_kind *kind;
    for (int k = 0; (kind = estimator_at(k)); k++)
        if (strcasecmp(kind->name, name) == 0)
            return kind;
    return NULL;
}

const law_signal_row estimator_signals[ESTIMATOR_SIGNAL_COUNT] = {
    [ESTIMATOR_T] = {"t", "s", "time"},
    [ESTIMATOR_DT] = {"dt", "s", "control step"},
    [ESTIMATOR_X] = {"x", "m", "position along the lane"},
    [ESTIMATOR_V] = {"v", "m/s", "speed"},
    [ESTIMATOR_A] = {"a", "m/s^2", "acceleration"},
    [ESTIMATOR_GAP] = {"gap", "m", "bumper to bumper to the car in front; 1e6 when there is none"},
    [ESTIMATOR_V_FRONT] = {"v_front", "m/s", "speed of the car in front; v without one"},
    [ESTIMATOR_SLOPE] = {"slope", "rad", "slope of the road, uphill positive"},
    [ESTIMATOR_THROTTLE] = {"throttle", "-", "0 closed, 1 open"},
    [ESTIMATOR_BRAKE] = {"brake", "-", "brake command, share of the maximum brake force"},
    [ESTIMATOR_DESIRED] = {"desired", "m/s^2", "acceleration commanded by the controller"},
    [ESTIMATOR_BRAKING] = {"braking", "-",
                           "1 while the throttle is closed, the brake acts and the car moves"},
    [ESTIMATOR_BRAKE_FORCE] = {"brake_force", "N", "of the brake, after delay and lag"},
    [ESTIMATOR_COAST_FORCE] = {"coast_force", "N",
                               "drive minus drag with closed throttle, by the car's own maps: "
                               "settled engine, level road"},
    [ESTIMATOR_MASS] = {"mass", "kg", "nominal mass"},
    [ESTIMATOR_USER_1] = {"user1", "", "user variable 1 of the car, any unit"},
    [ESTIMATOR_USER_1 + 1] = {"user2", "", "user variable 2"},
    [ESTIMATOR_USER_1 + 2] = {"user3", "", "user variable 3"},
    [ESTIMATOR_USER_1 + 3] = {"user4", "", "user variable 4"},
    [ESTIMATOR_USER_1 + 4] = {"user5", "", "user variable 5"},
    [ESTIMATOR_USER_1 + 5] = {"user6", "", "user variable 6"},
    [ESTIMATOR_USER_1 + 6] = {"user7", "", "user variable 7"},
    [ESTIMATOR_USER_8] = {"user8", "", "user variable 8"},
};
