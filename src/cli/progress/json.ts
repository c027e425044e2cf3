import type { RunView } from "../../app/run-view.ts";
import type { Fact } from "../../core/facts.ts";
import { jsonText } from "../render/json.ts";
import type { Follower, ProgressIo } from "./io.ts";
import { createOutlet } from "./outlet.ts";

/**
 * Facts that nobody has read. They say nothing of what agents print, so a run of thousands of tasks has a few megabytes.
 * A reader that lags further behind gets no more: what it has is the beginning of the journal, without a gap, and the
 * rest is in the journal itself. The last line of a whole stream is `run.ended`.
 */
const MAX_CHARS = 64_000_000;

/** The facts as in the journal, one JSON object a line; `past` are those that came before anybody could listen. */
export function followAsJson(view: RunView, io: ProgressIo, past: Iterable<Fact>): Follower {
  const outlet = createOutlet({ write: io.write, maxChars: MAX_CHARS, onFull: { kind: "stop" } });
  const put = (fact: Fact) => outlet.push(jsonText(fact, { ascii: false, indent: 0 }));
  for (const fact of past) put(fact);
  return {
    // Words for people have no place among facts.
    say: () => undefined,
    close: view.subscribe({ fact: put }),
  };
}
