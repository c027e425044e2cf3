// A gate that the user knows to be red is not asked to be green: it is compared with what it was on the base. Checks that failed
// there may fail again; one that fails besides is new, and is the task's.

import type { GateJudged } from "../../core/facts.ts";
import type { TextHash } from "../../core/ids.ts";
import { checkKey } from "../../core/run-index.ts";
import type { RunState } from "../../core/run-state.ts";
import { get } from "../../core/sorted-map.ts";
import type { Want } from "../../core/want.ts";
import type { Verdict } from "../../gates/run-gate.ts";
import type { RunContext } from "./run-context.ts";

type Judged = {
  readonly want: Extract<Want, { kind: "gate" }>;
  readonly verdict: Verdict;
};

type Compared = Pick<GateJudged, "verdict" | "how" | "reference" | "tries" | "durationMs" | "summary">;

export async function putFailures(
  { folder, masker }: RunContext,
  failed: readonly string[] | null,
): Promise<TextHash | null> {
  if (failed === null || failed.length === 0) return null;
  return folder.putText(masker.text(failed.join("\n")));
}

/** Null where the verdict stands as it is. */
export async function asKnown(site: RunContext, state: RunState, judged: Judged): Promise<Compared | null> {
  const { want, verdict } = judged;
  const before = get(state.redOnBase, checkKey(want.check));
  if (verdict.verdict === "green" || !want.check.gate.knownRed || before === undefined) return null;
  if (want.asked.some(({ kind }) => kind === "base") || !verdict.isWhole) return null;
  const { tries, durationMs } = verdict;
  const how = { how: "no-new-failures", reference: state.base.tree } as const;
  const accepted = { tries, durationMs, verdict: "green", ...how } as const;
  const known = before.failures === null ? null : await site.folder.text(before.failures);
  if (known === null) {
    // Without single checks of the base commit, new failures cannot be recognized.
    return { ...accepted, summary: "known red; it does not report which of its checks fail" };
  }
  if (verdict.failed === null || verdict.failed.length === 0) return null;
  const old = new Set(known.split("\n"));
  const added = verdict.failed.filter((name) => !old.has(site.masker.text(name)));
  if (added.length === 0)
    return { ...accepted, summary: `${verdict.failed.length} of its checks fail, all known red` };
  const shown = added.slice(0, MOST_SHOWN).join(", ");
  const more = added.length > MOST_SHOWN ? ` and ${added.length - MOST_SHOWN} more` : "";
  const summary = `${added.length} of its checks fail and are not known red: ${site.masker.text(shown)}${more}`;
  return { tries, durationMs, verdict: "red", how: "ran", reference: null, summary };
}

const MOST_SHOWN = 5;
