import { type CheckedDesign, checkedDesign } from "../../../app/spec/decompose/check-design.ts";
import {
  correctDesign,
  type DesignOutcome,
  designRounds,
  type Rounds,
} from "../../../app/spec/decompose/design-rounds.ts";
import { withInstalledAgents } from "../../../app/spec/decompose/project-agents.ts";
import { type GoodDesign, isGood } from "../../../app/spec/decompose/write-folder.ts";
import { formatFailure } from "../../../core/select/failure-text.ts";
import { count } from "../../../core/text/figures.ts";
import { plainText } from "../../../core/text/sentence.ts";
import { strictJsonSchema } from "../../../spec/design/json-schema.ts";
import { exitCodes } from "../../exit-codes.ts";
import { printDiagnostics } from "../../plan-file.ts";
import { type Conversation, converse, limitsFor } from "./converse.ts";
import { type Asked, type DecomposeEnd, NO_END } from "./decompose-end.ts";
import { keepBad, keepGood, listLater, renameFindings } from "./keep-beside.ts";
import type { Correction, Decision, Making, Settled } from "./making.ts";
import { reviewDesign } from "./review-design.ts";

/** Asks a person until the design is accepted, refused or corrected. */
type Review = (checked: GoodDesign, signal: AbortSignal) => Promise<Decision>;

/** From a design that is there, or from none, to one that a person has decided about. The architect is asked only where it has to be. */
export async function settleDesign(
  making: Making,
  given: GoodDesign | null,
): Promise<Settled | DecomposeEnd> {
  // Who brings a design of their own asks no agent.
  const mayCorrect = making.wanted.asksAgent;
  const review: Review = (checked, signal) => reviewDesign(making, checked, { mayCorrect, signal });
  if (given === null) return askArchitect(making, null, review);
  const decision = await reviewDesign(making, given, { mayCorrect });
  if (decision.kind !== "correct") return { ...decision, asked: null };
  return askArchitect(making, decision, review);
}

type Talked = {
  readonly outcome: DesignOutcome;
  /** Null where there is no design to decide about. */
  readonly decision: Exclude<Decision, Correction> | null;
  readonly rounds: number;
};

/**
 * An agent designs, and fixes an invalid design while fixes are left; then a person accepts it or asks for a change. A
 * correction comes first if there is already a design.
 */
async function askArchitect(
  making: Making,
  correction: Correction | null,
  review: Review,
): Promise<Settled | DecomposeEnd> {
  const { repository } = making.decomposition;
  if (repository === null) throw new Error("the agent needs a repository to read");
  const about = { repository, name: "decompose", schema: strictJsonSchema() };
  let last: CheckedDesign | null = correction?.checked ?? null;
  const seen: Review = (checked, signal) => {
    last = checked;
    return review(checked, signal);
  };
  const conversed = await converse(making, about, async (conversation) => {
    const decomposition = await withInstalledAgents(making.host, making.decomposition, conversation.agent);
    return talk({ ...making, decomposition }, conversation, correction, seen);
  });
  const { ended, spent } = conversed;
  if (ended !== null) {
    const asked = spent === null ? null : { ...spent, rounds: conversed.result?.rounds ?? 0 };
    // A valid design that was shown is kept.
    const kept = last === null ? [] : await keepGood(making, last, spent?.conversation ?? null);
    return { ...NO_END, exit: ended, problem: ENDED, asked, kept, next: listLater(making, kept) };
  }
  const { outcome, decision, rounds } = conversed.result;
  const asked = { ...conversed.spent, rounds };
  return decision === null ? noDesign(making, outcome, asked) : { ...decision, asked };
}

const DESIGN = "design.json";
const ENDED = { message: "interrupted; nothing was written", hint: null };

