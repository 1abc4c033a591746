// about.ts - the about box: name, version and licence of Motorcade, and the licences of what the page is made of.
//
// The version is the server's, from its welcome message; the licence texts are in notices.json, written by the build.
import type { Core } from "../core/core.ts";
import { openDialog } from "../ui/dialog.ts";
import { h, fill } from "../ui/dom.ts";
import { withToken } from "../wire/wire.ts";

interface Notices {
  motorcade: string;
  packages: { name: string; version: string; licence: string; address: string; text: string }[];
}

export function startAbout(app: Core): void {
  let close: (() => void) | null = null;
  app.command({
    name: "about",
    title: "About Motorcade",
    group: "Help",
    help: "Version, licence, and the licences of the page's components.",
    run: () => {
      if (close) {
        close();
        return;
      }
      const body = h("div", { class: "kl-body ab-body", tabindex: 0, role: "group", "aria-label": "About Motorcade" });
      close = openDialog(
        "About Motorcade",
        [
          h("h2", null, `Motorcade ${app.program}`),
          h("span", { class: "mut" }, "ground-vehicle dynamics"),
          h("span", { class: "grow" }),
        ],
        body,
        () => {
          close = null;
        },
      );
      readNotices().then(
        (n) => fill(body, content(n)),
        (e: Error) => fill(body, h("p", null, `The licences cannot be read: ${e.message}`)),
      );
    },
  });
}
async function readNotices(): Promise<Notices> {
  const r = await fetch(withToken("/notices.json"));
  if (!r.ok) throw new Error(`the server answered ${r.status} ${r.statusText}`);
  return (await r.json()) as Notices;
}
function content(n: Notices): HTMLElement[] {
  return [
    h("section", null, h("h3", null, "Licence"), h("pre", { class: "mono" }, n.motorcade)),
    h(
      "section",
      null,
      h("h3", null, "The page is made with"),
      n.packages.map((p) =>
        h(
          "details",
          null,
          h("summary", null, h("b", null, p.name), ` ${p.version}, ${p.licence}`),
          h("p", null, h("a", { href: p.address, target: "_blank", rel: "noreferrer" }, p.address)),
          h("pre", { class: "mono" }, p.text),
        ),
      ),
    ),
  ];
}
