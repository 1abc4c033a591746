// quality.ts - steps of picture quality, and the governor that moves between them by the time frames take.
//
// A step changes what a picture costs, never what it shows: every vehicle, label and arrow is on every step.
// detail: times the distance up to which bodies are drawn in full; reach: of the levels after it.
export const STEPS = [
  { name: "plain", material: 0, shadow: 0, shadowEvery: 0, anisotropy: 1, detail: 0.75, reach: 0.4, pixels: 1 },
  { name: "low", material: 1, shadow: 0, shadowEvery: 0, anisotropy: 2, detail: 0.85, reach: 0.7, pixels: 1 },
  { name: "middle", material: 2, shadow: 1024, shadowEvery: 2, anisotropy: 4, detail: 1, reach: 1, pixels: 1.5 },
  { name: "full", material: 2, shadow: 2048, shadowEvery: 1, anisotropy: 8, detail: 1.35, reach: 1.35, pixels: 2 },
] as const;
export type Step = (typeof STEPS)[number];

const WINDOW = 30; // frames
const SLOW = 24; // ms: three frames of a screen of 60 Hz in four
const CALM = 18; // ms: a frame of such a screen
const WINDOWS_UP = 3;
const REST = 60000; // ms until a step that was too slow is tried again
const PAUSE = 250; // ms: nothing was drawn meanwhile, for whatever reason

// Fed with the time of every picture drawn while time runs. The median of 30 intervals decides: down at once, up after
// three calm windows, and not within a minute to a step that was too slow.
export class Governor {
  private last = NaN;
  private times: number[] = [];
  private calm = 0;
  private failed = new Map<number, number>();

  constructor(
    public step: number,
    private top = STEPS.length - 1,
  ) {}

  // now: ms. True: the step has changed.
  drawn(now: number): boolean {
    const ms = now - this.last;
    this.last = now;
    if (!(ms > 0 && ms < PAUSE)) return false;
    this.times.push(ms);
    if (this.times.length < WINDOW) return false;
    const median = this.times.sort((a, b) => a - b)[WINDOW >> 1];
    this.times = [];
    if (median > SLOW) {
      this.calm = 0;
      if (this.step === 0) return false;
      this.failed.set(this.step, now);
      this.step--;
      return true;
    }
    const free = now - (this.failed.get(this.step + 1) ?? -Infinity) > REST;
    if (median > CALM || this.step >= this.top || !free) this.calm = 0;
    else if (++this.calm >= WINDOWS_UP) {
      this.calm = 0;
      this.step++;
      return true;
    }
    return false;
  }

  // Pictures that were not drawn one after another tell nothing.
  rest(): void {
    this.last = NaN;
    this.times = [];
  }
}
