// Tasks that no run has a conversation of, as in a clone: a run of their own, in which each begins with its prompt and its findings.

import type { TextHash } from "../../../core/ids.ts";
import type { Plan, Task } from "../../../core/plan.ts";
import { sha256 } from "../../read-text.ts";
import type { FixAssignment } from "./assign-findings.ts";

export type FixRun = { readonly plan: Plan; readonly texts: ReadonlyMap<TextHash, string> };

/** The plan with only these tasks; what they needed is in the tree. */
export function buildFixRun({ plan, texts }: FixRun, sent: readonly FixAssignment[]): FixRun {
  const ids = new Set(sent.map(({ task }) => task.id));
  const prompts = new Map<TextHash, string>();
  const tasks = sent.map(({ task, brief }): Task => {
    const { work, owns, needs, hears } = task;
    if (work.kind !== "agent") return task;
    const text = `${(texts.get(work.prompt.hash) ?? "").trim()}\n\n${brief}`;
    const prompt = { ...work.prompt, hash: sha256(text), bytes: Buffer.byteLength(text) };
    prompts.set(prompt.hash, text);
    const from = hears?.from.filter((one) => ids.has(one.task)) ?? [];
    return {
      ...task,
      work: { ...work, prompt },
      needs: needs.filter((id) => ids.has(id)),
      hears: hears === null || from.length === 0 ? null : { ...hears, from },
      // What the task was to create exists.
      owns: owns.map((claim) => (claim.mode === "create" ? { ...claim, mode: "any" } : claim)),
    };
  });
  return { plan: { ...plan, tasks }, texts: new Map([...texts, ...prompts]) };
}
