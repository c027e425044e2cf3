// Why a lock was not given: a union by reason. Each refusal names the holder as far as it is known, and says what to type.

import { quote } from "./failure.ts";
import type { Holder } from "./holder.ts";

/** One reason why somebody else has the lock, or has to be taken to have it. */
export type LockRefusal = { readonly path: string; readonly message: string; readonly hint: string } & (
  | { readonly reason: "held"; readonly holder: Holder }
  /** Its holder is dead, and `breaker` is taking it over at this moment. */
  | { readonly reason: "being-broken"; readonly holder: Holder; readonly breaker: Holder }
  /** Whether its holder lives cannot be seen from here: it is taken to live. */
  | { readonly reason: "unknown"; readonly holder: Holder }
  /** The file does not say who holds it. */
  | { readonly reason: "unreadable" }
);

type Refused = { readonly ok: false; readonly refusal: LockRefusal };

const refused = (refusal: LockRefusal): Refused => ({ ok: false, refusal });
const waitOrKill = ({ pid }: Holder): string => `wait for it to end, or end it: kill ${pid}`;

export const refuse = {
  held: (path: string, holder: Holder): Refused => {
    const message = `${path} is held by ${describe(holder)}`;
    return refused({ reason: "held", path, holder, message, hint: waitOrKill(holder) });
  },
  unknown: (path: string, holder: Holder, because: string): Refused => {
    const message = `${path} is held by ${describe(holder)}; unclear if it is still running: ${because}`;
    const hint = `if it has ended, remove the lock: rm ${quote(path)}`;
    return refused({ reason: "unknown", path, holder, message, hint });
  },
  unreadable: (path: string, because: string): Refused => {
    const message = `the holder of ${path} is unknown: ${because}`;
    const hint = `if no plait is running, remove the lock: rm ${quote(path)}`;
    return refused({ reason: "unreadable", path, message, hint });
  },
  /** The right to break was refused: by a breaker that lives, or by a file that only a person can judge. */
  beingBroken: (path: string, holder: Holder, right: LockRefusal): Refused => {
    if (right.reason !== "held") return refused(right);
    const message = `${path} is being acquired by ${describe(right.holder)}`;
    const breaking = { breaker: right.holder, hint: waitOrKill(right.holder) };
    return refused({ reason: "being-broken", path, holder, message, ...breaking });
  },
};

function describe({ pid, host, at, command }: Holder): string {
  return `process ${pid} on ${host} since ${at} (${command})`;
}
