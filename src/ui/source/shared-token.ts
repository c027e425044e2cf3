// A link that is opened in a new window has no token: addresses have none, so that none is copied with a link. The new window
// asks the other windows. Only windows of the same server in the same browser receive the question, and whoever can ask could
// read the other windows anyway.

/** Between the windows of one server in one browser. */
export type Channel = Pick<BroadcastChannel, "postMessage" | "addEventListener" | "removeEventListener">;

/** They are on the same machine; without an answer the person needs the link. */
const PATIENCE_MS = 300;

type TokenMessage = { readonly ask: true } | { readonly token: string };

export const openChannel = (): Channel | null =>
  typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("plait-token");

type SharedToken = {
  readonly token: string | null | Promise<string | null>;
  /** Called with every status of the server: a token that it rejects is not passed on. */
  readonly answered: (status: number) => void;
};

/** The token of this window, or of another one; from then on this window passes it on. */
export function sharedToken(
  places: TokenPlaces,
  channel: Channel | null,
  patienceMs = PATIENCE_MS,
): SharedToken {
  const own = takeToken(places);
  const token = own ?? (channel === null ? null : askOthers(channel, patienceMs));
  let known: string | null = null;
  channel?.addEventListener("message", ({ data }: MessageEvent<TokenMessage>) => {
    if ("ask" in data && known !== null) channel.postMessage({ token: known } satisfies TokenMessage);
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

function askOthers(channel: Channel, patienceMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const receive = ({ data }: MessageEvent<TokenMessage>): void => {
      if ("token" in data && /^[\w-]{16,128}$/.test(data.token)) done(data.token);
    };
    const timer = setTimeout(() => done(null), patienceMs);
    function done(token: string | null): void {
      clearTimeout(timer);
      channel.removeEventListener("message", receive);
      resolve(token);
    }
    channel.addEventListener("message", receive);
    channel.postMessage({ ask: true } satisfies TokenMessage);
  });
}

const KEY = "plait-token";

/** The parts of a browser that are needed. */
type TokenPlaces = {
  readonly location: { readonly hash: string; readonly pathname: string };
  readonly history: { readonly replaceState: (state: null, title: string, url: string) => void };
  /** Throws where the browser keeps nothing for sites: then the token holds until the page is loaded again. */
  readonly sessionStorage: Pick<Storage, "getItem" | "setItem">;
};

/**
 * The token that the link had. It is taken out of the address at once, where people copy links from, and kept for this window
 * alone, so that it can be loaded again. Null where the page was opened without one.
 */
export function takeToken(places: TokenPlaces): string | null {
  const { location, history } = places;
  const [, token] = /^#token=([\w-]{16,128})$/.exec(location.hash) ?? [];
  if (token === undefined) return orNull(() => places.sessionStorage.getItem(KEY));
  keepToken(places, token);
  history.replaceState(null, "", location.pathname);
  return token;
}

function keepToken(places: Pick<TokenPlaces, "sessionStorage">, token: string): void {
  orNull(() => places.sessionStorage.setItem(KEY, token));
}

function orNull<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}
