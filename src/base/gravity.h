// gravity.h - the one g of the program: gravity of roads and mechanisms that give no other, and the
// unit g of limits of vehicles. (Formulas have in addition g0, the standard 9.80665 m/s^2.)
#pragma once

#define GRAVITY 9.81 // m/s^2
