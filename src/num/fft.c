// fft.c - KISS FFT behind double precision.
#include "num/fft.h"

#include "base/assert.h"

#include <kiss_fftr.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

int fft_size(int n)
{
    return 2 * kiss_fft_next_fast_size((n + 1) / 2);
}

static double largest(const double *x, int n)
{
    double most = 0.0;
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(x[k]));
    return most > 0.0 ? most : 1.0;
}

static mc_status no_memory(mc_error *error)
{
    return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for a Fourier transform");
}

mc_status fft_real(int n, const double *x, double *re, double *im, mc_error *error)
{
    mc_assert(n >= 2 && n % 2 == 0);
    kiss_fftr_cfg plan = kiss_fftr_alloc(n, 0, NULL, NULL);
    kiss_fft_scalar *in = malloc((size_t)n * sizeof *in);
    kiss_fft_cpx *out = malloc(((size_t)n / 2 + 1) * sizeof *out);
    const double scale = largest(x, n);
    const bool room = plan && in && out;
    for (int k = 0; room && k < n; k++)
        in[k] = (kiss_fft_scalar)(x[k] / scale);
    if (room)
        kiss_fftr(plan, in, out);
    for (int k = 0; room && k <= n / 2; k++) {
        re[k] = scale * (double)out[k].r;
        im[k] = scale * (double)out[k].i;
    }
    kiss_fftr_free(plan);
    free(in);
    free(out);
    return room ? MC_OK : no_memory(error);
}

mc_status fft_real_inverse(int n, const double *re, const double *im, double *x, mc_error *error)
{
    mc_assert(n >= 2 && n % 2 == 0);
    kiss_fftr_cfg plan = kiss_fftr_alloc(n, 1, NULL, NULL);
    kiss_fft_cpx *in = malloc(((size_t)n / 2 + 1) * sizeof *in);
    kiss_fft_scalar *out = malloc((size_t)n * sizeof *out);
    const double scale = fmax(largest(re, n / 2 + 1), largest(im, n / 2 + 1));
    const bool room = plan && in && out;
    for (int k = 0; room && k <= n / 2; k++) {
        in[k].r = (kiss_fft_scalar)(re[k] / scale);
        in[k].i = k == 0 || k == n / 2 ? 0.0f : (kiss_fft_scalar)(im[k] / scale);
    }
    if (room)
        kiss_fftri(plan, in, out);
    for (int k = 0; room && k < n; k++)
        x[k] = scale * (double)out[k] / n;
    kiss_fftr_free(plan);
    free(in);
    free(out);
    return room ? MC_OK : no_memory(error);
}
