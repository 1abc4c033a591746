// interpret_lanes.c - runs bytecode, for one state and for blocks of four lanes.
//
// The scalar runner is here too and not in a plain file, so that both are compiled for the same
// processor level: what is fused in one is fused in the other.
#include "expr/interpret_lanes.h"
#include "num/lanes.h"

// Labels as values are GNU C: without them every step would return to one common branch.
#pragma GCC diagnostic ignored "-Wpedantic"

// ---- operations on one double and on four lanes, alike bit for bit -----------------------------

static inline double one_fma(double a, double b, double c)
{
#if LANES_FUSED
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}

static inline lanes four_floor(lanes a)
{
#if LANES_FUSED
    return (lanes)_mm256_floor_pd((__m256d)a);
#else
    return (lanes){floor(a[0]), floor(a[1]), floor(a[2]), floor(a[3])};
#endif
}

static inline lanes truth(lanes_mask m)
{
    return (lanes)(m & (lanes_mask)lanes_set(1.0));
}

#define BOTH_KINDS(name, parameters_one, parameters_four, result_one, result_four)                 \
    static inline double one_##name parameters_one                                                 \
    {                                                                                              \
        return result_one;                                                                         \
    }                                                                                              \
    static inline lanes four_##name parameters_four                                                \
    {                                                                                              \
        return result_four;                                                                        \
    }
#define KIND1(name, one, four) BOTH_KINDS(name, (double a), (lanes a), one, four)
#define KIND2(name, one, four) BOTH_KINDS(name, (double a, double b), (lanes a, lanes b), one, four)

static const lanes zero = {0.0, 0.0, 0.0, 0.0};

KIND1(abs, __builtin_fabs(a), lanes_abs(a))
KIND1(sqrt, __builtin_sqrt(a), lanes_sqrt(a))
KIND1(not, a == 0.0 ? 1.0 : 0.0, truth(a == zero))
KIND2(min, a < b ? a : b, lanes_min(a, b))
KIND2(max, a > b ? a : b, lanes_max(a, b))
KIND2(less, a < b ? 1.0 : 0.0, truth(a < b))
KIND2(leq, a <= b ? 1.0 : 0.0, truth(a <= b))
KIND2(equal, a == b ? 1.0 : 0.0, truth(a == b))
KIND2(both, ((a != 0.0) & (b != 0.0)) ? 1.0 : 0.0, truth((a != zero) & (b != zero)))
KIND2(either, ((a != 0.0) | (b != 0.0)) ? 1.0 : 0.0, truth((a != zero) | (b != zero)))

static inline double one_floor(double a)
{
    return __builtin_floor(a);
}

static inline lanes four_fma(lanes a, lanes b, lanes c)
{
    return lanes_fma(a, b, c);
}

static inline double one_select(double a, double b, double c)
{
    return a != 0.0 ? b : c;
}

static inline lanes four_select(lanes a, lanes b, lanes c)
{
    return lanes_select(a != zero, b, c);
}

// ---- one state ---------------------------------------------------------------------------------

#define WIDTH(name) name##_one
#define V(name) one_##name
#define BLOCKS 1
#define value double
#define GET(offset, j) (*(const double *)(const void *)(frame + (offset)))
#define PUT(offset, j, v) (*(double *)(void *)(frame + (offset)) = (v))
#include "expr/interpret_steps.h"

void LANES_NAME(machine_run_one)(const machine_part *part, const expr_functions *f, const double *x,
                                 const double *k, double *y, double *work)
{
    const size_t constants = (size_t)part->constant_count, kept = (size_t)part->kept_count;
    if (constants)
        memcpy(work, part->constants, constants * sizeof(double));
    if (kept)
        memcpy(work + constants, k, kept * sizeof(double));
    if (part->input_count)
        memcpy(work + constants + kept, x, (size_t)part->input_count * sizeof(double));

    char *const frame = (char *)work;
    steps_one(part->code[MACHINE_ONE], frame, frame + part->gather[MACHINE_ONE], f);
    const uint32_t *const output = part->output[MACHINE_ONE];
    for (int i = 0; i < part->output_count; i++)
        y[i] = *(const double *)(const void *)(frame + output[i]);
}

// ---- blocks ------------------------------------------------------------------------------------

#define WIDTH(name) name##_block
#define V(name) four_##name
#define BLOCKS 1
#define value lanes
#define GET(offset, j) (*(const lanes *)(const void *)(frame + (offset)))
#define PUT(offset, j, v) (*(lanes *)(void *)(frame + (offset)) = (v))
#include "expr/interpret_steps.h"

// Offset of the j-th block of an operand: one that is shared stays where it is.
static inline uint32_t moved(uint32_t offset, int j)
{
    return (offset & ~31u) + 32u * (uint32_t)j * (offset & MACHINE_MOVES);
}

#define WIDTH(name) name##_blocks
#define V(name) four_##name
#define BLOCKS MACHINE_BLOCKS_COUNT
#define value lanes
#define GET(offset, j) (*(const lanes *)(const void *)(frame + moved(offset, j)))
#define PUT(offset, j, v) (*(lanes *)(void *)(frame + ((offset) & ~31u) + 32 * (j)) = (v))
#include "expr/interpret_steps.h"

// Copies the inputs of `count` blocks into the frame, the last one repeated up to `room` blocks;
// those of the caller need not be aligned.
static void put_inputs(double *inputs, int input_count, const double *x, int count, int room)
{
    for (int j = 0; j < room; j++) {
        const double *const from =
            x + (size_t)(j < count ? j : count - 1) * (size_t)input_count * 4;
        for (int i = 0; i < input_count; i++)
            memcpy(inputs + (i * room + j) * LANES, from + i * LANES, sizeof(lanes));
    }
}

static void get_outputs(const machine_part *part, machine_width width, const char *frame, int count,
                        double *y)
{
    const uint32_t *const output = part->output[width];
    for (int j = 0; j < count; j++) {
        double *const to = y + (size_t)j * (size_t)part->output_count * LANES;
        for (int i = 0; i < part->output_count; i++)
            memcpy(to + i * LANES, frame + moved(output[i], j), sizeof(lanes));
    }
}

void LANES_NAME(machine_run_lanes)(const machine_part *part, const expr_functions *f,
                                   int block_count, const double *x, const double *k, double *y,
                                   double *work)
{
    for (int i = 0; i < part->constant_count; i++)
        lanes_store(work + i * LANES, lanes_set(part->constants[i]));
    double *const kept = work + part->constant_count * LANES;
    for (int i = 0; i < part->kept_count; i++)
        lanes_store(kept + i * LANES, lanes_set(k[i]));

    double *const inputs = kept + part->kept_count * LANES;
    char *const frame = (char *)work;
    for (int b = 0; b < block_count;) {
        const int left = block_count - b;
        const machine_width width = left == 1 ? MACHINE_BLOCK : MACHINE_BLOCKS;
        const int room = left == 1 ? 1 : MACHINE_BLOCKS_COUNT, count = left < room ? left : room;
        put_inputs(inputs, part->input_count, x + (size_t)b * (size_t)part->input_count * LANES,
                   count, room);
        (left == 1 ? steps_block : steps_blocks)(part->code[width], frame,
                                                 frame + part->gather[width], f);
        get_outputs(part, width, frame, count, y + (size_t)b * (size_t)part->output_count * LANES);
        b += count;
    }
}
