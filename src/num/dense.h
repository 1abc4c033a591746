// dense.h - small dense matrices through LAPACK, column major. Sizes up to about a hundred.
#pragma once

#include <stdbool.h>

// Eigenvalues (ascending) and orthonormal eigenvectors of the symmetric n x n matrix a; the vectors
// replace a, one a column.
bool dense_symmetric_eigen(int n, double *a, double *value);

// Eigenvalues of the general n x n matrix a, which is destroyed.
bool dense_eigenvalues(int n, double *a, double *real, double *imaginary);

// Solves a x = b for one right side; a is destroyed, b becomes x. False when a is singular.
bool dense_solve(int n, double *a, double *b);
