// Values of variables that a plan sets may be secrets, as may the address of a webhook, and facts go far: to terminals, pages, reports, other hosts. So a plan
// is sealed before it enters the journal: each value becomes a keyed hash of itself. What it stands for lies in one file of
// the run folder, which nothing but the driver reads. Two equal values have the same seal within a run, so that a verdict
// holds for the same variables; the key is the run's own, so that nobody can guess a value by hashing candidates.

import { createHmac, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Env, Gate, Plan } from "../../core/plan.ts";
import { writeWhole } from "./run-folder.ts";

export type SealedValues = ReturnType<typeof sealedValues>;

type Variable = readonly [name: string, value: string];

type ValuesFile = { readonly key: string; readonly values: { readonly [seal: string]: Variable } };

export async function openValues(path: string): Promise<SealedValues> {
  const text = await readFile(path, "utf8").catch(() => null); // a run without values has no file
  const file: ValuesFile =
    text === null ? { key: randomBytes(32).toString("hex"), values: {} } : JSON.parse(text);
  return sealedValues(file.key, new Map(Object.entries(file.values)));
}

/** Written before the first fact, so that a sealed plan in the journal can always be opened. */
export async function sealPlan(path: string, plan: Plan): Promise<Plan> {
  const values = await openValues(path);
  const sealed = values.seal(plan);
  await values.write(path);
  return sealed;
}

function sealedValues(key: string, known: Map<string, Variable>) {
  const sealOf = (name: string, value: string): string => {
    if (known.has(value)) return value; // sealed already
    const hash = createHmac("sha256", key).update(`${name}=${value}`).digest("hex");
    const seal = `sealed:${hash.slice(0, 32)}`;
    known.set(seal, [name, value]);
    return seal;
  };
  const mapped = (env: Env, change: (name: string, value: string) => string): Env =>
    Object.fromEntries(Object.entries(env).map(([name, value]) => [name, change(name, value)]));
  const sealEnv = (env: Env): Env => mapped(env, sealOf);
  const sealGates = (gates: readonly Gate[]): Gate[] =>
    gates.map((gate) => ({ ...gate, env: sealEnv(gate.env) }));
  const sealWebhook = (url: string | null) => (url === null ? null : sealOf("WEBHOOK_SECRET", url));
  return {
    seal: (plan: Plan): Plan => ({
      ...plan,
      webhooks: {
        complete: sealWebhook(plan.webhooks.complete),
        failure: sealWebhook(plan.webhooks.failure),
      },
      notify: { ...plan.notify, webhook: sealWebhook(plan.notify.webhook) },
      gates: sealGates(plan.gates),
      tasks: plan.tasks.map((task) => ({ ...task, env: sealEnv(task.env), gates: sealGates(task.gates) })),
    }),
    /** A sealed environment as a program is to see it. */
    open: (env: Env): Env => mapped(env, (_, value) => known.get(value)?.[1] ?? value),
    /** With all that was sealed since it was read. */
    write: (path: string): Promise<void> =>
      writeWhole(path, `${JSON.stringify({ key, values: Object.fromEntries(known) })}\n`),
    /** Every variable that the plan sets, for the masker. */
    all: (): readonly Variable[] => [...known.values()],
  };
}
