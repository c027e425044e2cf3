import { type CheckedDesign, checkedDesign } from "../../../app/spec/decompose/check-design.ts";
import {
  correctDesign,
  type DesignOutcome,
  designRounds,
  type Rounds,
} from "../../../app/spec/decompose/design-rounds.ts";
import { withInstalledAgents } from "../../../app/spec/decompose/installed-agents.ts";
import { type GoodDesign, isGood } from "../../../app/spec/decompose/write-folder.ts";
import { failureText } from "../../../core/select/failure-text.ts";
import { count } from "../../../core/select/preview/words.ts";
import { strictJsonSchema } from "../../../spec/design/json-schema.ts";
import { exitCodes } from "../../exit-codes.ts";
import { tellDiagnostics } from "../../plan-file.ts";
import { type Conversation, converse, limitsFor } from "./converse.ts";
import { type Asked, type DecomposeEnd, NO_END } from "./decompose-end.ts";
import { calledAs, formatNext, keepBad, keepGood } from "./keep-beside.ts";
import type { Correction, Decision, Making, Settled } from "./making.ts";

/** Until somebody has decided about the design. */
export type Review = (checked: GoodDesign, signal: AbortSignal) => Promise<Decision>;

type Talked = {
  readonly outcome: DesignOutcome;
  /** Null where there is no design to decide about. */
  readonly decision: Exclude<Decision, Correction> | null;
  readonly rounds: number;
};

/**
 * An agent designs, as often as its design does not hold and rounds are left; then a person decides, or wants it changed. A correction
 * comes first where there is a design already.
 */
export async function askArchitect(
  making: Making,
  { correction, review }: { readonly correction: Correction | null; readonly review: Review },
): Promise<Settled | DecomposeEnd> {
  const { repository } = making.decomposition;
  if (repository === null) throw new Error("an agent needs a repository to look around in");
  const about = { repository, name: "decompose", schema: strictJsonSchema() };
  let last: CheckedDesign | null = correction?.checked ?? null;
  const seen: Review = (checked, signal) => {
    last = checked;
    return review(checked, signal);
  };
  const conversed = await converse(making, about, async (conversation) => {
    const decomposition = await withInstalledAgents(making.host, making.decomposition, conversation.agent);
    return talk({ ...making, decomposition }, conversation, { correction, review: seen });
  });
  const { ended, spent } = conversed;
  if (ended !== null) {
    const asked = spent === null ? null : { ...spent, rounds: conversed.result?.rounds ?? 0 };
    // A design that was shown is not lost because it was to be changed.
    const kept = last === null ? [] : await keepGood(making, last, spent?.conversation ?? null);
    return { ...NO_END, exit: ended, problem: ENDED, asked, kept, next: formatNext(making, kept) };
  }
  const { outcome, decision, rounds } = conversed.result;
  const asked = { ...conversed.spent, rounds };
  return decision === null ? noDesign(making, outcome, asked) : { ...decision, asked };
}

const DESIGN = "design.json";
const ENDED = { message: "ended; nothing was written", hint: null };

async function talk(
  making: Making,
  conversation: Conversation,
  { correction, review }: Parameters<typeof askArchitect>[1],
): Promise<Talked> {
  const { decomposition } = making;
  const { ask, pause, signal } = conversation;
  let wanted = correction;
  // What the architect remembers is not what the design is now.
  let isForgotten = true;
  for (let asked = 0; ; ) {
    const begins =
      wanted === null ? `designs how ${decomposition.techSpecId} is cut into tasks` : "changes the design";
    const rounds = roundsOf(making, conversation, begins);
    const outcome: DesignOutcome =
      wanted === null
        ? await designRounds(decomposition, ask, rounds)
        : await correctDesign(decomposition, isForgotten ? (one) => ask({ ...one, more: null }) : ask, {
            ...{ current: wanted.checked, sentence: wanted.sentence, ...rounds },
          });
    asked += outcome.rounds;
    const good = goodOne(outcome) ?? (wanted !== null && isGood(wanted.checked) ? wanted.checked : null);
    if (good !== goodOne(outcome) && good !== null)
      conversation.say(`The design is as before: ${whyNone(making, outcome)}`);
    await pause();
    if (good === null || signal.aborted) return { outcome, decision: null, rounds: asked };
    const decision = await review(good, signal);
    if (decision.kind !== "correct") return { outcome, decision, rounds: asked };
    wanted = decision;
    isForgotten = decision.isEdited;
  }
}

function roundsOf(
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
      const again = `the design goes back with ${count(errors.length, "error")}, round ${n - 1} of ${wanted.rounds}`;
      say(n === 1 ? `${agent} ${begins}` : again);
    },
  };
}

function goodOne({ checked, errors, failure }: DesignOutcome): GoodDesign | null {
  return failure === null && errors.length === 0 && checked !== null && isGood(checked) ? checked : null;
}

/** Why there is no design, or no other one. */
function whyNone(making: Making, { errors, words, failure, again }: DesignOutcome): string {
  if (failure !== null) return failureText(failure, limitsFor(making));
  if (words !== null) return spokenText(words);
  const same = again ? ", the same as in the round before" : "";
  return `${count(errors.length, "error")} after ${count(making.wanted.rounds, "round")} of repair${same}`;
}

async function noDesign(making: Making, outcome: DesignOutcome, asked: Asked): Promise<DecomposeEnd> {
  const { request, wanted } = making;
  const { checked, words, failure, again } = outcome;
  const kept = checked === null ? [] : await keepBad(making, checked, asked.conversation);
  const named = checked === null ? null : calledAs(checked, kept[0] ?? DESIGN);
  if (named !== null) tellDiagnostics(named.diagnostics, named.sources, { request, file: kept[0] ?? DESIGN });
  const same = again ? ", the same as in the round before" : "";
  const counted = count(checked?.errors.length ?? 0, "error");
  const errors =
    wanted.rounds === 0
      ? `the design has ${counted}`
      : `the design still has ${counted} after ${count(wanted.rounds, "round")} of repair${same}`;
  const why = failure === null && words === null ? null : whyNone(making, outcome);
  const message = why === null ? errors : `${asked.agent} gave no design that holds: ${why}`;
  const hint =
    kept.length === 0
      ? `what was said is in ${asked.conversation}`
      : `fix ${kept[0]} and take it: ${formatNext(making, kept)[0]}; or ask again with more --rounds`;
  return {
    ...NO_END,
    exit: exitCodes.incomplete,
    ...{ asked, kept, findings: named?.diagnostics ?? [], problem: { message, hint } },
  };
}

/** A first line is enough to see what it was about; all of it is in the record. */
function spokenText(words: string): string {
  const line = (words.trim().split("\n", 1)[0] ?? "").trim();
  if (line === "") return "it said nothing";
  return `it said: ${line.length > LONGEST_WORDS ? `${line.slice(0, LONGEST_WORDS)}…` : line}`;
}

const LONGEST_WORDS = 200;
