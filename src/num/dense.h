// dense.h - small dense matrices through LAPACK, column major. Sizes up to about a hundred, some
// hundreds for the factorizations. Nothing allocates.
#pragma once

#include <stdbool.h>

// Eigenvalues (ascending) and orthonormal eigenvectors of the symmetric n x n matrix a; the vectors
// replace a, one a column.
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
