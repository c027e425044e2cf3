import type { EpochMs } from "../facts.ts";
import type { AccountKey } from "../ids.ts";
import { isOverBudget, landingRevision, staysOnIntegration } from "../landing.ts";
import { isLimited } from "../queries.ts";
import type { RunAction } from "../run-action.ts";
import { taskAt } from "../run-index.ts";
import type { AccountLimit, RunState } from "../run-state.ts";
import { entries } from "../sorted-map.ts";
import { baseGate, redBaseText } from "./base-words.ts";
import { endWords } from "./end-words.ts";
import { limitText } from "./failure-text.ts";
import { agentOf } from "./needs-you.ts";
import { type OfferOptions, offered, offers } from "./offers.ts";
import { count } from "./preview/words.ts";
import { dollars, shortRef } from "./run-words.ts";
import { capital, dotted } from "./sentences.ts";
import { stoppingText } from "./stopping-text.ts";
import type { Ball, TaskRow } from "./task-rows.ts";

/** What holds for the run as a whole just now, on one line: who, why, until when, and one thing to do about it. */
export type RunBanner = {
  readonly ball: Ball;
  readonly text: string;
  /** When it will be looked at again. */
  readonly until: EpochMs | null;
  readonly action: RunAction | null;
};

type Look = {
  readonly now: EpochMs;
  readonly isDriven: boolean;
  readonly rows: readonly TaskRow[];
  /** How a stop becomes a harder one, where whoever looks can make it so by a key. */
  readonly harder?: string;
};

/** The gravest first; null where there is nothing to say. */
export function runBanner(state: RunState, look: Look): RunBanner | null {
  if (state.ended !== null) return ofEnd(state, look);
  if (!look.isDriven) return ofCutOff(state);
  return (
    ofUndo(state) ??
    ofStop(state, look.harder) ??
    ofAccounts(state, look.now) ??
    ofHeldTasks(state, look) ??
    ofWork(state)
  );
}

const banner = (ball: Ball, text: string, action: RunAction | null = null): RunBanner => ({
  ball,
  text,
  until: null,
  action,
});

function ofEnd(state: RunState, { rows }: Look): RunBanner {
  const actions = offers(state, null, { isDriven: false });
  const { outcome } = state.ended ?? { outcome: "complete" };
  const { verdict, text } = endWords(state, rows, { outcome });
  const told = `${capital(verdict)}${text.startsWith("  ") ? `: ${text.trim()}` : text}.`;
  const [resume, land, undo] = [
    offered(actions, "resume"),
    offered(actions, "land"),
    offered(actions, "undo"),
  ];
  // What others look at already does not land here beside it.
  if (outcome === "complete")
    return banner("done", told, undo ?? (state.published.kind === "published" ? null : land));
  const held = outcome === "held" ? ofHeldTasks(state, { isDriven: false }) : null;
  if (held !== null) return banner("you", `${told} ${held.text}`, held.action ?? resume ?? land);
  const why = whyEnded(state);
  const next = outcome === "not-landed" ? land : (resume ?? land ?? undo);
  return banner(ballAtEnd(state, rows), why === null ? told : `${told} ${dotted(why)}`, next);
}

/** Who takes a landing back has what they wanted: it waits for nobody, if no task does. */
function ballAtEnd({ landing }: RunState, rows: readonly TaskRow[]): Ball {
  return landing.kind === "undone" && !rows.some(({ ball }) => ball === "you") ? "later" : "you";
}

/** What the counts do not say: what stood in the way, and what goes on from there. */
function whyEnded(state: RunState): string | null {
  const { landing, held, ended, run, policy } = state;
  if (landing.kind === "refused") return capital(landing.detail);
  if (held !== null) return capital(held);
  if (ended?.outcome === "red-base") return redBaseText(state);
  if (ended?.outcome !== "over-budget") return null;
  const budget = policy.budgetUsd ?? 0;
  return `${dollars(state.spentUsd)} of ${dollars(budget)} is spent; with more it goes on: \`plait resume ${run} --budget-usd ${2 * budget}\``;
}

