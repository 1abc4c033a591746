// files.ts - files in and out: drop on the window, what can be saved and shared (pictures: film.ts).
//
// Dropped files go to POST /upload one by one; the one that names the kind (scenario, results, data)
// is opened with the others beside it. What cannot be opened is shown with its place and line.
import type { Core } from "../core/core.ts";
import { h, menu } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import { Rejected, withToken } from "../wire/wire.ts";
import { showFileError } from "./fileerror.ts";
import { saveFrames, savePicture, saveVideo, type Drawer } from "./film.ts";
import { isPlatoon, rememberPlatoon, type MedusaChoice } from "./medusa.ts";
import { exportWorld } from "./save.ts";

// In: ------------------------------------------------------------------------------------------------
// Which of several files is the one to open: a scenario before results before data. `scenario`: which of the YAML
// files are scenarios; the others are parts of one, such as a model. `platoon`: which files are platoons of MEDUSA.
export function mainFile(
  names: string[],
  scenario: (i: number) => boolean = () => true,
  platoon: (i: number) => boolean = () => false,
): number {
  const rank = (n: string, i: number) =>
    platoon(i)
      ? 3.5
      : /\.ya?ml$/i.test(n)
        ? scenario(i)
          ? 0
          : 5
        : /\.(h5|hdf5)$/i.test(n)
          ? 1
          : /\.asc$/i.test(n)
            ? 2
            : /\.csv$/i.test(n)
              ? 3
              : /dat/i.test(n)
                ? 4
                : /par/i.test(n)
                  ? 6
                  : 5;
  let best = 0;
  names.forEach((n, i) => {
    if (rank(n, i) < rank(names[best], best)) best = i;
  });
  return best;
}
async function upload(file: File): Promise<string> {
  const r = await fetch(withToken(`/upload?name=${encodeURIComponent(file.name)}`), { method: "POST", body: file });
  if (!r.ok)
    throw new Error(`${file.name}: the server says ${r.status} ${(await r.text()).slice(0, 200) || r.statusText}`);
  return String(((await r.json()) as { upload: string }).upload);
}
export async function openFiles(app: Core, files: File[], beside: boolean): Promise<boolean> {
  if (!files.length) return false;
  const starts = await Promise.all(files.map((f) => f.slice(0, 4096).text()));
  const first = mainFile(
    files.map((f) => f.name),
    (i) => /^motorcade:\s*["']?scenario/m.test(starts[i]),
    (i) => isPlatoon(starts[i]),
  );
  const open = async (choice: MedusaChoice) => {
    const keys: string[] = [];
    for (const f of files) keys.push(await upload(f));
    const others = keys.filter((_, i) => i !== first);
    const done = await app.ask("open", {
      upload: keys[first],
      name: files[first].name,
      beside,
      ...choice,
      ...(others.length ? { with: others } : {}),
    });
    app.opened(done.world);
  };
  try {
    await open({});
    if (!beside) rememberPlatoon(isPlatoon(starts[first]) ? open : null);
    app.toast(`${files[first].name} ${beside ? "stands beside the others" : "is open"}`);
    return true;
  } catch (e) {
    if (e instanceof Rejected) showFileError(files[first].name, e.answer);
    else app.toast(e instanceof Error ? e.message : String(e));
    return false;
  }
}
export function startDrop(app: Core): void {
  const open = h(
    "div",
    { class: "drop-zone" },
    icon("files"),
    h("b", null, "Open"),
    h("span", null, "scenario, MEDUSA platoon with its models, HDF5, data.asc, DYNAVIS files, CSV"),
  );
  const beside = h(
    "div",
    { class: "drop-zone" },
    icon("branch"),
    h("b", null, "Open beside"),
    h("span", null, "as further worlds on the same clock"),
  );
  const veil = h("div", { class: "drop hidden" }, open, beside);
  document.body.appendChild(veil);
  const has = (e: DragEvent) => [...(e.dataTransfer?.types ?? [])].includes("Files");
  const over = (e: DragEvent) => beside.contains(e.target as Node);
  addEventListener("dragenter", (e) => {
    if (has(e)) {
      e.preventDefault();
      veil.classList.remove("hidden");
    }
  });
  addEventListener("dragover", (e) => {
    if (!has(e)) return;
    e.preventDefault();
    beside.classList.toggle("on", over(e));
    open.classList.toggle("on", !over(e));
  });
  addEventListener("dragleave", (e) => {
    if (!e.relatedTarget) veil.classList.add("hidden");
  });
  addEventListener("drop", (e) => {
    if (!has(e)) return;
    e.preventDefault();
    veil.classList.add("hidden");
    void openFiles(app, [...e.dataTransfer!.files], over(e));
  });
  app.on("layout", (d) => {
    if (Array.isArray(d?.drop)) void openFiles(app, d.drop, d.beside === true);
  }); // chosen in a panel
  app.command({
    name: "open.file",
    title: "Open a file…",
    group: "Files",
    help: "Scenario, MEDUSA platoon with its models, HDF5 results, data.asc, DYNAVIS data and parameters, CSV. Files can also be dropped on the window.",
    when: () => app.connected && !app.readOnly,
    run: () => {
      const input = h("input", { type: "file", multiple: true });
      input.addEventListener("change", () => void openFiles(app, [...(input.files ?? [])], false));
      input.click();
    },
  });
}

// Out: -----------------------------------------------------------------------------------------------
// The address with what is seen: options, instant, selection, layout.
export function shareLink(app: Core): string {
  const url = new URL(location.href);
  const parts = [
    `o=${encodeURIComponent(JSON.stringify(app.allOptions()))}`,
    `t=${app.clock.t.toFixed(4)}`,
    `layout=${encodeURIComponent(JSON.stringify(app.layoutState?.() ?? {}))}`,
  ];
  if (app.selection) parts.push(`car=${encodeURIComponent(`${app.selection.world}/${app.selection.vehicle}`)}`);
  url.hash = parts.join("&");
  return url.toString();
}
export function readLink(hash: string): { t?: number; layout?: object; car?: [number, string] } {
  const get = (k: string) => {
    const m = new RegExp(`[#&]${k}=([^&]+)`).exec(hash);
    return m ? decodeURIComponent(m[1]) : undefined;
  };
  const t = Number(get("t") ?? NaN);
  const car = /^(\d+)\/(.+)$/.exec(get("car") ?? "");
  let layout: object | undefined;
  try {
    layout = JSON.parse(get("layout") ?? "null") ?? undefined;
  } catch {
    /* not ours */
  }
  return {
    ...(Number.isFinite(t) ? { t } : {}),
    ...(layout ? { layout } : {}),
    ...(car ? { car: [Number(car[1]), car[2]] } : {}),
  };
}

export function startSharing(app: Core, stage: Drawer, at: () => Element): void {
  const world = () => app.current()?.world ?? 0;
  const on = () => app.connected;
  const add = (name: string, title: string, help: string, run: () => void, when?: () => boolean) =>
    app.command({ name, title, help, group: "Share", when, run });
  add("share.link", "Copy the link", "An address that opens this view at this instant.", () => {
    const link = shareLink(app);
    history.replaceState(null, "", link);
    (navigator.clipboard?.writeText(link) ?? Promise.reject()).then(
      () => app.toast("The link is copied"),
      () => app.toast("The link is in the address bar"),
    );
  });
  add("share.png", "Picture of the scene (PNG)", "What the scene shows now.", () => void savePicture(app, stage));
  add(
    "share.csv",
    "Table of the run (CSV)",
    "All cars of the world, every stored row.",
    () => void exportWorld(app, "csv", world()),
    on,
  );
  add(
    "share.scenario",
    "Scenario with its commands",
    "A file that reproduces this world: motorcade run gives the same bits.",
    () => void exportWorld(app, "scenario", world()),
    on,
  );
  add(
    "share.state",
    "State",
    "Scenario, commands and instant in one file; when opened, the run continues from here.",
    () => void exportWorld(app, "state", world()),
    on,
  );
  add("share.log", "Input log", "For motorcade run --replay-log.", () => void exportWorld(app, "log", world()), on);
  add(
    "share.results",
    "Results (HDF5)",
    "The file that motorcade run -o writes, for report and plot.",
    () => void exportWorld(app, "results", world()),
    on,
  );
  add("share.dynavis", "DYNAVIS data", "Data file of the report.", () => void exportWorld(app, "dynavis", world()), on);
  add(
    "share.frames",
    "Video frames (PNG, zip)",
    "The loop, or the last 5 s, as numbered pictures.",
    () => void saveFrames(app, stage),
    on,
  );
  add(
    "share.video",
    "Video (webm)",
    "The loop, or the last 5 s, at the speed of the clock: 30 frames per second, each from the exact state.",
    () => void saveVideo(app, stage),
    on,
  );
  app.command({
    name: "share",
    title: "Share…",
    group: "Share",
    help: "Link, picture, data, scenario, video.",
    run: () => {
      menu(
        at(),
        app.commands
          .list()
          .filter((c) => c.name.startsWith("share."))
          .map((c) => ({
            label: c.title,
            title: c.help,
            disabled: !app.commands.enabled(c),
            run: () => app.run(c.name),
          })),
        "Share",
      );
    },
  });
}
