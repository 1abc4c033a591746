// layouts.ts - layouts saved by name: what is open, which cards, kept in this browser. Each is a command of Ctrl K.
import type { Core } from "../core/core.ts";
import { askText } from "../ui/asktext.ts";

const KEPT = "motorcade.layouts";
const MAX = 40;

interface Saved {
  layout: object;
  cards?: unknown;
}

function read(): Record<string, Saved> {
  try {
    const all = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    return all && typeof all === "object" ? all : {};
  } catch {
    return {};
  }
}
function write(all: Record<string, Saved>): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(all));
  } catch {
    /* for this visit only */
  }
}

export function startLayouts(app: Core): void {
  let all = read();
  const offer = (name: string): void => {
    app.command({
      name: `layout.${name}`,
      title: `Layout: ${name}`,
      group: "Page",
      help: "Opens what was open when it was saved.",
      when: () => name in all,
      run: () => {
        const kept = all[name]!;
        if (kept.cards) app.option("cards", kept.cards);
        app.emit("layout", { restore: kept.layout });
      },
    });
    app.command({
      name: `layout.forget.${name}`,
      title: `Forget the layout ${name}`,
      group: "Page",
      help: "Removes it from the list.",
      when: () => name in all,
      run: () => {
        const { [name]: gone, ...rest } = all;
        write((all = rest));
        app.toast(`Layout ${name} forgotten`, { label: "Undo", run: () => write((all = { ...all, [name]: gone! })) });
      },
    });
  };
  for (const name of Object.keys(all)) offer(name);
  app.command({
    name: "layout.save",
    title: "Save this layout…",
    group: "Page",
    help: "Under a name: view, panels and cards as they are now, for any scenario.",
    run: () =>
      askText({ x: innerWidth / 2 - 100, y: 80 }, "Name of the layout", "", (text) => {
        const name = text.trim().slice(0, 40);
        if (!name) return;
        if (!(name in all) && Object.keys(all).length >= MAX) return app.toast(`There are already ${MAX} layouts`);
        const cards = app.option<unknown>("cards");
        all = { ...all, [name]: { layout: app.layoutState?.() ?? {}, ...(cards ? { cards } : {}) } };
        write(all);
        offer(name);
        app.toast(`Layout ${name} saved: Ctrl K finds it`);
      }),
  });
}
