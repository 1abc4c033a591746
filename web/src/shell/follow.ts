// follow.ts - other pages on the same simulation: who they are, this page's name, following one.
//
// Every page has its own playhead. Following puts ours where the other one's is reported to be, with
// its rate, its car and its live end, until a hand moves time on this page, or the other page goes.
import { clockText } from "../base/units.ts";
import { sentence, type Core } from "../core/core.ts";
import { askText } from "../ui/asktext.ts";
import { h, menu, type Item } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import type { Done, OtherPage, Place } from "../wire/protocol.ts";
import { keepPageName, pageName } from "../wire/wire.ts";

const APART = 0.12; // s of real time that two moving playheads may be apart

export function startFollow(app: Core): HTMLElement {
  const count = h("span");
  const button = h(
    "button",
    { class: "iconbtn tb-people hidden", "aria-haspopup": "menu", onclick: () => void open() },
    icon("people"),
    count,
  );
  let pages = 1;
  const show = () => {
    const on = app.following;
    button.classList.toggle("hidden", pages < 2 && !on);
    button.setAttribute("aria-pressed", String(on !== null));
    count.textContent = String(pages);
    button.title = on ? `Following ${on.name}` : `${pages} pages are connected. Follow one, or name yours`;
    button.setAttribute("aria-label", button.title);
  };

  const leave = (why: string) => {
    if (!app.following) return;
    const { name } = app.following;
    app.following = null;
    app.ask("follow", { page: 0 }).catch(() => undefined);
    app.toast(why.replace("%", name));
    show();
    app.emit("clock");
  };
  const follow = (page: number) =>
    app.ask("follow", { page }).then(
      (a) => {
        const o = a as OtherPage; // one was asked for
        app.following = { page, name: o.name };
        app.clock.loopOn = false;
        join(app, o);
        app.toast(`Following ${o.name}. Moving time yourself ends it`, {
          label: "Stop",
          run: () => leave("No longer following %"),
        });
        app.speak(`Following ${o.name}`);
        show();
      },
      (e: Error) => {
        app.following = null;
        app.toast(sentence(e.message));
        show();
      },
    );

  const open = async () => {
    const a = await app.ask("pages", {}).catch((): Done<"pages"> => ({ pages: [] }));
    const items: (Item | "-")[] = a.pages.slice(0, 24).map((o) => ({
      label: `Follow ${o.name}`,
      hint: o.live && o.playing ? "live" : clockText(o.t, 1),
      checked: app.following?.page === o.page,
      run: () => void follow(o.page),
    }));
    if (!items.length) items.push({ label: "No other page is connected", disabled: true, run: () => undefined });
    if (app.following) items.push({ label: "Stop following", run: () => leave("No longer following %") });
    items.push("-", {
      label: `My name: ${pageName() || "none yet"}…`,
      run: () => askText(button, "Name of this page, seen by the others", pageName(), rename),
    });
    menu(button.classList.contains("hidden") ? { x: innerWidth - 260, y: 44 } : button, items, "Pages");
  };
  const rename = (name: string) => {
    app.ask("name", { name }).then(
      () => {
        keepPageName(name);
        app.toast(`The others see you as ${name}`);
      },
      (e: Error) => app.toast(sentence(e.message)),
    );
  };

  app.byHand = () => leave("No longer following %: time was moved here");
  app.on("state", (d) => {
    if (d?.pages !== undefined) {
      pages = d.pages;
      show();
    }
    const o = d?.place;
    if (o && app.following?.page === o.page) {
      if (o.gone) leave("% has left");
      else join(app, o);
    }
    if (d?.connected && d.was === false && app.following) void follow(app.following.page); // the server has forgotten it
  });
  app.command({
    name: "follow",
    title: "Follow another page…",
    group: "Page",
    help: "Puts this page's playhead where another person's is, until you move time yourself. Also the name the others see.",
    when: () => app.connected,
    run: () => void open(),
  });
  show();
  return button;
}

// Moves our playhead to theirs. Small differences while both move are ignored: reports come once a second.
function join(app: Core, o: Place): void {
  const c = app.clock;
  const moving = o.playing && !o.live;
  app.steered = true;
  try {
    if (c.rate !== o.rate) c.setRate(o.rate);
    if (o.live && o.playing) {
      if (!c.live || !c.playing) c.goLive();
    } else {
      if (c.live || Math.abs(c.t - o.t) > (moving ? APART * Math.max(0.05, Math.abs(o.rate)) : 1e-9)) c.seek(o.t);
      if (c.playing !== o.playing) c.play(o.playing);
    }
    if (o.select && app.world(o.world)?.vehicles.some((v) => v.name === o.select)) app.select(o.world, o.select);
  } finally {
    app.steered = false;
  }
}
