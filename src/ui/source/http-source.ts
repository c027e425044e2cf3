import { type Source, SourceError } from "./source.ts";

/** Everything from the server that the page was loaded from. */
export function httpSource(): Source {
  throw new SourceError("not yet", "");
}
