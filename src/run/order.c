// order.c - lanes, and the order of the vehicles in them.
#include "run/order.h"

#include <math.h>

// A car belongs to the lane it was in until it is well inside another.
static int lane_now(const mc_run *r, int slot)
{
    const int lane = r->rare[slot].lane;
    const double aside = r->motion[slot].y - road_lane_y(&r->road, lane);
    if (fabs(aside) < 0.6 * r->road.lane_width)
        return lane;
    return road_lane_at(&r->road, r->motion[slot].y);
}

static bool before(const mc_run *r, int a, int b) // in the order of lanes, from the front
{
    const int lane_a = r->rare[a].lane, lane_b = r->rare[b].lane;
    if (lane_a != lane_b)
        return lane_a < lane_b;
    if (r->motion[a].x != r->motion[b].x)
        return r->motion[a].x > r->motion[b].x;
    return r->rare[a].vehicle < r->rare[b].vehicle;
}

// Merge sort: stable work for 10,000 cars in the order of a file that may be the wrong way round.
static void sort(const mc_run *r, int *order, int *spare, int count)
{
    if (count < 2)
        return;
    const int half = count / 2;
    sort(r, order, spare, half);
    sort(r, order + half, spare, count - half);
    int i = 0, j = half, k = 0;
    while (i < half && j < count)
        spare[k++] = before(r, order[j], order[i]) ? order[j++] : order[i++];
    while (i < half)
        spare[k++] = order[i++];
    for (int m = 0; m < k; m++)
        order[m] = spare[m];
}

void run_order_make(mc_run *r)
{
    r->grouped = false;
    for (int slot = 0; slot < r->count; slot++)
        r->rare[slot].lane = lane_now(r, slot);
    sort(r, r->order, r->order + r->count, r->count);
    for (int k = 0; k < r->count; k++) {
        const int slot = r->order[k], ahead = k > 0 ? r->order[k - 1] : -1;
        r->car[slot].front = ahead >= 0 && r->rare[ahead].lane == r->rare[slot].lane ? ahead : -1;
        r->car[slot].lane_y = road_lane_y(&r->road, r->rare[slot].lane);
    }
}

void run_order_check(mc_run *r)
{
    const run_car *cars = r->car;
    const mc_motion *motion = r->motion;
    const double aside = 0.6 * r->road.lane_width;
    const int count = r->count;
    int slot = 0;
    while (slot < count && fabs(motion[slot].y - cars[slot].lane_y) < aside &&
           (cars[slot].front < 0 || motion[cars[slot].front].x > motion[slot].x))
        slot++;
    if (slot < count)
        run_order_make(r);
}
