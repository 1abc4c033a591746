// emit.c - text that grows, harmless words, exact numbers, and the choice of the language.
#include "codegen/emit.h"

#include "base/assert.h"
#include "codegen/emit_plan.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORD_MAX = 40 };

// Length of a function, by measurement: equations of motion, clang 14 -O2 on Zen 3, ns for one
// state by scalar and by vector code.
//                  instructions      AVX2: 120        250        1000       all
//     hmmwv10               932       205,  63    187,  60    177,  60
//     chain of 8           1355       364, 112    346, 110               368, 118
//     chain of 16          3095                   778, 243               920, 286
//                                     SSE2: 120        250        1000
//     hmmwv10               932       284, 196    292, 192    358, 282
// A long function keeps too many values alive, and takes gcc more than linear time: a chain of 16
// compiles in 1.0 s in pieces of 250 and in 2.7 s in one; 25,760 instructions in 13 s and 48 s.
enum { PIECE = 250 };

// ---- text ------------------------------------------------------------------------------------

// Room for `more` bytes and the '\0'. Doubling keeps the whole linear in its length.
static bool grow(expr_text *t, size_t more)
{
    if (t->status != MC_OK)
        return false;
    if (t->size + more + 1 <= t->capacity)
        return true;
    size_t capacity = t->capacity ? t->capacity : 256;
    while (capacity < t->size + more + 1)
        capacity *= 2;
    char *text = realloc(t->text, capacity);
    if (!text) {
        t->status = MC_NO_MEMORY;
        return false;
    }
    t->text = text;
    t->capacity = capacity;
    return true;
}

void expr_text_put(expr_text *t, const char *bytes, size_t count)
{
    if (!grow(t, count))
        return;
    memcpy(t->text + t->size, bytes, count);
    t->size += count;
    t->text[t->size] = '\0';
}

void expr_text_add(expr_text *t, const char *format, ...)
{
    if (!grow(t, 128))
        return;
    for (int attempt = 0; attempt < 2; attempt++) {
        const size_t room = t->capacity - t->size;
        va_list arguments;
        va_start(arguments, format);
        const int length = vsnprintf(t->text + t->size, room, format, arguments);
        va_end(arguments);
        mc_assert(length >= 0);
        if ((size_t)length < room) {
            t->size += (size_t)length;
            return;
        }
        t->text[t->size] = '\0';
        if (!grow(t, (size_t)length))
            return;
    }
}

void expr_text_free(expr_text *t)
{
    free(t->text);
    *t = (expr_text){0};
}

// ---- words -----------------------------------------------------------------------------------

// Words that mean something in emitted code, sorted: keywords of C17, C23, GNU C and Fortran that
// could be taken for a statement, intrinsics the Fortran emitter uses, macros every compiler knows
// in its GNU mode, arguments of our functions.
static const char *const reserved[] = {
    "abs",
    "abstract",
    "acos",
    "aint",
    "alignas",
    "alignof",
    "allocatable",
    "allocate",
    "asin",
    "asm",
    "assign",
    "associate",
    "atan",
    "atan2",
    "auto",
    "block",
    "bool",
    "break",
    "call",
    "case",
    "char",
    "character",
    "class",
    "close",
    "common",
    "complex",
    "const",
    "constexpr",
    "contains",
    "continue",
    "cos",
    "cosh",
    "cycle",
    "data",
    "deallocate",
    "default",
    "dimension",
    "do",
    "double",
    "elemental",
    "else",
    "elseif",
    "elsewhere",
    "end",
    "enddo",
    "endif",
    "entry",
    "enum",
    "equivalence",
    "exit",
    "exp",
    "extern",
    "external",
    "f",
    "false",
    "float",
    "floor",
    "for",
    "forall",
    "format",
    "function",
    "goto",
    "hypot",
    "i386",
    "if",
    "implicit",
    "import",
    "include",
    "inline",
    "inquire",
    "int",
    "integer",
    "intent",
    "interface",
    "intrinsic",
    "k",
    "kind",
    "linux",
    "log",
    "log10",
    "logical",
    "long",
    "max",
    "merge",
    "min",
    "module",
    "motorcade_kernel",
    "namelist",
    "none",
    "nullify",
    "nullptr",
    "only",
    "open",
    "operator",
    "optional",
    "p",
    "parameter",
    "pixel",
    "pointer",
    "pow",
    "print",
    "private",
    "procedure",
    "program",
    "public",
    "pure",
    "read",
    "real",
    "real64",
    "recursive",
    "register",
    "restrict",
    "result",
    "return",
    "rewind",
    "save",
    "select",
    "sequence",
    "short",
    "signed",
    "sin",
    "sincos",
    "sinh",
    "size",
    "sizeof",
    "sqrt",
    "static",
    "static_assert",
    "stop",
    "struct",
    "submodule",
    "subroutine",
    "switch",
    "tan",
    "tanh",
    "target",
    "then",
    "thread_local",
    "true",
    "type",
    "typedef",
    "typeof",
    "typeof_unqual",
    "union",
    "unix",
    "unsigned",
    "use",
    "vector",
    "void",
    "volatile",
    "where",
    "while",
    "write",
    "x",
    "y",
};

