// batches.c - free motion of all vehicles, shared out to the threads in ranges.
#include "world/world.h"

enum { RANGE = 64 }; // vehicles a task: a multiple of every lane width

typedef struct move_task {
    mc_world *w;
    double duration;
} move_task;

static void move_range(void *context, int index)
{
    const move_task *task = context;
    for (int k = 0; k < task->w->batch_count; k++) {
        mc_batch *batch = task->w->batches[k];
        const int ranges = (batch->count + RANGE - 1) / RANGE;
        if (index < ranges) {
            const int first = index * RANGE;
            const int count = batch->count - first < RANGE ? batch->count - first : RANGE;
            batch->kind->advance(batch, first, count, task->duration);
            return;
        }
        index -= ranges;
    }
}

void world_batches_advance(mc_world *w, double duration)
{
    int tasks = 0;
    for (int k = 0; k < w->batch_count; k++)
        tasks += (w->batches[k]->count + RANGE - 1) / RANGE;
    move_task task = {w, duration};
    if (tasks == 1)
        move_range(&task, 0);
    else
        pool_run(w->pool, tasks, move_range, &task);
}
