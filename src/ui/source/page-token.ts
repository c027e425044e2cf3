const KEY = "plait-token";

/** The parts of a browser that are needed. */
export type TokenPlaces = {
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

export function keepToken(places: Pick<TokenPlaces, "sessionStorage">, token: string): void {
  orNull(() => places.sessionStorage.setItem(KEY, token));
}

function orNull<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}
