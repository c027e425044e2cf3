import type { CutText } from "../../../report/page/wire.ts";

/**
 * The log for a person who reads in it: of one over its cap the middle goes while more is printed, and all below would move under
 * their eyes. So they keep what they have until they follow again; lines that are only added come at once.
 */
export function stillLog(seen: CutText, newest: CutText, isReading: boolean): CutText {
  return isReading && !newest.text.startsWith(seen.text) ? seen : newest;
}
