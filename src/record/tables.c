// tables.c - columns of the tables of results files; rows from the structs that hold them.
#include "record/tables.h"

#include <string.h>

const results_column record_time_columns[1] = {{"t", "s", "simulated time"}};

results_column record_field_column(mc_field field)
{
    const mc_field_info *f = &mc_field_table[field];
    return (results_column){f->name, f->unit, f->doc};
}

// A struct of doubles and nothing else is a row as it stands.
#define CHECK_ROW(type, count)                                                                     \
    _Static_assert(sizeof(type) == (count) * sizeof(double), "a column for every number")

// ---- pose ----

const results_column record_pose_columns[RECORD_POSE_COLUMNS] = {
    {"x", "m", "mass centre, x"},
    {"y", "m", "mass centre, y"},
    {"z", "m", "mass centre, z"},
    {"d11", "-", "director 1, x"},
    {"d12", "-", "director 1, y"},
    {"d13", "-", "director 1, z"},
    {"d21", "-", "director 2, x"},
    {"d22", "-", "director 2, y"},
    {"d23", "-", "director 2, z"},
    {"d31", "-", "director 3, x"},
    {"d32", "-", "director 3, y"},
    {"d33", "-", "director 3, z"},
    {"v1", "m/s", "velocity, x"},
    {"v2", "m/s", "velocity, y"},
    {"v3", "m/s", "velocity, z"},
    {"w11", "1/s", "velocity of director 1, x"},
    {"w12", "1/s", "velocity of director 1, y"},
    {"w13", "1/s", "velocity of director 1, z"},
    {"w21", "1/s", "velocity of director 2, x"},
    {"w22", "1/s", "velocity of director 2, y"},
    {"w23", "1/s", "velocity of director 2, z"},
    {"w31", "1/s", "velocity of director 3, x"},
    {"w32", "1/s", "velocity of director 3, y"},
    {"w33", "1/s", "velocity of director 3, z"},
};
CHECK_ROW(mc_pose, RECORD_POSE_COLUMNS);

void record_put_pose(const mc_pose *pose, double *row)
{
    memcpy(row, pose, sizeof *pose);
}

// ---- energy ----

const results_column record_energy_columns[RECORD_ENERGY_COLUMNS] = {
    {"total", "J", "kinetic, elastic, spring and gravity together"},
    {"kinetic", "J", "kinetic energy"},
    {"elastic", "J", "energy of deformation"},
    {"spring", "J", "energy of the suspension springs"},
    {"gravity", "J", "potential energy, 0 with the mass centre at z = 0"},
    {"vibration", "J", "part of kinetic and elastic in the modes of deformation"},
    {"damped", "J", "dissipated by dampers since the start"},
    {"slipped", "J", "dissipated by slipping tyres since the start"},
    {"braked", "J", "dissipated by brakes since the start"},
    {"dragged", "J", "dissipated by air and rolling resistance since the start"},
    {"crushed", "J", "absorbed by permanent deformation since the start"},
    {"driven", "J", "delivered by the engine since the start"},
    {"p1", "N s", "momentum, x"},
    {"p2", "N s", "momentum, y"},
    {"p3", "N s", "momentum, z"},
    {"road1", "N s", "impulse of the road since the start, x"},
    {"road2", "N s", "impulse of the road since the start, y"},
    {"road3", "N s", "impulse of the road since the start, z"},
};
enum { PARTS = 1, MOMENTUM = 12, ROAD_IMPULSE = 15 }; // columns
CHECK_ROW(mc_energy, MOMENTUM - PARTS);

static double total(const mc_energy *e)
{
    return e->kinetic + e->elastic + e->spring + e->gravity;
}

void record_put_energy(const mc_energy *energy, const double momentum[3],
                       const double road_impulse[3], double *row)
{
    row[0] = total(energy);
    memcpy(row + PARTS, energy, sizeof *energy);
    memcpy(row + MOMENTUM, momentum, 3 * sizeof *row);
    memcpy(row + ROAD_IMPULSE, road_impulse, 3 * sizeof *row);
}

// ---- vehicles ----

const results_column record_vehicle_columns[RECORD_VEHICLE_COLUMNS] = {
    {"platoon", "-", "number of its platoon, from 0; -1: none"},
    {"place", "-", "in the platoon; 0: the first"},
    {"lane", "-", "at the start; 0: the leftmost"},
    {"length", "m", "of its box"},
    {"width", "m", "of its box"},
    {"height", "m", "of its box"},
    {"middle", "m", "middle of its box ahead of the mass centre"},
    {"mass", "kg", "at the start"},
    {"deformable", "-", "1: deformable body; 0: rigid"},
};
CHECK_ROW(record_vehicle, RECORD_VEHICLE_COLUMNS);

void record_put_vehicle(const record_vehicle *vehicle, double *row)
{
    memcpy(row, vehicle, sizeof *vehicle);
}

// ---- impacts, events ----

const results_column record_impact_columns[RECORD_IMPACT_COLUMNS] = {
    {"t", "s", "instant of the micro-impact"},
    {"a", "-", "vehicle, from 0"},
    {"b", "-", "vehicle, from 0"},
    {"x", "m", "point of contact, x"},
    {"y", "m", "point of contact, y"},
    {"z", "m", "point of contact, z"},
    {"nx", "-", "normal from a to b, x"},
    {"ny", "-", "normal from a to b, y"},
    {"nz", "-", "normal from a to b, z"},
    {"closing", "m/s", "closing speed of the surfaces"},
    {"impulse", "N s", "on b along the normal, on a against it"},
    {"duration", "s", "duration of the contact; 0: a single impact"},
    {"fx", "N s", "impulse of friction on b, x"},
    {"fy", "N s", "impulse of friction on b, y"},
    {"fz", "N s", "impulse of friction on b, z"},
    {"friction_loss", "J", "energy dissipated by friction"},
    {"restitution_loss", "J", "energy lost through restitution below 1"},
    {"energy_before", "J", "of both, just before"},
    {"energy_after", "J", "the same minus the losses by friction and restitution in this contact"},
};

void record_put_impact(const mc_impact *i, int a, int b, double *row)
{
    const mc_energy *b0 = &i->before[0], *b1 = &i->before[1];
    const double before = total(b0) + b1->kinetic + b1->elastic + b1->spring + b1->gravity;
    const double values[RECORD_IMPACT_COLUMNS] = {i->time,
                                                  a,
                                                  b,
                                                  i->point[0],
                                                  i->point[1],
                                                  i->point[2],
                                                  i->normal[0],
                                                  i->normal[1],
                                                  i->normal[2],
                                                  i->closing,
                                                  i->impulse,
                                                  i->duration,
                                                  i->tangential[0],
                                                  i->tangential[1],
                                                  i->tangential[2],
                                                  i->friction_loss,
                                                  i->restitution_loss,
                                                  before,
                                                  before - i->friction_loss - i->restitution_loss};
    memcpy(row, values, sizeof values);
}

const results_column record_event_columns[RECORD_EVENT_COLUMNS] = {
    {"t", "s", "when"},
    {"kind", "-", "number of its line in the list event_kinds, from 0"},
    {"vehicle", "-", "from 0; -1: the roadway"},
    {"value", "-", "what it was set to"},
};
CHECK_ROW(record_event, RECORD_EVENT_COLUMNS);

void record_put_event(const record_event *event, double *row)
{
    memcpy(row, event, sizeof *event);
}
