// worldsmenu.ts - what can be done with a world: rename, hide, solo, make main, export, remove.
import { bytesText } from "../base/units.ts";
import { ask } from "../core/ask.ts";
import type { Core } from "../core/core.ts";
import { exportWorld } from "../files/save.ts";
import { askText } from "../ui/asktext.ts";
import { menu } from "../ui/dom.ts";
import type { World } from "../wire/protocol.ts";
import { alignItems } from "./align.ts";

export function worldsMenu(at: Element, app: Core, w: World): void {
  const only = app.shown().length <= 1;
  const main = app.worlds[0]?.world === w.world;
  const off = !app.connected || app.readOnly;
  menu(
    at,
    [
      {
        label: "Rename…",
        disabled: off,
        run: () =>
          askText(
            at,
            "Name of the world",
            w.name,
            (name) => void ask(app, "worlds", { op: "rename", world: w.world, name }),
          ),
      },
      {
        label: "Hide",
        disabled: only,
        run: () => {
          app.worldList.hide(w.world, true);
          app.emit("worlds");
        },
      },
      {
        label: app.worldList.soloed(w.world) ? "Show the others again" : "Solo",
        hint: "Alt click",
        disabled: app.worlds.length < 2,
        run: () => {
          app.worldList.setSolo(w.world);
          app.emit("worlds");
        },
      },
      { label: "Make main", disabled: off || main, run: () => void ask(app, "worlds", { op: "main", world: w.world }) },
      {
        label: "Move up",
        disabled: main,
        run: () => {
          app.worldList.move(w.world, app.worldList.place(w.world) - 1);
          app.emit("worlds");
        },
      },
      ...alignItems(at, app, w),
      "-",
      { label: "Export as scenario", disabled: off, run: () => void exportWorld(app, "scenario", w.world) },
      { label: "Export input log", disabled: off, run: () => void exportWorld(app, "log", w.world) },
      { label: "Export CSV", disabled: off, run: () => void exportWorld(app, "csv", w.world) },
      "-",
      {
        label: "Remove",
        disabled: off || main,
        title: `${bytesText(w.memory)} of memory`,
        run: () =>
          void ask(app, "worlds", { op: "remove", world: w.world }).then(
            (done) => done && app.toast(`${w.name} removed`, { label: "Undo", run: () => app.run("undo") }),
          ),
      },
    ],
    `World ${w.name}`,
  );
}
export function hiddenMenu(at: Element, app: Core): void {
  menu(
    at,
    app.worlds
      .filter((w) => app.worldList.hidden.has(w.world))
      .map((w) => ({
        label: `${app.letter(w.world)}  ${w.name}`,
        run: () => {
          app.worldList.hide(w.world, false);
          app.emit("worlds");
        },
      })),
    "Hidden worlds",
  );
}
