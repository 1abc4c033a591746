// dense.h - small dense matrices through LAPACK, column major. Sizes up to about a hundred, a few
// hundred for the factorizations. Nothing allocates.
#pragma once

#include <stdbool.h>

// Eigenvalues (ascending) and orthonormal eigenvectors of the symmetric n x n matrix a; the vectors
// replace a, one per column.
bool dense_symmetric_eigen(int n, double *a, double *value);

// Eigenvalues of the general n x n matrix a, which is destroyed.
bool dense_eigenvalues(int n, double *a, double *real, double *imaginary);

// Solves a x = b for one right side; a is destroyed, b becomes x. False when a is singular.
bool dense_solve(int n, double *a, double *b);

// Factors a = P L U in place, for any n; pivot: n entries. False when a is singular to the bit.
bool dense_factor(int n, double *a, int *pivot);
bool dense_factor_complex(int n, double _Complex *a, int *pivot);

// Solves a x = b with the factors; b becomes x.
void dense_back(int n, const double *factors, const int *pivot, double *b);
void dense_back_complex(int n, const double _Complex *factors, const int *pivot,
                        double _Complex *b);

// Eigenvalues and eigenvectors of the general n x n matrix a, which is destroyed, for any n.
// Vectors as LAPACK stores them: of a pair of complex values, at columns k and k + 1, the first
// column is the real and the second the imaginary part of the vector of the first value. right: a v
// = value v; left: w^H a = value w^H; both of length 1. work: 8 n.
bool dense_eigen(int n, double *a, double *real, double *imaginary, double *left, double *right,
                 double *work);

// Singular values (descending) and right singular vectors of the n x n matrix a, which is
// destroyed, for any n: row k of `right` (column major too) belongs to value k. work: 8 n.
bool dense_singular(int n, double *a, double *value, double *right, double *work);

// The x of minimum norm among those that minimize |a x - b|, for any n. a (n x n) is destroyed, b
// becomes x. Singular values below `relative` times the largest count as 0; rank: of the others.
// work: 8 n.
bool dense_least_squares(int n, double *a, double *b, double relative, int *rank, double *work);

// a = U diag(value) Vt, values descending, for any n; a is destroyed. work: 8 n.
bool dense_svd(int n, double *a, double *u, double *value, double *vt, double *work);
