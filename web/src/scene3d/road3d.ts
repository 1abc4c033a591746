// road3d.ts - the road of the 3-D view: lanes with their paint, shoulders, ramps, gores, barriers; the land around it is
// in terrain3d.ts.
//
// Made about the focus, in the picture's frame of that instant, and made again every STRIDE metres or when the road
// changes; in between it only moves.
import {
  BoxGeometry,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  InstancedMesh,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  Object3D,
} from "three";
import type { RoadPlan, Side } from "../scene/plan.ts";
import type { World } from "../wire/protocol.ts";
import { newSpot, type Anchor, type Ground } from "./ground3d.ts";
import { AHEAD, equalLanes, lanesOf, stationsAbout, type Lanes } from "./lanes3d.ts";
import type { BodyMaterial } from "./paintshader.ts";
import type { Step } from "./quality.ts";
import { EDGE, FIELD, roadMaterials } from "./roadshader.ts";
import { otherLanes, otherSide, Scenery } from "./scenery3d.ts";
import type { Sky } from "./sky3d.ts";
import { Strips, Sweep } from "./strips.ts";
import { Terrain } from "./terrain3d.ts";

export const SHOULDER = 1.6; // m
export const RAMP_SHOULDER = 0.9;
const STRIDE = 80;
export const POST = 4; // m between posts
const POSTS = 400; // of a side
export const BEAM = [
  [-0.03, 0.46],
  [-0.075, 0.5],
  [-0.075, 0.56],
  [-0.02, 0.615],
  [-0.075, 0.67],
  [-0.075, 0.73],
  [-0.03, 0.77],
] as const;

const side: Side = { left: 0, right: 0 };
const probe: Side = { left: 0, right: 0 };

export class Road3d {
  group = new Group();
  readonly terrain = new Terrain();
  readonly scenery = new Scenery();
  private paint = { spacing: { value: 10 }, dash: { value: 3 }, light: { value: new Color() } };
  private surfaces = roadMaterials(this.paint);
  private metals: BodyMaterial[];
  private main = new Mesh(new BufferGeometry(), this.surfaces[0]);
  private ramps = new Mesh(new BufferGeometry(), this.surfaces[0]);
  private rails: Mesh[];
  private posts: InstancedMesh[];
  private reach: [number, number] = [0, 0]; // m, y of the rails of a straight road
  private straight = true;
  private made = {
    road: null as object | null,
    plan: null as object | null,
    focus: NaN,
    times: 0,
    anchor: { x: 0, y: 0, c: 1, s: 0, height: 0 } as Anchor,
  };
  private spot = newSpot();
  private dummy = new Object3D();

  constructor() {
    const standard = new MeshStandardMaterial({ color: 0xaab0b5, roughness: 0.42, metalness: 0.75, side: DoubleSide });
    this.metals = [new MeshLambertMaterial({ color: 0x8e959c, side: DoubleSide }), standard, standard];
    this.rails = [0, 1].map(() => new Mesh(new BufferGeometry(), this.metals[0]));
    this.posts = [0, 1].map(() => new InstancedMesh(new BoxGeometry(0.09, 0.12, 0.8), this.metals[0], POSTS));
    this.main.receiveShadow = this.ramps.receiveShadow = true;
    this.ramps.renderOrder = -1;
    for (const m of [this.main, this.ramps, ...this.rails, ...this.posts]) {
      m.frustumCulled = false;
      this.group.add(m);
    }
    for (const m of [...this.rails, ...this.posts]) m.castShadow = true;
    this.group.add(this.terrain.group, this.scenery.group);
  }

  setStep(step: Step): void {
    this.main.material = this.ramps.material = this.surfaces[step.material];
    for (const m of [...this.rails, ...this.posts]) m.material = this.metals[step.material];
    this.terrain.setStep(step);
    this.scenery.setStep(step);
  }

  // Colours of the theme; what is made is made again in its light.
  repaint(sky: Sky, dark: boolean): void {
    sky.light(0, 0, 1, this.paint.light.value);
    this.terrain.repaint(sky, dark);
    this.made.road = null;
  }

  // A barrier between the camera and the road is left out.
  seenFrom(y: number): void {
    this.rails[0].visible = this.posts[0].visible = !this.straight || y < this.reach[0];
    this.rails[1].visible = this.posts[1].visible = !this.straight || y > this.reach[1];
  }

  // plan: of the road's lanes, when it has one.
  update(world: World, plan: RoadPlan | null, ground: Ground, focus: number, markers: number, times: number): void {
    this.paint.spacing.value = Math.max(4, markers);
    this.paint.dash.value = Math.min(3, 0.5 * this.paint.spacing.value);
    const m = this.made;
    if (m.road !== world.road || m.plan !== plan || m.times !== times || !(Math.abs(focus - m.focus) < STRIDE)) {
      m.road = world.road;
      m.plan = plan;
      m.times = times;
      m.focus = Math.round(focus / STRIDE) * STRIDE;
      m.anchor = { ...ground.anchor };
      this.make(world, plan, ground, m.focus);
    }
    ground.move(this.group, m.anchor);
  }

