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
extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
extern void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a,
                    const int *lda, const int *ipiv, double *b, const int *ldb, int *info);
extern void zgetrf_(const int *m, const int *n, double _Complex *a, const int *lda, int *ipiv,
                    int *info);
extern void zgetrs_(const char *trans, const int *n, const int *nrhs, const double _Complex *a,
                    const int *lda, const int *ipiv, double _Complex *b, const int *ldb, int *info);
extern void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a,
                    const int *lda, double *s, double *u, const int *ldu, double *vt,
                    const int *ldvt, double *work, const int *lwork, int *info);
extern void dgelss_(const int *m, const int *n, const int *nrhs, double *a, const int *lda,
                    double *b, const int *ldb, double *s, const double *rcond, int *rank,
                    double *work, const int *lwork, int *info);

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

bool dense_factor(int n, double *a, int *pivot)
{
    int info = 0;
    dgetrf_(&n, &n, a, &n, pivot, &info);
    return info == 0;
}

bool dense_factor_complex(int n, double _Complex *a, int *pivot)
{
    int info = 0;
    zgetrf_(&n, &n, a, &n, pivot, &info);
    return info == 0;
}

void dense_back(int n, const double *factors, const int *pivot, double *b)
{
    const int one = 1;
    int info = 0;
    dgetrs_("N", &n, &one, factors, &n, pivot, b, &n, &info);
    mc_assert(info == 0);
}

void dense_back_complex(int n, const double _Complex *factors, const int *pivot, double _Complex *b)
{
    const int one = 1;
    int info = 0;
    zgetrs_("N", &n, &one, factors, &n, pivot, b, &n, &info);
    mc_assert(info == 0);
}

bool dense_eigen(int n, double *a, double *real, double *imaginary, double *left, double *right,
                 double *work)
{
    mc_assert(n > 0);
    const int length = 8 * n;
    int info = 0;
    dgeev_("V", "V", &n, a, &n, real, imaginary, left, &n, right, &n, work, &length, &info);
    return info == 0;
}

bool dense_singular(int n, double *a, double *value, double *right, double *work)
{
    mc_assert(n > 0);
    const int length = 8 * n, one = 1;
    int info = 0;
    double none;
    dgesvd_("N", "A", &n, &n, a, &n, value, &none, &one, right, &n, work, &length, &info);
    return info == 0;
}

bool dense_least_squares(int n, double *a, double *b, double relative, int *rank, double *work)
{
    mc_assert(n > 0);
    const int length = 7 * n, one = 1; // the first n are the singular values
    int info = 0;
    dgelss_(&n, &n, &one, a, &n, b, &n, work, &relative, rank, work + n, &length, &info);
    return info == 0;
}

bool dense_svd(int n, double *a, double *u, double *value, double *vt, double *work)
{
    mc_assert(n > 0);
    const int length = 8 * n;
    int info = 0;
    dgesvd_("A", "A", &n, &n, a, &n, value, u, &n, vt, &n, work, &length, &info);
    return info == 0;
}