function ofCutOff(state: RunState): RunBanner {
  const text = "Nobody drives this run. Nothing is lost: it goes on where it stopped.";
  return banner("you", text, offered(offers(state, null, { isDriven: false }), "resume"));
}

/** Before the stop that such a run may have: it was taken up for this alone. */
function ofUndo({ undoAsked, target }: RunState): RunBanner | null {
  return undoAsked
    ? banner("plait", `Taking the landing back from ${shortRef(target ?? "its branch")}.`)
    : null;
}

function ofStop(state: RunState, harder = ""): RunBanner | null {
  const { held, stopping, landing, paused } = state;
  const actions = offers(state, null, { isDriven: true });
  if (held !== null) return banner("you", `Held: ${dotted(held)}`);
  if (stopping !== null)
    return banner("clock", stoppingText(state, stopping, harder), offered(actions, "stop"));
  if (landing.kind === "refused")
    return banner("you", `Not landed: ${dotted(landing.detail)}`, offered(actions, "land"));
  if (paused)
    return banner("clock", "Paused: what runs goes on, nothing starts.", offered(actions, "unpause"));
  return null;
}

/** Limits that stop whole agents and that a person may have to see to; a usage limit is told where nothing else goes on. */
function ofAccounts(state: RunState, now: EpochMs): RunBanner | null {
  const { active, queued, parked } = state.indices.phases;
  const limits = [...entries(state.accounts)].filter(([, limit]) => isLimited(limit, now));
  const gravest =
    limits.find(([, { why }]) => PERSONS.has(why)) ?? (active + queued === 0 ? limits[0] : undefined);
  if (gravest === undefined || parked === 0) return null;
  const [account, limit] = gravest;
  const who = limitText(agentOf(state, account as AccountKey), limit.why);
  return {
    ...banner(
      PERSONS.has(limit.why) ? "you" : "clock",
      `${who}: ${waiting(parked)}${ADVICE[limit.why] ?? ""}`,
    ),
    until: limit.until > now ? limit.until : null,
  };
}

const PERSONS: ReadonlySet<AccountLimit["why"]> = new Set(["auth", "billing", "network"]);

const ADVICE: { readonly [W in AccountLimit["why"]]?: string } = {
  auth: " Log in; it is looked at again by itself.",
  billing: " See to the account; it is looked at again by itself.",
};

const waiting = (parked: number): string =>
  `${count(parked, "task")} ${parked === 1 ? "waits" : "wait"}, and no retry is charged.`;

function ofHeldTasks(state: RunState, { isDriven }: OfferOptions): RunBanner | null {
  if (state.indices.phases.held === 0) return null;
  const held = [...entries(state.tasks)].flatMap(([i, { phase }]) =>
    phase.kind === "held" ? [{ task: taskAt(state.index, i).id, why: phase.why }] : [],
  );
  const [first] = held;
  if (first === undefined) return null;
  const actions = offers(state, first.task, { isDriven });
  const action = offered(actions, "accept") ?? offered(actions, "approve");
  const more = held.length === 1 ? "" : ` ${held.length - 1} more ${held.length === 2 ? "does" : "do"}.`;
  return banner("you", `${first.task} waits for you: ${dotted(first.why)}${more}`, action);
}

function ofWork(state: RunState): RunBanner | null {
  const target = shortRef(state.target ?? "");
  if (isOverBudget(state)) {
    const budget = dollars(state.policy.budgetUsd ?? 0);
    return banner("you", `Budget spent: ${dollars(state.spentUsd)} of ${budget}. No new attempt starts.`);
  }
  const gate = baseGate(state);
  if (gate !== null) return banner("plait", `Checking the base first: gate ${gate}.`);
  if (state.landing.kind === "built")
    return banner("plait", `${target} has moved. Both are joined and judged again before the run lands.`);
  if (landingRevision(state) === null) return null;
  if (staysOnIntegration(state))
    return banner("plait", `Checking what is merged; it stays on plait/${state.run}/integration.`);
  return banner("plait", `Landing on ${target}.`);
}
