import type { RunState } from "../run-state.ts";
import { plait } from "./command.ts";
import { fix, plainText, type Sentence, sentence } from "./sentence.ts";

/** Why a request cannot be carried out: what is wrong, lower-case and without a period, and what to do about it. */
export type UserRefusal = { readonly message: string; readonly hint: Sentence | null };

export const refuseCommand = (message: string, hint: Sentence | null = null): UserRefusal => ({
  message,
  hint,
});

export const refuseEnded = ({ run, ended }: Pick<RunState, "run" | "ended">): UserRefusal =>
  refuseCommand(
    `${run} has ended`,
    ended?.outcome === "complete" ? null : fix("resume it", plait("resume", run)),
  );

/** On one line, where there is no room for two. */
export const formatRefusal = ({ message, hint }: UserRefusal): string =>
  hint === null ? message : plainText(sentence`${message}; ${hint}`);
