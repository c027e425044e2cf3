// What may be asked through the control socket. The text comes from another process, perhaps of another version, so every field is
// looked at, a field too many is refused like one too few, and the command that goes on is made anew: nothing of the parsed
// object (a "__proto__" among its keys) reaches the core.

import type { RunCommand, TakeOverKind } from "../../core/decide.ts";
import type { StopMode } from "../../core/facts.ts";
import { parseTaskId } from "../../core/ids.ts";

/**
 * The commands that another process may send. Not `revise`: it carries a whole plan, which only formats/ and analyze make
 * and vouch for. A plan from a socket could not be trusted without doing their work again, and may be larger than a request.
 * Nor `redo`, whose briefs are files of the run folder by then.
 */
export type ControlCommand = Exclude<RunCommand, { kind: TakeOverKind }>;

export type ParsedCommand =
  | { readonly ok: true; readonly command: ControlCommand }
  /** A sentence for the one who asked. */
  | { readonly ok: false; readonly problem: string };

/** What is wrong with a value, as the end of a sentence that begins with the field's name; null when nothing is. */
type Check = (value: unknown) => string | null;
type Field = { readonly check: Check; readonly optional?: true };

type FieldsOf<K extends ControlCommand["kind"]> = {
  readonly [F in Exclude<keyof Extract<ControlCommand, { kind: K }>, "kind">]-?: Field;
};

const MAX_TEXT = 4096;

const task: Field = { check: taskProblem };
/** A record and not a list, so that the compiler misses no mode. */
const MODES: { readonly [M in StopMode]: true } = { drain: true, stop: true, kill: true };

/** A table over all kinds and all their fields, so that the compiler misses none. */
const FIELDS: { readonly [K in ControlCommand["kind"]]: FieldsOf<K> } = {
  stop: {
    mode: { check: oneOfProblem(Object.keys(MODES)) },
    signal: { check: signalProblem, optional: true },
  },
  pause: {},
  unpause: {},
  resize: { slots: { check: (value) => (Number.isSafeInteger(value) ? null : "must be an integer") } },
  "keep-worktrees": {},
  "allow-red-base": {},
  land: {
    as: { check: oneOfProblem(["rebase", "merge", "squash"]), optional: true },
    sign: { check: setProblem, optional: true },
    signoff: { check: setProblem, optional: true },
    draft: { check: setProblem, optional: true },
    reviewers: { check: namesProblem, optional: true },
    labels: { check: namesProblem, optional: true },
    publish: { check: oneOfProblem(["no", "push", "pull-request", "pull-request-per-task"]), optional: true },
    target: { check: branchProblem, optional: true },
  },
  cancel: { task },
  retry: { task, now: { check: flagProblem, optional: true } },
  "retry-now": {},
  hold: { task, why: { check: textProblem } },
  approve: { task },
  open: { task },
  accept: { task },
  undo: {},
};

export function parseCommand(value: unknown): ParsedCommand {
  if (!isPlainObject(value)) return refuse("a command must be an object");
  const kind = ownField(value, "kind");
  if (kind === "revise")
    return refuse(
      "cannot change the plan while the run is running: stop it, then resume it with the new plan",
    );
  if (typeof kind !== "string" || !Object.hasOwn(FIELDS, kind)) {
    return refuse(`unknown command ${quote(kind)}; known: ${Object.keys(FIELDS).join(", ")}`);
  }
  const fields: { readonly [name: string]: Field } = FIELDS[kind as ControlCommand["kind"]];
  const command: { [name: string]: unknown } = { kind };
  for (const name of Object.keys(value)) {
    if (name !== "kind" && !Object.hasOwn(fields, name)) {
      return refuse(`unknown field ${quote(name)} of ${kind}`);
    }
  }
  for (const [name, { check, optional }] of Object.entries(fields)) {
    if (!Object.hasOwn(value, name)) {
      if (optional) continue;
      return refuse(`${kind} needs the field "${name}"`);
    }
    const problem = check(value[name]);
    if (problem !== null) return refuse(`"${name}" of ${kind} ${problem}`);
    // A string, a number, a boolean or a list of strings: the checks let nothing else through.
    command[name] = Array.isArray(value[name]) ? [...value[name]] : value[name];
  }
  return { ok: true, command: command as ControlCommand };
}

/** Never what an object only inherits. */
export function ownField(value: { readonly [name: string]: unknown }, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isPlainObject(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function signalProblem(value: unknown): string | null {
  return typeof value === "string" && /^SIG[A-Z0-9]{1,16}$/.test(value) ? null : "must be a signal's name";
}

function taskProblem(value: unknown): string | null {
  if (typeof value !== "string") return "must be the id of a task";
  const parsed = parseTaskId(value);
  return parsed.ok ? null : parsed.problem;
}

function oneOfProblem(words: readonly string[]): Check {
  return (value) =>
    typeof value === "string" && words.includes(value) ? null : `must be one of ${words.join(", ")}`;
}

function flagProblem(value: unknown): string | null {
  return typeof value === "boolean" ? null : "must be true or false";
}

/** As a flag: it is given, or left out. */
function setProblem(value: unknown): string | null {
  return value === true ? null : "must be true";
}

const MOST_NAMES = 100;

function namesProblem(value: unknown): string | null {
  if (!Array.isArray(value)) return "must be a list";
  if (value.length > MOST_NAMES) return `has ${value.length} entries, the limit is ${MOST_NAMES}`;
  return value.map(textProblem).find((problem) => problem !== null) ?? null;
}

function branchProblem(value: unknown): string | null {
  const isBranch = typeof value === "string" && /^refs\/heads\/[^\0\s]{1,1000}$/.test(value);
  return isBranch ? null : "must be the full name of a branch";
}

function textProblem(value: unknown): string | null {
  if (typeof value !== "string" || value === "") return "must be a string";
  if (value.length > MAX_TEXT) return `has ${value.length} characters, the limit is ${MAX_TEXT}`;
  return value.includes("\0") ? "contains a NUL character" : null;
}

function refuse(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

/** Only texts are shown, and not all of a long one: an answer must not grow with what somebody sent. */
function quote(value: unknown): string {
  if (typeof value !== "string") return value === undefined ? "nothing" : `a ${typeof value}`;
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
}