  private make(world: World, plan: RoadPlan | null, ground: Ground, focus: number): void {
    const { road } = world;
    const width = road.lane_width > 0 ? road.lane_width : 3.4;
    const shaped = plan && (plan.shaped || ground.plan) ? plan : null;
    const main = shaped ? lanesOf(shaped, 0) : equalLanes(Math.max(1, road.lanes), width);
    this.straight = !ground.plan;
    const fine = ground.plan ? 5 : 10;
    const stations = stationsAbout(focus - main.base, fine, main);
    const strips = new Strips(ground);
    const under = new Strips(ground, -0.015);
    const crossings: number[] = []; // x, y of the picture, on ramps
    if (ground.plan) this.branches(ground.plan, ground, focus, strips, under, crossings);
    const joined = (s: number, y: number): boolean => {
      for (let k = 1; ground.plan && k < ground.plan.paths.length; k++) {
        const ramp = ground.plan.paths[k];
        const at = s + main.base - ramp.base; // x continues from one to the other
        if (at < 0 || at > ramp.length) continue;
        const q = ground.spot(s + main.base, y, 0, this.spot);
        const { x, y: across } = q;
        ground.spot(at + ramp.base, ramp.centre(0, at), k, q);
        if (Math.hypot(q.x - x, q.y - across) < 2.4) return true;
      }
      return false;
    };
    this.lanes(strips, main, stations, SHOULDER, true, joined);
    const beyond = otherSide(main, ground, stations, SHOULDER, crossings);
    otherLanes(strips, main, stations, SHOULDER, beyond);
    replace(this.main, strips.geometry());
    replace(this.ramps, under.geometry());
    this.barriers(main, ground, stations, focus, crossings, beyond.wide);
    this.scenery.make(main, ground.plan, ground, stations, SHOULDER, beyond, focus);
    // A road that bends comes near itself: the land of one stretch must not cover another.
    const own: number[] = []; // x, y, station
    if (ground.plan?.curved)
      for (const at of stations) {
        const q = ground.spot(at + main.base, 0, 0, this.spot);
        own.push(q.x, q.y, at);
      }
    this.terrain.make(main, ground, stations, crossings, own, beyond.wide);
  }

  // Every lane from its left to its right edge, and the shoulders beside them.
  // joined: a ramp's lane lies at this offset.
  private lanes(
    strips: Strips,
    p: Lanes,
    stations: number[],
    shoulder: number,
    main: boolean,
    joined: (s: number, y: number) => boolean = () => false,
  ): void {
    const there = (lane: number, s: number): boolean => {
      if (lane < 0 || lane >= p.count) return false;
      p.sides(lane, s, probe);
      return probe.left === probe.left;
    };
    for (let lane = 0; lane < p.count; lane++) {
      strips.cut();
      for (const s of stations) {
        p.sides(lane, s, side);
        if (side.left !== side.left) {
          strips.cut();
          continue;
        }
        const left = there(lane - 1, s) ? EDGE.dashed : main ? EDGE.yellow : EDGE.solid;
        const right = there(lane + 1, s) || joined(s, side.right - 1.7) ? EDGE.dashed : EDGE.solid;
        strips.row(s + p.base, s, p.path, side.left, side.right, { left, right, field: FIELD.lane });
      }
    }
    for (const left of [true, false]) {
      strips.cut();
      for (const s of stations) {
        p.edges(s, side);
        const at = left ? side.left : side.right;
        if (!Number.isFinite(at) || joined(s, left ? at + 1.7 : at - 1.7)) {
          strips.cut();
          continue;
        }
        const inner = left && main ? EDGE.yellow : EDGE.solid;
        const of = {
          left: left ? 0 : inner,
          right: left ? inner : 0,
          field: left || !main ? FIELD.shoulder : FIELD.marked,
        };
        const [a, b] = left ? [at + shoulder, at] : [at, at - shoulder];
        strips.row(s + p.base, s, p.path, a, b, of);
      }
    }
  }

