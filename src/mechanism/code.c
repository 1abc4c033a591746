// code.c - a mechanism's equations as a source file.
#include "base/file.h"
#include "codegen/emit.h"
#include "mechanism/mechanism.h"
#include "motorcade/version.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const form_names[] = {"", "lagrange", "recursive", "independent"};

static const struct {
    multibody_part part;
    const char *about, *suffix;
} codes[] = {
    [MC_CODE_FORWARD] = {MULTIBODY_FORWARD, "forward dynamics", ""},
    [MC_CODE_RATE] = {MULTIBODY_RATE, "rates of the state", ""},
    [MC_CODE_KINEMATICS] = {MULTIBODY_KINEMATICS, "places and velocities of bodies and points",
                            "_kinematics"},
    [MC_CODE_JOINT_LOADS] = {MULTIBODY_JOINT_LOADS, "loads of the joints on which bodies hang",
                             "_joint_loads"},
    [MC_CODE_MATRICES] = {MULTIBODY_MATRICES,
                          "matrices of the constraint equations, not their "
                          "zeros",
                          "_matrices"},
};

static void describe(const mc_multibody *m, const expr_program *p, mc_code which, char *out,
                     size_t size)
{
    const expr_count run = expr_part_count(&p->run), prepare = expr_part_count(&p->prepare);
    snprintf(out, size,
             "%s: %s\n"
             "generator  motorcade " MC_VERSION ", form %s\n"
             "model      hash %016llx, %d bodies, %d coordinates, %d velocities\n"
             "run        %d flops (%d add, %d mul, %d div, %d sqrt; %d pairs fused), %d sincos, "
             "%d other calls\n"
             "prepare    %d flops, %d sincos, once per change of a parameter\n"
             "SI units. x: coordinates, velocities, states, t, inputs, tau.",
             m->model.name, codes[which].about, form_names[m->system.form],
             (unsigned long long)m->model.hash, m->model.body_count, m->system.q_count,
             m->system.v_count, run.flops, run.add, run.mul, run.div, run.sqrt, run.fused,
             run.sincos, run.call, prepare.flops, prepare.sincos);
}

mc_status mc_multibody_write_code(mc_multibody *m, mc_language language, mc_code which,
                                  const char *path, mc_error *error)
{
    static const expr_language languages[] = {[MC_LANGUAGE_C] = EXPR_C,
                                              [MC_LANGUAGE_C_LANES] = EXPR_C_LANES,
                                              [MC_LANGUAGE_FORTRAN] = EXPR_FORTRAN};
    mc_status status = multibody_part_make(m, codes[which].part, error);
    if (status != MC_OK)
        return status;
    const expr_program *p = m->code[codes[which].part].program;
    char header[1024], word[48], name[64];
    describe(m, p, which, header, sizeof header);
    expr_identifier(m->model.name, word);
    snprintf(name, sizeof name, "%s%s", word, codes[which].suffix);
    const expr_emit_options options = {
        .language = languages[language], .name = name, .header = header};
    expr_text text = {0};
    status = expr_emit(p, &options, &text, error);
    if (status == MC_OK) {
        file_writer *out = file_writer_open(path, error);
        if (out) {
            file_write(out, text.text, text.size);
            status = file_writer_commit(out, error);
        } else {
            status = error ? error->code : MC_IO;
        }
    }
    expr_text_free(&text);
    return status;
}

// ---- stages ----------------------------------------------------------------------------------

// Operations below a node when nothing is shared: 1 + those of its children.
static double written_out(const mb_system *s)
{
    const expr_graph *g = s->graph;
    const uint32_t count = expr_node_count(g);
    double *size = malloc(((size_t)count + 1) * sizeof *size);
    if (!size)
        return 0.0;
    for (expr_id i = 0; i < count; i++) {
        const expr_node *n = expr_node_at(g, i);
        size[i] = 0.0;
        if (n->op <= EXPR_INPUT)
            continue;
        size[i] = 1.0 + size[n->a];
        if (n->b != EXPR_NONE)
            size[i] += size[n->b];
        if (n->op == EXPR_SELECT)
            size[i] += size[n->c];
    }
    double sum = 0.0;
    for (int i = 0; i < s->v_count; i++)
        sum += size[s->forward[i]];
    free(size);
    return sum;
}

static double operations(const expr_part *part, bool fused_once)
{
    const expr_count n = expr_part_count(part);
    return n.flops + n.sincos + n.call + n.select + n.compare + n.other -
           (fused_once ? n.fused : 0);
}

bool mc_multibody_stage(const mc_multibody *m, int stage, mc_stage *out)
{
    const expr_program *p = m->code[MULTIBODY_FORWARD].program;
    switch (stage) {
    case 0:
        *out = (mc_stage){"every expression written out", written_out(&m->system)};
        return 1;
    case 1:
        *out = (mc_stage){"each expression once",
                          operations(&p->prepare, false) + operations(&p->run, false)};
        return 1;
    case 2:
        *out = (mc_stage){"without what prepare does", operations(&p->run, false)};
        return 1;
    case 3:
        *out = (mc_stage){"products fused with sums", operations(&p->run, true)};
        return 1;
    default:
        return 0;
    }
}
