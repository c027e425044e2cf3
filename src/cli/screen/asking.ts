import type { RunAction } from "../../core/decide.ts";
import type { TaskId } from "../../core/ids.ts";
import type { RunState } from "../../core/run-state.ts";
import { formatAction } from "../../core/select/action-text.ts";
import { offers } from "../../core/select/offers.ts";
import type { TaskRow } from "../../core/select/task-rows.ts";
import { quoted } from "../../core/text/figures.ts";
import { plainText, sentence } from "../../core/text/sentence.ts";
import type { Asking, ScreenMessage } from "./ui.ts";

/** What a key leads to: a question, a request that only the driver can answer, or words. */
export type Wish =
  | { readonly kind: "ask"; readonly asking: Asking; readonly task: TaskId | null }
  | { readonly kind: "act"; readonly action: RunAction }
  | { readonly kind: "tell"; readonly told: ScreenMessage };

export type WishKey = "r" | "R" | "a" | "o" | "p" | "P" | "s" | "S" | "L";

export const isWishKey = (key: string): key is WishKey => /^[rRaopPsSL]$/.test(key);

const DRIVEN = { isRunning: true };

type Seen = { readonly state: RunState; readonly rows: readonly TaskRow[] };

/** Of the task, where the key is about one; without one, of the first that it makes sense for. */
export function resolveKeyAction(key: WishKey, task: TaskId | null, { state, rows }: Seen): Wish {
  if (key === "r") return ofTask(["retry"], task, { state, rows });
  if (key === "a") return ofTask(["approve", "accept"], task, { state, rows });
  if (key === "o") return ofTask(["open"], task, { state, rows });
  const ofRun = offers(state, null, DRIVEN);
  if (key === "R") return oneOf(ofRun, ["retry-now"], state) ?? tell("no task is paused by a limit");
  if (key === "L")
    return (
      oneOf(ofRun, ["land"], state) ?? tell("nothing can land now: tasks are running, or nothing is merged")
    );
  if (key === "p" || key === "P")
    return oneOf(ofRun, ["pause", "unpause"], state) ?? tell("the run is stopping: no new attempts start");
  return stopWish(ofRun, state);
}

type TaskKind = "retry" | "approve" | "accept" | "open";

function ofTask(kinds: readonly TaskKind[], task: TaskId | null, { state, rows }: Seen): Wish {
  // What needs a person comes first here as everywhere.
  const needy = [...rows].sort((a, b) => Number(b.actor === "you") - Number(a.actor === "you"));
  const among = task === null ? needy.map((row) => row.task) : [task];
  for (const id of among) {
    const found = oneOf(offers(state, id, DRIVEN), kinds, state);
    if (found !== null) return { ...found, task: id };
  }
  const [kind = "retry"] = kinds;
  if (task === null) return tell(`no task to ${kind}`);
  // What makes no sense is refused, and the refusal says why; but an opening might not be.
  if (kind === "open")
    return tell(
      `cannot open ${quoted(task)}: it is ${rows.find((row) => row.task === task)?.status.kind ?? "done"}`,
    );
  return { kind: "act", action: { kind, task } };
}

function oneOf(
  offered: readonly RunAction[],
  kinds: readonly RunAction["kind"][],
  state: RunState,
): Extract<Wish, { kind: "ask" }> | null {
  const action = offered.find(({ kind }) => kinds.includes(kind));
  if (action === undefined) return null;
  const { question, effect } = formatAction(state, action, DRIVEN);
  const asked = { question, effect: plainText(effect), choices: [["enter", "yes"], NO] } as const;
  return { kind: "ask", asking: { asked, does: new Map([["enter", action]]) }, task: null };
}

const NO = ["esc", "no"] as const;

/** The gentle one first; what is harder has a key of its own. */
function stopWish(ofRun: readonly RunAction[], state: RunState): Wish {
  const [first, second] = ofRun.filter(({ kind }) => kind === "stop");
  if (first === undefined) return tell("the run is already stopping");
  const words = formatAction(state, first, DRIVEN);
  if (second === undefined) return oneOf([first], ["stop"], state) as Wish;
  const harder = formatAction(state, second, DRIVEN);
  const effect = plainText(words.effect);
  const otherEffect = plainText(sentence`${harder.verb}: ${harder.effect}`);
  const choices = [["enter", words.verb.toLowerCase()], ["n", harder.verb.toLowerCase()], NO] as const;
  const does = new Map<string, RunAction>([
    ["enter", first],
    ["n", second],
  ]);
  return {
    kind: "ask",
    asking: { asked: { question: words.question, effect, otherEffect, choices }, does },
    task: null,
  };
}

const tell = (text: string): Wish => ({ kind: "tell", told: { text, style: "yellow" } });
