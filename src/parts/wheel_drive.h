// wheel_drive.h - what an engine can do at the wheels: its torque curve, its gears, the axles it
// drives; and the torque that a wheel is turned by towards a target speed.
//
//   engine speed   n = w g f 60/(2 pi), w the spin of a driven wheel, g a gear, f the final drive
//   torque         M(w) = max over gears with n within the curve of  T(n) g f eta / driven wheels
//                  below the lowest speed of the curve the clutch slips: T of that speed, first
//                  gear
//   brake          a friction torque of at most brake_torque, which holds a wheel that stands:
//                  asked for more than the road returns, the wheel locks
//
// A number given for the torque at a wheel replaces what follows from the engine.
#pragma once

enum {
    WHEEL_DRIVE_POINTS = 32,
    WHEEL_DRIVE_GEARS = 16,
    WHEEL_DRIVE_CURVE_MAX = 3 * WHEEL_DRIVE_POINTS * WHEEL_DRIVE_GEARS + 2,
};

typedef struct wheel_drive {
    double speed[WHEEL_DRIVE_POINTS];  // rad/s of the engine, increasing
    double torque[WHEEL_DRIVE_POINTS]; // N m at full throttle
    int point_count;
    double gear[WHEEL_DRIVE_GEARS]; // -, ratios, the first gear first
    int gear_count;
    double final_drive;  // -
    double efficiency;   // -, of gears and axles
    int wheels;          // that are driven
    double wheel_torque; // N m, at each of them; NAN: from the engine
    double brake_torque; // N m, at each wheel
    double gain;         // N m s/rad, of the law that holds a target speed
} wheel_drive;

// N m, the most at each driven wheel that turns at `spin`, rad/s >= 0; *gear becomes the gear, from
// 0, if not NULL. 0 where the engine cannot turn that fast.
double wheel_drive_torque_max(const wheel_drive *d, double spin, int *gear);

// The same over all speeds as points between which it is linear, from spin 0 on: where a gear has
// reached its highest speed two points are 1e-9 apart, relatively, and behind the last one there is
// no torque. Returns how many.
int wheel_drive_curve(const wheel_drive *d, double spin[WHEEL_DRIVE_CURVE_MAX],
                      double torque[WHEEL_DRIVE_CURVE_MAX]);

// N m on one wheel, towards a target speed: gain times what is missing, at most what engine or
// brakes can do. Above the target the brakes act.
double wheel_drive_torque(const wheel_drive *d, double spin, double target);
