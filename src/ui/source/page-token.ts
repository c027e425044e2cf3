const KEY = "plait-token";

/** The parts of a browser that are needed. */
export type TokenPlaces = {
  readonly location: { readonly hash: string; readonly pathname: string };
  readonly history: { readonly replaceState: (state: null, title: string, url: string) => void };
  readonly sessionStorage: Pick<Storage, "getItem" | "setItem">;
};

/**
 * The token that the link had. It is taken out of the address at once, where people copy links from, and kept for this window
 * alone, so that it can be loaded again. Null where the page was opened without one.
 */
export function takeToken({ location, history, sessionStorage }: TokenPlaces): string | null {
  const [, token] = /^#token=([\w-]{16,128})$/.exec(location.hash) ?? [];
  if (token === undefined) return sessionStorage.getItem(KEY);
  sessionStorage.setItem(KEY, token);
  history.replaceState(null, "", location.pathname);
  return token;
}
