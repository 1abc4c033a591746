// plastic_lanes.c - return mapping of four chassis at once.
#include "cosserat/plastic.h"
#include "num/lanes.h"

// Places of the six components of a symmetric tensor in a 3x3 matrix, row major.
static const int place[6] = {0, 4, 8, 5, 6, 1}, mirror[6] = {0, 4, 8, 7, 2, 3};

// Green strain of I + e: sym(e) + e'e/2.
static inline void strain_of(const double *shape, lanes strain[6])
{
    lanes e[9];
    for (int k = 0; k < 9; k++)
        e[k] = lanes_load(shape + LANES * k);
    for (int k = 0; k < 6; k++) {
        const int i = place[k] / 3, j = place[k] % 3;
        const lanes product =
            lanes_fma(e[6 + i], e[6 + j], lanes_fma(e[3 + i], e[3 + j], e[i] * e[j]));
        strain[k] = lanes_set(0.5) * (e[place[k]] + e[mirror[k]] + product);
    }
}

// out_ai = S_ai + sum over k of e_ak S_ki for S = 2 mu Ep.
static inline void force_of(const plastic_law *law, const double *shape, const lanes plastic[6],
                            double *force)
{
    lanes stress[9];
    for (int k = 0; k < 6; k++)
        stress[place[k]] = stress[mirror[k]] = lanes_set(law->two_mu) * plastic[k];
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++) {
            lanes sum = stress[3 * a + i];
            for (int k = 0; k < 3; k++)
                sum = lanes_fma(lanes_load(shape + LANES * (3 * a + k)), stress[3 * k + i], sum);
            lanes_store(force + LANES * (3 * a + i), sum);
        }
}

void LANES_NAME(plastic_yield)(const plastic_law *law, const double *shape, const double *state,
                               double *next, double *force)
{
    const lanes zero = lanes_set(0.0), hardening = lanes_set(law->hardening);
    lanes deviator[6], plastic[6]; // of the trial stress
    strain_of(shape, deviator);
    for (int k = 0; k < 6; k++) {
        plastic[k] = lanes_load(state + LANES * (PLASTIC_STRAIN + k));
        deviator[k] = lanes_set(law->two_mu) * (deviator[k] - plastic[k]);
    }
    const lanes mean = (deviator[0] + deviator[1] + deviator[2]) * lanes_set(1.0 / 3.0);
    lanes square = zero;
    for (int k = 0; k < 6; k++) {
        if (k < 3)
            deviator[k] = deviator[k] - mean;
        square = lanes_fma(deviator[k], k < 3 ? deviator[k] : deviator[k] + deviator[k], square);
    }
    const lanes trial = lanes_sqrt(lanes_set(1.5) * square);
    const lanes alpha = lanes_load(state + LANES * PLASTIC_ALPHA);
    const lanes yield = lanes_fma(hardening, alpha, lanes_set(law->yield));
    const lanes_mask yields = (lanes_mask)(trial > yield);
    const lanes growth =
        lanes_select(yields, (trial - yield) / lanes_set(1.5 * law->two_mu + law->hardening), zero);
    const lanes flow =
        lanes_select(yields, lanes_set(1.5) * growth / lanes_max(trial, yield), zero);
    for (int k = 0; k < 6; k++) {
        plastic[k] = lanes_select(yields, lanes_fma(flow, deviator[k], plastic[k]), plastic[k]);
        lanes_store(next + LANES * (PLASTIC_STRAIN + k), plastic[k]);
    }
    const lanes work = lanes_load(state + LANES * PLASTIC_WORK);
    lanes_store(next + LANES * PLASTIC_ALPHA, alpha + growth);
    lanes_store(next + LANES * PLASTIC_WORK,
                lanes_fma(lanes_fma(lanes_set(0.5) * hardening, growth, yield), growth, work));
    if (force)
        force_of(law, shape, plastic, force);
}
