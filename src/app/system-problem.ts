import { errnoOf } from "../util/errno.ts";

/** What to do about a limit of the machine that a call met; null where the error is not one. */
export const findSystemHint = (error: unknown): string | null => HINTS[errnoOf(error) ?? ""] ?? null;

export const FREE_SPACE = "free disk space, then run the command again; to see what is full: df -h";
export const RAISE_LIMITS = "end other programs, or raise the limits: ulimit -a";
export const MAKE_WRITABLE =
  "make the folder writable, then run the command again; to see its permissions: ls -ld .git";

const HINTS: { readonly [errno: string]: string } = {
  ENOSPC: FREE_SPACE,
  EDQUOT: FREE_SPACE,
  EMFILE: RAISE_LIMITS,
  ENFILE: RAISE_LIMITS,
  EAGAIN: RAISE_LIMITS,
  ENOMEM: RAISE_LIMITS,
  EROFS: MAKE_WRITABLE,
};
