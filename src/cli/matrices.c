// matrices.c - T, B, B T and the matrices of joints as text and as pictures.
#include "cli/matrices.h"

#include "motorcade/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_COLUMNS = 6, JOINT_PICTURES = 8, NUMBER_WIDTH = 17 };

static int longest(const char *const *names, int count)
{
    size_t length = 0;
    for (int i = 0; i < count; i++)
        length = strlen(names[i]) > length ? strlen(names[i]) : length;
    return (int)length;
}

static void print_number(double x, int width)
{
    printf(" %*.10g", width, x == 0.0 ? 0.0 : x); // no -0
}

// All entries, with names of the columns above them.
static void print_table(const mc_matrix *a)
{
    const int width = longest(a->row_names, a->rows), own = longest(a->column_names, a->columns);
    const int wide = own > NUMBER_WIDTH ? own : NUMBER_WIDTH;
    if (a->columns > 1) {
        printf("  %-*s", width, "");
        for (int j = 0; j < a->columns; j++)
            printf(" %*s", wide, a->column_names[j]);
        putchar('\n');
    }
    for (int i = 0; i < a->rows; i++) {
        printf("  %-*s", width, a->row_names[i]);
        for (int j = 0; j < a->columns; j++)
            print_number(a->value[i * a->columns + j], wide);
        putchar('\n');
    }
}

// Only what is not zero by structure, a line each.
static void print_entries(const mc_matrix *a)
{
    const int width = longest(a->row_names, a->rows), wide = longest(a->column_names, a->columns);
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->columns; j++) {
            if (!a->structure[i * a->columns + j])
                continue;
            printf("  %-*s  %-*s", width, a->row_names[i], wide, a->column_names[j]);
            print_number(a->value[i * a->columns + j], NUMBER_WIDTH);
            putchar('\n');
        }
}

void matrices_print(const mc_multibody *m)
{
    mc_matrix a;
    for (int k = 0; mc_multibody_matrix(m, k, &a); k++) {
        int count[3] = {0};
        for (int i = 0; i < a.rows * a.columns; i++)
            count[a.structure[i]]++;
        printf("%s%s  %d x %d: %d zero, %d constant, %d varying\n", k ? "\n" : "", a.name, a.rows,
               a.columns, count[0], count[1], count[2]);
        if (a.columns <= TABLE_COLUMNS)
            print_table(&a);
        else
            print_entries(&a);
    }
}

// Matrices of joints only where they are few; vectors never.
mc_status matrices_draw(const mc_multibody *m, const char *path, mc_error *error)
{
    mc_matrix a;
    int all = 0, joints = 0, count = 0;
    for (; mc_multibody_matrix(m, all, &a); all++)
        joints += strchr(a.name, '.') != NULL;
    mc_plot_matrix *pictures = calloc((size_t)all + 1, sizeof *pictures);
    if (!pictures)
        return mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the picture");
    for (int large = 1; large >= 0; large--)
        for (int k = 0; mc_multibody_matrix(m, k, &a); k++) {
            const bool joint = strchr(a.name, '.') != NULL;
            if (a.columns < 2 || joint == large || (joint && joints > JOINT_PICTURES))
                continue;
            pictures[count++] = (mc_plot_matrix){.title = a.name,
                                                 .row_count = a.rows,
                                                 .column_count = a.columns,
                                                 .entries = a.structure,
                                                 .row_labels = a.row_names,
                                                 .column_labels = a.column_names};
        }
    char title[160];
    snprintf(title, sizeof title, "%s: matrices of the constraint equations",
             mc_multibody_info_of(m)->name);
    const mc_status status =
        count > 0 ? mc_plot_matrix_write(path, title, pictures, count, error)
                  : mc_error_set(error, MC_BAD_INPUT, NULL, 0, 0,
                                 "option --svg: %s has no velocities and no matrix to draw",
                                 mc_multibody_info_of(m)->name);
    free(pictures);
    return status;
}
