// A link of the page that is opened in a new window has no token: it is not in the address, so that nobody copies it with one.
// The new window asks the others. They hear it only if this very server gave them their page, in the same browser: whoever is
// asked that way could as well be looked at.

import { keepToken, type TokenPlaces, takeToken } from "./page-token.ts";

/** Between the windows of one server in one browser. */
export type Channel = Pick<BroadcastChannel, "postMessage" | "addEventListener" | "removeEventListener">;

/** They are on the same machine; where nobody answers, the link is asked for. */
const PATIENCE_MS = 300;

type Said = { readonly ask: true } | { readonly token: string };

export const openChannel = (): Channel | null =>
  typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("plait-token");

export type SharedToken = {
  readonly token: string | null | Promise<string | null>;
  /** To be told of every answer of the server: a token that it does not know any more is not handed on. */
  readonly answered: (status: number) => void;
};

/** The token of this window, or of another one; from then on others may have it from here. */
export function sharedToken(
  places: TokenPlaces,
  channel: Channel | null,
  patienceMs = PATIENCE_MS,
): SharedToken {
  const own = takeToken(places);
  const token = own ?? (channel === null ? null : asked(channel, patienceMs));
  let known: string | null = null;
  channel?.addEventListener("message", ({ data }: MessageEvent<Said>) => {
    if ("ask" in data && known !== null) channel.postMessage({ token: known } satisfies Said);
  });
  const answered = async (status: number): Promise<void> => {
    const had = await token;
    if (status === 401) known = null;
    else if (had !== null && known === null) {
      known = had;
      if (own === null) keepToken(places, had);
    }
  };
  return { token, answered: (status) => void answered(status) };
}

function asked(channel: Channel, patienceMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const heard = ({ data }: MessageEvent<Said>): void => {
      if ("token" in data && /^[\w-]{16,128}$/.test(data.token)) done(data.token);
    };
    const timer = setTimeout(() => done(null), patienceMs);
    function done(token: string | null): void {
      clearTimeout(timer);
      channel.removeEventListener("message", heard);
      resolve(token);
    }
    channel.addEventListener("message", heard);
    channel.postMessage({ ask: true } satisfies Said);
  });
}
