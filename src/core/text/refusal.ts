import type { RunId } from "../ids.ts";
import type { TaskPhase } from "../run-state.ts";
import { plait } from "./command.ts";
import { fix, plainText, type Sentence, sentence } from "./sentence.ts";

/** Why a request cannot be carried out: what is wrong, lower-case and without a period, and what to do about it. */
export type UserRefusal = { readonly message: string; readonly hint: Sentence | null };

export const refuseCommand = (message: string, hint: Sentence | null = null): UserRefusal => ({
  message,
  hint,
});

export const refuseEnded = (run: RunId): UserRefusal =>
  refuseCommand(`${run} has ended`, fix("resume it", plait("resume", run)));

/** On one line, where there is no room for two. */
export const formatRefusal = ({ message, hint }: UserRefusal): string =>
  hint === null ? message : plainText(sentence`${message}; ${hint}`);

/** The phases of a task in words; facts and state keep their own names. */
export const formatPhase = (kind: TaskPhase["kind"]): string => WORDS[kind] ?? kind;

const WORDS: { readonly [Kind in TaskPhase["kind"]]?: string } = {
  active: "running",
  backoff: "retrying",
  parked: "paused",
  cancelled: "dropped",
};
