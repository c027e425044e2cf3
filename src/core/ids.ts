/**
 * Ids are not strings: each is branded, and the functions here are the only ones that make them.
 * Whatever holds a TaskId may put it into a ref name, a folder name or an argv without another check.
 */
declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Names a task of a plan; unique in the plan without regard to case. */
export type TaskId = Branded<"TaskId">;
/** Names a run; part of ref and folder names. */
export type RunId = Branded<"RunId">;
/** Names one attempt of one task, never reused; also the fence against late workers. */
export type AttemptId = Branded<"AttemptId">;
/** A full git object name (commit or tree). */
export type Oid = Branded<"Oid">;
/** A full ref name, such as refs/heads/main. Short names are for display only. */
export type RefName = Branded<"RefName">;
/** Names a group whose members share a limit. */
export type GroupName = Branded<"GroupName">;
/** Vendor, account and model whose limits several tasks share. */
export type AccountKey = Branded<"AccountKey">;
/** What a gate executes: two gates with one key are one check. */
export type GateKey = Branded<"GateKey">;
/** How a tree is prepared before a gate or an agent sees it. */
export type PreparationKey = Branded<"PreparationKey">;
/** SHA-256 (hex) of a text that lies in the run folder. */
export type TextHash = Branded<"TextHash">;

/** Either the id, or what is wrong with the text, as the end of a sentence that begins with the text. */
export type IdResult<Id> =
  | { readonly ok: true; readonly id: Id }
  | { readonly ok: false; readonly problem: string };

const MAX_NAME_LENGTH = 64;

export const parseTaskId = (text: string): IdResult<TaskId> => parseName(text);
export const parseGroupName = (text: string): IdResult<GroupName> => parseName(text);
export const parseRunId = (text: string): IdResult<RunId> => parseName(text);

/** The n-th attempt of a task, counted from 1 over the whole run. */
export function attemptId(task: TaskId, n: number): AttemptId {
  return `${task}/${n}` as AttemptId;
}

export function splitAttemptId(attempt: AttemptId): { readonly task: TaskId; readonly n: number } {
  const slash = attempt.lastIndexOf("/");
  return { task: attempt.slice(0, slash) as TaskId, n: Number(attempt.slice(slash + 1)) };
}

/** Takes what git printed; anything else is a bug of the caller. */
export function oid(text: string): Oid {
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)) throw new Error(`not a git object name: ${quote(text)}`);
  return text as Oid;
}

export function refName(text: string): RefName {
  if (!/^refs\/[^\s~^:?*[\\]+$/.test(text)) throw new Error(`not a full ref name: ${quote(text)}`);
  return text as RefName;
}

export function accountKey(parts: { vendor: string; account: string; model: string }): AccountKey {
  return JSON.stringify([parts.vendor, parts.account, parts.model]) as AccountKey;
}

export function textHash(hex: string): TextHash {
  if (!/^[0-9a-f]{64}$/.test(hex)) throw new Error(`not a SHA-256: ${quote(hex)}`);
  return hex as TextHash;
}

/** For core/plan.ts, which knows what belongs into the key. */
export const gateKeyFrom = (canonical: string): GateKey => canonical as GateKey;
export const preparationKeyFrom = (canonical: string): PreparationKey => canonical as PreparationKey;

/** One rule for all names that reach refs, folders and command lines: safe in each without quoting. */
function parseName<Id extends string>(text: string): IdResult<Id> {
  const problem = nameProblem(text);
  return problem === null ? { ok: true, id: text as Id } : { ok: false, problem };
}

function nameProblem(text: string): string | null {
  if (text === "") return "is empty";
  if (text.length > MAX_NAME_LENGTH) return `has ${text.length} characters, the limit is ${MAX_NAME_LENGTH}`;
  const bad = /[^A-Za-z0-9._-]/u.exec(text);
  if (bad)
    return `contains ${bad[0] === " " ? "a space" : quote(bad[0])}; use letters A-Z and a-z, digits, "_" and "-"`;
  if (!/^[A-Za-z0-9]/.test(text))
    return `starts with ${quote(text.charAt(0))}; it must start with a letter a-z or a digit`;
  if (text.includes("..")) return 'contains ".."';
  if (text.endsWith(".")) return 'ends with "."';
  if (/\.lock$/i.test(text)) return 'ends with ".lock", which git reserves';
  return null;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