async function talk(
  making: Making,
  conversation: Conversation,
  correction: Correction | null,
  review: Review,
): Promise<Talked> {
  const { decomposition } = making;
  const { ask, pause, signal } = conversation;
  let wanted = correction;
  // The conversation of the architect no longer matches the design.
  let isForgotten = true;
  for (let asked = 0; ; ) {
    const begins =
      wanted === null ? `is splitting ${decomposition.techSpecId} into tasks` : "is changing the design";
    const rounds = buildRounds(making, conversation, begins);
    const outcome: DesignOutcome =
      wanted === null
        ? await designRounds(decomposition, ask, rounds)
        : await correctDesign(decomposition, isForgotten ? (one) => ask({ ...one, more: null }) : ask, {
            ...{ current: wanted.checked, sentence: wanted.sentence, ...rounds },
          });
    asked += outcome.rounds;
    const good =
      findValidDesign(outcome) ?? (wanted !== null && isGood(wanted.checked) ? wanted.checked : null);
    if (good !== findValidDesign(outcome) && good !== null)
      conversation.say(`The design is unchanged: ${formatNoDesign(making, outcome)}`);
    await pause();
    if (good === null || signal.aborted) return { outcome, decision: null, rounds: asked };
    const decision = await review(good, signal);
    if (decision.kind !== "correct") return { outcome, decision, rounds: asked };
    wanted = decision;
    isForgotten = decision.isEdited;
  }
}

function buildRounds(
  { host, wanted, decomposition }: Making,
  conversation: Conversation,
  begins: string,
): Rounds {
  const { agent, say, signal } = conversation;
  return {
    most: wanted.rounds,
    caps: wanted.caps,
    check: (text) =>
      checkedDesign(
        host,
        { file: DESIGN, text },
        { decomposition, caps: wanted.caps, isAsked: true, signal },
      ),
    onRound: (n, errors) => {
      const again = `fixing ${count(errors.length, "error")} in the design, fix ${n - 1} of ${wanted.rounds}`;
      say(n === 1 ? `${agent} ${begins}` : again);
    },
  };
}

function findValidDesign({ checked, errors, failure }: DesignOutcome): GoodDesign | null {
  return failure === null && errors.length === 0 && checked !== null && isGood(checked) ? checked : null;
}

/** Why there is no design, or no other one. */
function formatNoDesign(making: Making, { errors, words, failure, again }: DesignOutcome): string {
  if (failure !== null) return plainText(formatFailure(failure, limitsFor(making)));
  if (words !== null) return formatAnswer(words);
  const same = again ? ", the same as before" : "";
  return `${count(errors.length, "error")} after ${count(making.wanted.rounds, "fix attempt")}${same}`;
}

async function noDesign(making: Making, outcome: DesignOutcome, asked: Asked): Promise<DecomposeEnd> {
  const { request, wanted } = making;
  const { checked, words, failure, again } = outcome;
  const kept = checked === null ? [] : await keepBad(making, checked, asked.conversation);
  const named = checked === null ? null : renameFindings(checked, kept[0] ?? DESIGN);
  if (named !== null) printDiagnostics(named.diagnostics, named.sources, request, kept[0] ?? DESIGN);
  const same = again ? ", the same as before" : "";
  const counted = count(checked?.errors.length ?? 0, "error");
  const errors =
    wanted.rounds === 0
      ? `the design has ${counted}`
      : `the design still has ${counted} after ${count(wanted.rounds, "fix attempt")}${same}`;
  const why = failure === null && words === null ? null : formatNoDesign(making, outcome);
  const message = why === null ? errors : `${asked.agent} returned no valid design: ${why}`;
  const hint =
    kept.length === 0
      ? `read the conversation: ${asked.conversation}`
      : `fix ${kept[0]}, then: ${listLater(making, kept)[0]}; or allow more fixes: --rounds`;
  return {
    ...NO_END,
    exit: exitCodes.incomplete,
    ...{ asked, kept, findings: named?.diagnostics ?? [], problem: { message, hint } },
  };
}

/** The first line is enough; the record has the rest. */
function formatAnswer(words: string): string {
  const line = (words.trim().split("\n", 1)[0] ?? "").trim();
  if (line === "") return "no answer";
  return `its answer: ${line.length > LONGEST_WORDS ? `${line.slice(0, LONGEST_WORDS)}…` : line}`;
}

const LONGEST_WORDS = 200;
