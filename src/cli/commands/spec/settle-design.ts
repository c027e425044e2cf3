import type { GoodDesign } from "../../../app/spec/decompose/write-folder.ts";
import { askArchitect, type Review } from "./ask-architect.ts";
import type { DecomposeEnd } from "./decompose-end.ts";
import type { Making, Settled } from "./making.ts";
import { reviewDesign } from "./review-design.ts";

/** From a design that is there, or from none, to one that a person has decided about. The architect is asked only where it has to be. */
export async function settleDesign(
  making: Making,
  given: GoodDesign | null,
): Promise<Settled | DecomposeEnd> {
  // Who brings a design of their own asks no agent.
  const mayCorrect = making.wanted.asksAgent;
  const review: Review = (checked, signal) => reviewDesign(making, checked, { mayCorrect, signal });
  if (given === null) return askArchitect(making, { correction: null, review });
  const decision = await reviewDesign(making, given, { mayCorrect });
  if (decision.kind !== "correct") return { ...decision, asked: null };
  return askArchitect(making, { correction: decision, review });
}
