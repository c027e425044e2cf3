import { failureTails, type RunView } from "../../app/index.ts";
import { findNotices } from "../../core/select/notices.ts";
import type { Glyphs } from "../render/glyphs.ts";
import { githubFailures, type ToldFailures } from "../render/run/tails.ts";

/** Failures as GitHub shows them, each where it happens in the log: a folded group and an annotation. */
export type Annotator = {
  /** Those that were told, so that the end does not tell them again. */
  readonly told: ToldFailures;
  readonly close: () => void;
};

export function annotateFailures(view: RunView, put: (text: string) => void, glyphs: Glyphs): Annotator {
  const told: ToldFailures = new Set();
  let isReading = false;
  let isDue = false;
  let isOver = false;

  /** What failed meanwhile is told by the next round: the texts are read once for all that failed at a time. */
  async function tell(): Promise<void> {
    isDue = true;
    if (isReading) return;
    isReading = true;
    while (isDue && !isOver) {
      isDue = false;
      const state = view.state();
      const tails = await failureTails(view.folder, state).catch(() => null); // the end tries again, and tells what is wrong
      if (tails !== null && !isOver) put(githubFailures(state, tails, { glyphs, told }));
    }
    isReading = false;
  }

  const off = view.subscribe({
    fact: (fact, after, before) => {
      if (findNotices(fact, before, after).some(({ kind }) => kind === "failed")) void tell();
    },
  });
  return {
    told,
    close: () => {
      isOver = true;
      off();
    },
  };
}
