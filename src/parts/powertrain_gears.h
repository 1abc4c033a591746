// powertrain_gears.h - what the table and the vector code of the geared powertrain share.
//
// An engine given by its torque curve, a fluid coupling and an automatic gear box, for any car
// whose data sheet is known. With n the engine speed in rpm, u the throttle:
//
//   full load        T(n) = Tm - (Tm - Tp) ((n - n_m)/(n_p - n_m))^2, at least 0.3 Tm: peak torque
//                    Tm at n_m; Tp = P/omega at n_p, where the power P is given
//   friction         Tf(n) = friction_torque (0.5 + 0.5 n/n_p)
//   combustion       Tc = share (T + Tf) limiter,  share = u + (1 - u) idle
//   idle governor    idle = 1 - (n - 0.8 n_idle)/(0.4 n_idle) between 0 and 1
//   rev limiter      limiter = (n_max - n)/(0.05 n_max) between 0 and 1
//   engine           J omega' = Tc - Tf - coupling
//   coupling         C atan[25(1 - n1/n)] |atan[25(1 - n1/n)]| n^2, as the pump of eq 3 but without
//                    a gain of torque: its two sides carry the same torque. C such that the engine
//                    stalls against a standing car at stall_rpm with its torque there
//   gear             G(v) falls from one ratio to the next over a range of speed: from where the
//                    engine would turn at shift_rpm in the lower gear to 15 % above. So the gear is
//                    a function of the speed: no hidden state, no jump, no hunting
//   clutch speed     n1 = G(v) final_drive v / (2 pi/60 wheel_radius)
//   force            coupling G final_drive / wheel_radius, times the efficiency when driving,
//                    over it when the car drives the engine
//   fuel             Tc omega / (indicated_efficiency 43.5 MJ/kg)
//
// Power out <= power in: slip and efficiency only dissipate. A gear of ratio 0 ends the list of
// gears. n below 50 counts as 50.
#pragma once

#include "parts/powertrain.h"

enum { GEAR_MAX = 6 };

enum {
    GEARS_IDLE_RPM,
    GEARS_PEAK_TORQUE,
    GEARS_PEAK_TORQUE_RPM,
    GEARS_PEAK_POWER,
    GEARS_PEAK_POWER_RPM,
    GEARS_MAX_RPM,
    GEARS_FRICTION,
    GEARS_INERTIA,
    GEARS_STALL_RPM,
    GEARS_SHIFT_RPM,
    GEARS_FINAL,
    GEARS_RADIUS,
    GEARS_EFFICIENCY,
    GEARS_INDICATED,
    GEARS_RATIO, // GEAR_MAX of them
    GEARS_PARAM_COUNT = GEARS_RATIO + GEAR_MAX
};

enum { // held
    GEARS_HELD_THROTTLE,
    GEARS_HELD_TORQUE,   // N m, Tm
    GEARS_HELD_PEAK,     // rpm, n_m
    GEARS_HELD_BEND,     // N m / rpm^2, of the torque curve
    GEARS_HELD_FRICTION, // N m
    GEARS_HELD_GROWTH,   // N m / rpm, of friction
    GEARS_HELD_COUPLING, // N m / rpm^2
    GEARS_HELD_SPIN,     // rpm/s / (N m)
    GEARS_HELD_TO_RPM,   // rpm s/m, of the wheel with final drive
    GEARS_HELD_FIRST,    // ratio of the first gear
    GEARS_HELD_IDLE,     // 1/rpm, slope of the idle governor
    GEARS_HELD_LIMIT,    // 1/rpm, slope of the rev limiter
    GEARS_HELD_BACK,     // 1/efficiency
    GEARS_HELD_FUEL,     // kg/J
    GEARS_HELD_SHIFT,    // three for each shift: speed m/s, 1/width s/m, drop of the ratio
    GEARS_HELD_COUNT = GEARS_HELD_SHIFT + 3 * (GEAR_MAX - 1)
};

powertrain_hold gears_hold_plain, gears_hold_avx2;
powertrain_eval gears_eval_plain, gears_eval_avx2;
powertrain_plan gears_plan_plain, gears_plan_avx2;