static int compare_word(const void *word, const void *row)
{
    return strcasecmp(word, *(const char *const *)row);
}

void expr_identifier(const char *word, char out[48])
{
    int n = 0;
    for (const char *c = word ? word : ""; *c && n < WORD_MAX; c++) {
        const unsigned char u = (unsigned char)*c;
        // Not isalnum: it may say yes to letters of other alphabets.
        const bool letter = (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z');
        const bool digit = u >= '0' && u <= '9';
        if (n == 0 && digit)
            out[n++] = 'v';
        if (letter || digit)
            out[n++] = *c;
        else if (n > 0 && out[n - 1] != '_')
            out[n++] = '_';
    }
    while (n > 0 && out[n - 1] == '_')
        n--;
    if (n == 0)
        out[n++] = 'v';
    out[n] = '\0';
    if (strncasecmp(out, "mc_", 3) == 0) { // ours
        memmove(out + 1, out, (size_t)n + 1);
        out[0] = 'v';
    } else if (bsearch(out, reserved, sizeof reserved / sizeof reserved[0], sizeof reserved[0],
                       compare_word)) {
        out[n++] = '_';
        out[n] = '\0';
    }
}

// ---- numbers ---------------------------------------------------------------------------------

void expr_literal(double value, char out[32])
{
    mc_assert(isfinite(value));
    char text[64];
    if (fabs(value) < 1e15 && value == floor(value)) {
        snprintf(text, sizeof text, "%.1f", value);
    } else {
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(text, sizeof text, "%.*g", digits, value);
            if (strtod(text, NULL) == value)
                break;
        }
    }
    // The point of the locale, which may be several bytes, becomes a point.
    int n = 0;
    bool point = false;
    for (const char *c = text; *c && n < 28; c++) {
        if ((*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == 'e')
            out[n++] = *c;
        else if (!point)
            out[n++] = '.', point = true;
    }
    out[n] = '\0';
    if (!strpbrk(out, ".e"))
        memcpy(out + n, ".0", 3);
}

// ---- the whole -------------------------------------------------------------------------------

mc_status expr_emit(const expr_program *p, const expr_emit_options *options, expr_text *out,
                    mc_error *error)
{
    mc_assert(!options->plain || options->language != EXPR_FORTRAN);
    const int piece = options->piece > 0 ? options->piece : PIECE;
    char name[48];
    expr_identifier(options->name ? options->name : "model", name);
    mc_status status;
    if (options->language == EXPR_FORTRAN)
        status = emit_fortran(p, options, name, piece, out, error);
    else
        status = emit_c(p, options, options->plain ? "motorcade_kernel" : name, piece, out, error);
    if (status == MC_OK && out->status != MC_OK)
        status =
            mc_error_set(error, MC_NO_MEMORY, NULL, 0, 0, "no memory for the code of \"%s\"", name);
    return status;
}