  // Ramps, a little below the main road where they meet, and the gores between them.
  private branches(
    plan: RoadPlan,
    ground: Ground,
    focus: number,
    over: Strips,
    under: Strips,
    crossings: number[],
  ): void {
    for (let k = 1; k < plan.paths.length; k++) {
      const p = lanesOf(plan, k);
      const stations = stationsAbout(focus - p.base, 5, p);
      if (!stations.length) continue;
      this.lanes(under, p, stations, RAMP_SHOULDER, false);
      for (const at of stations) {
        const s = ground.spot(at + p.base, plan.paths[k].centre(0, at) || 0, k, this.spot);
        crossings.push(s.x, s.y);
      }
    }
    for (const r of plan.ramps) {
      const ramp = plan.paths[r.path];
      if (!ramp || r.main !== 0 || Math.abs(r.at - focus) > AHEAD) continue;
      const meets = r.on ? ramp.length : 0;
      over.cut();
      for (let k = 0; k <= 12; k++) {
        const s = r.nose + ((r.at - r.nose) * k) / 12;
        const q = r.ramp_nose + ((meets - r.ramp_nose) * k) / 12;
        plan.main.sides(r.lane - 2, s, side);
        ramp.sides(0, q, probe);
        if (side.right !== side.right || probe.left !== probe.left) continue;
        const of = { left: EDGE.solid, right: EDGE.solid, field: FIELD.gore };
        over.between(s + plan.main.base, side.right, 0, q + ramp.base, probe.left, r.path, s, of);
      }
    }
  }

  // Rails at the outer edges, not where a ramp comes or goes.
  private barriers(
    p: Lanes,
    ground: Ground,
    stations: number[],
    focus: number,
    crossings: number[],
    beyond: number,
  ): void {
    for (const k of [0, 1]) {
      const sign = k === 0 ? 1 : -1;
      const place = (s: number): number => {
        p.edges(s, side);
        const y = k === 0 ? side.left + SHOULDER + beyond : side.right - SHOULDER;
        if (!Number.isFinite(y)) return NaN;
        const q = ground.spot(s + p.base, y, p.path, this.spot);
        for (let i = 0; i < crossings.length; i += 2)
          if (Math.abs(crossings[i] - q.x) < 9 && Math.abs(crossings[i + 1] - q.y) < 9) return NaN;
        return y;
      };
      const sweep = new Sweep(ground, BEAM);
      for (const s of stations) {
        const y = place(s);
        if (y === y) sweep.row(s + p.base, y, sign);
        else sweep.cut();
      }
      this.reach[k] = place(focus);
      let n = this.stand(p, ground, this.posts[k], 0, focus, sign, place);
      for (let ramp = 1; k === 1 && ground.plan && ramp < ground.plan.paths.length; ramp++)
        n = this.rampRail(ground.plan, ramp, ground, focus, sweep, n);
      replace(this.rails[k], sweep.geometry());
      this.posts[k].count = n;
      this.posts[k].instanceMatrix.needsUpdate = true;
    }
  }

  // Posts of a rail, from the n-th of their mesh on; returns how many there are then.
  private stand(
    p: Lanes,
    ground: Ground,
    posts: InstancedMesh,
    n: number,
    focus: number,
    sign: number,
    place: (s: number) => number,
  ): number {
    const first = Math.floor((focus - p.base - 240) / POST) * POST;
    for (let i = 0; i < POSTS && n < POSTS; i++) {
      const s = first + i * POST;
      const y = s >= p.from && s <= p.to ? place(s) : NaN;
      if (y !== y) continue;
      const q = ground.spot(s + p.base, y + sign * 0.05, p.path, this.spot);
      this.dummy.position.set(q.x, q.y, q.z + 0.36);
      this.dummy.rotation.z = Math.atan2(q.s, q.c);
      this.dummy.updateMatrix();
      posts.setMatrixAt(n++, this.dummy.matrix);
    }
    return n;
  }

  // On the right of a ramp, not where that is on the main road.
  private rampRail(plan: RoadPlan, k: number, ground: Ground, focus: number, sweep: Sweep, n: number): number {
    const p = lanesOf(plan, k);
    const stations = stationsAbout(focus - p.base, 5, p);
    const place = (s: number): number => {
      const y = p.edges(s, side).right - RAMP_SHOULDER;
      if (!Number.isFinite(y)) return NaN;
      const q = ground.spot(s + p.base, y, k, this.spot);
      const { x, y: across } = q;
      // A ramp's stations continue those of the road beside it.
      plan.main.edges(s + p.base - plan.main.base, side);
      ground.spot(s + p.base, 0, 0, q);
      const away = q.c * (across - q.y) - q.s * (x - q.x);
      return away > side.right - 2 && away < side.left + 2 ? NaN : y;
    };
    sweep.cut();
    for (const s of stations) {
      const y = place(s);
      if (y === y) sweep.row(s + p.base, y, -1, k);
      else sweep.cut();
    }
    return stations.length ? this.stand(p, ground, this.posts[1], n, focus, -1, place) : n;
  }
}

function replace(mesh: Mesh, g: BufferGeometry): void {
  mesh.geometry.dispose();
  mesh.geometry = g;
}
