// strain.ts - deformed bodies as affine images: the rotation nearest to a deformation, and the same
// deformation magnified.
//
// A body's axes A (columns: deformed semi-axes) and rest semi-axes r give F = A diag(1/r). Its polar
// decomposition F = R U parts turning from straining; magnified by k the picture is
// (R + k (F - R)) diag(r): k = 1 is the truth, k = 0 the rest shape turned with the body.
// All matrices are row major, nine numbers.

export type Matrix3 = Float64Array;

export function deformation(axes: ArrayLike<number>, rest: ArrayLike<number>, out: Matrix3): Matrix3 {
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) out[3 * i + j] = axes[3 * i + j]! / Math.max(1e-9, rest[j]!);
  return out;
}

export function determinant(m: ArrayLike<number>): number {
  return (
    m[0]! * (m[4]! * m[8]! - m[5]! * m[7]!) -
    m[1]! * (m[3]! * m[8]! - m[5]! * m[6]!) +
    m[2]! * (m[3]! * m[7]! - m[4]! * m[6]!)
  );
}

// Inverse transposed, cofactors over the determinant.
function inverseTransposed(m: Matrix3, out: Matrix3): boolean {
  const d = determinant(m);
  if (!(Math.abs(d) > 1e-12)) return false;
  out[0] = (m[4]! * m[8]! - m[5]! * m[7]!) / d;
  out[1] = (m[5]! * m[6]! - m[3]! * m[8]!) / d;
  out[2] = (m[3]! * m[7]! - m[4]! * m[6]!) / d;
  out[3] = (m[2]! * m[7]! - m[1]! * m[8]!) / d;
  out[4] = (m[0]! * m[8]! - m[2]! * m[6]!) / d;
  out[5] = (m[1]! * m[6]! - m[0]! * m[7]!) / d;
  out[6] = (m[1]! * m[5]! - m[2]! * m[4]!) / d;
  out[7] = (m[2]! * m[3]! - m[0]! * m[5]!) / d;
  out[8] = (m[0]! * m[4]! - m[1]! * m[3]!) / d;
  return true;
}

const scratch = new Float64Array(9);

// R of F = R U by Higham's iteration R <- (R + R^-T)/2; quadratic near the end. A matrix that cannot be
// inverted keeps what was reached.
export function rotation(f: Matrix3, out: Matrix3): Matrix3 {
  out.set(f);
  for (let k = 0; k < 20; k++) {
    if (!inverseTransposed(out, scratch)) break;
    let change = 0;
    for (let i = 0; i < 9; i++) {
      const next = 0.5 * (out[i]! + scratch[i]!);
      change = Math.max(change, Math.abs(next - out[i]!));
      out[i] = next;
    }
    if (change < 1e-13) break;
  }
  return out;
}

// Axes of the picture: (R + k (F - R)) diag(rest).
export function magnified(f: Matrix3, r: Matrix3, k: number, rest: ArrayLike<number>, out: Matrix3): Matrix3 {
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      const q = 3 * i + j;
      out[q] = (r[q]! + k * (f[q]! - r[q]!)) * rest[j]!;
    }
  return out;
}

// Yaw of a rotation, rad, and how much shorter the body is along its first axis, m.
export function yawOf(r: Matrix3): number {
  return Math.atan2(r[3]!, r[0]!);
}
export function shortening(f: Matrix3, rest: ArrayLike<number>): number {
  return 2 * rest[0]! * (1 - Math.hypot(f[0]!, f[3]!, f[6]!));
}
