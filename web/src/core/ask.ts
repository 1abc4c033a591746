// ask.ts - a request that shows when it is rejected and, if asked to, when it succeeds.
import type { Ask, Kind } from "../wire/protocol.ts";
import { type Answer, Rejected } from "../wire/wire.ts";
import type { Page, Server } from "./app.ts";
import { sentence } from "./core.ts";

export function ask<K extends Kind>(
  app: Server & Page,
  kind: K,
  args: Ask<K>,
  said?: string,
): Promise<Answer<K> | undefined> {
  return app.ask(kind, args).then(
    (a) => {
      if (said) app.toast(said);
      return a;
    },
    (e) => {
      if (e instanceof Rejected) app.toast(sentence(e.answer.reason));
      return undefined;
    },
  );
}
