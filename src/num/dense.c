// dense.c - the few LAPACK routines the library uses.
#include "num/dense.h"

#include "base/assert.h"

// LAPACK's Fortran entry points, declared here because its C header drags in a second library.
extern void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda,
                   double *w, double *work, const int *lwork, int *info);
extern void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
                   double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr,
                   double *work, const int *lwork, int *info);
extern void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b,
                   const int *ldb, int *info);

enum { SIZE_MAX_N = 128 };

bool dense_symmetric_eigen(int n, double *a, double *value)
{
    mc_assert(n > 0 && n <= SIZE_MAX_N);
    double work[8 * SIZE_MAX_N];
    const int length = 8 * SIZE_MAX_N;
    int info = 0;
    dsyev_("V", "U", &n, a, &n, value, work, &length, &info);
    return info == 0;
}

bool dense_eigenvalues(int n, double *a, double *real, double *imaginary)
{
    mc_assert(n > 0 && n <= SIZE_MAX_N);
    double work[8 * SIZE_MAX_N];
    const int length = 8 * SIZE_MAX_N, one = 1;
    int info = 0;
    dgeev_("N", "N", &n, a, &n, real, imaginary, work, &one, work, &one, work, &length, &info);
    return info == 0;
}

bool dense_solve(int n, double *a, double *b)
{
    mc_assert(n > 0 && n <= SIZE_MAX_N);
    int pivot[SIZE_MAX_N], info = 0;
    const int one = 1;
    dgesv_(&n, &one, a, &n, pivot, b, &n, &info);
    return info == 0;
}
