// main.ts - starts the page: makes the App, lays out the regions, mounts the parts, draws.
import type { App, Part } from "./core/app.ts";
import { Core } from "./core/core.ts";
import {
  loadScene3d,
  mountBench,
  mountCards,
  mountDrive,
  mountInspector,
  mountPanel,
  mountScene,
  mountTimeSpace,
} from "./parts.ts";
import { sceneView } from "./scene/sceneview.ts";
import { LayoutState, buildRegions, type Regions } from "./shell/layout.ts";
import { mountRail } from "./shell/rail.ts";
import { startShell } from "./shell/shell.ts";
import { mountTopbar } from "./shell/status.ts";
import { startTheme } from "./shell/theme.ts";
import { startToasts } from "./shell/toasts.ts";
import { mountTimeline } from "./time/timeline.ts";

interface Mounted {
  part: Part;
  host: HTMLElement;
  visible: boolean;
  ms: number;
} // ms: what drawing it cost, smoothed

// Visible parts draw; one that throws three times is dropped, the others keep drawing.
class Stage {
  private list: Mounted[] = [];
  private faults = new Map<Part, number>();
  drawMs = 0;
  frames = 0;
  add(part: Part, host: HTMLElement): void {
    this.list.push({ part, host, visible: true, ms: 0 });
    this.refresh();
  }
  remove(part: Part): void {
    this.list = this.list.filter((m) => m.part !== part);
    part.destroy?.();
  }
  refresh(): void {
    for (const m of this.list) {
      const visible = m.host.offsetParent !== null && m.host.clientWidth > 0;
      if (visible !== m.visible) {
        m.visible = visible;
        m.part.show?.(visible);
      }
    }
  }
  draw(t: number): void {
    const from = performance.now();
    let last = from;
    for (const m of this.list) {
      if (!m.visible || !m.part.draw || (this.faults.get(m.part) ?? 0) > 2) continue;
      try {
        m.part.draw(t);
      } catch (e) {
        this.faults.set(m.part, (this.faults.get(m.part) ?? 0) + 1);
        console.error("a part could not draw:", e);
      }
      const now = performance.now();
      m.ms += 0.05 * (now - last - m.ms);
      last = now;
    }
    this.drawMs = performance.now() - from;
    this.frames++;
  }
}

// Messages without room in the scene cover the titles of the instruments, not what is in them.
function titlesOf(regions: Regions, folded: boolean): { middle: number; bottom: number } {
  const cards = regions.cards.getBoundingClientRect();
  const centre = regions.main.getBoundingClientRect();
  const middle = centre.left + centre.width / 2;
  if (!cards.height || folded) return { middle, bottom: regions.timeline.getBoundingClientRect().top - 12 };
  return { middle, bottom: cards.top + regions.cards.querySelector<HTMLElement>(".cd-head")!.offsetHeight };
}

function start(): void {
  const root = document.getElementById("app")!;
  const app = new Core();
  const regions = buildRegions(root);
  const stage = new Stage();
  const toast = startToasts(
    document.body,
    () => (app.layout.view === "road" ? (sceneView(app)?.free() ?? null) : null),
    () => titlesOf(regions, app.layout.short),
  );
  app.toast = (text, action) => {
    toast(text, action);
    app.touch();
  };
  const theme = startTheme(app);
  app.on("theme", () => app.worldList.forgetColours());

  let space: Promise<void> | null = null;
  let bench: { which: string; part: Part } | null = null;
  let panel: { which: string; part: Part } | null = null;
  let timespace = false;
  const mounted = (host: HTMLElement, part: Part | void) => {
    if (part) stage.add(part, host);
  };
  const openParts = () => {
    const l = app.layout;
    if (l.view === "3d" && !space)
      space = loadScene3d().then((mount) => {
        mounted(regions.space, mount(regions.space, app));
        app.touch();
      });
    if (l.view === "timespace" && !timespace) {
      timespace = true;
      mounted(regions.timespace, mountTimeSpace(regions.timespace, app));
    }
    if (l.view === "bench" && bench?.which !== l.bench) {
      if (bench) stage.remove(bench.part);
      regions.bench.replaceChildren();
      bench = { which: l.bench, part: mountBench(regions.bench, app, l.bench) ?? {} };
      stage.add(bench.part, regions.bench);
    }
    if (l.panel && panel?.which !== l.panel) {
      if (panel) stage.remove(panel.part);
      regions.panel.replaceChildren();
      panel = { which: l.panel, part: mountPanel(regions.panel, app, l.panel) ?? {} };
      stage.add(panel.part, regions.panel);
    }
    stage.refresh();
  };
  const layout = new LayoutState(app, root, regions, openParts);
  app.layout = layout;
  app.layoutState = () => layout.state();
  app.on("layout", (d) => {
    if (d?.restore) layout.restore(d.restore);
    else if (app.file) app.option("layout", layout.state());
  });
  app.on("worlds", (d) => {
    if (!d?.reset) return;
    layout.restore(app.option("layout")); // kept per scenario
    layout.set(app.worldList.on("road").length ? {} : { view: "bench", bench: "mechanism" });
  });
  app.on("resize", () => stage.refresh());
  app.on("worlds", (d) => {
    if (d?.reset && panel) {
      stage.remove(panel.part);
      panel = null;
      openParts();
    }
  });

  const keys = startShell(app, regions, stage, theme);
  mounted(regions.top, mountTopbar(regions.top, app));
  mounted(regions.rail, mountRail(regions.rail, app));
  mounted(regions.road, mountScene(regions.road, app));
  mounted(regions.cards, mountCards(regions.cards, app));
  mounted(regions.drive, mountDrive(regions.drive, app));
  mounted(regions.inspector, mountInspector(regions.inspector, app));
  mounted(regions.timeline, mountTimeline(regions.timeline, app));
  openParts();

  let last = performance.now();
  const loop = (now: number) => {
    requestAnimationFrame(loop);
    const dt = Math.max(0, (now - last) / 1000);
    last = now;
    app.tick(now, dt);
    if (!app.takeDirty(now)) return;
    stage.draw(app.clock.t);
    app.ackDrawn();
  };
  for (const type of ["pointermove", "pointerdown", "keydown", "wheel", "input"])
    addEventListener(type, () => app.touch(300), { passive: true, capture: true });
  document.addEventListener("visibilitychange", () => {
    last = performance.now();
  });
  app.on("state", (d) => {
    if (d?.connected !== undefined) app.touch(5000);
  });
  (window as unknown as { motorcade: App & { stage: Stage } }).motorcade = Object.assign(app, { stage, keys });
  app.wire.connect();
  document.fonts?.ready.then(() => {
    app.emit("theme");
  });
  requestAnimationFrame(loop);
}

start();
