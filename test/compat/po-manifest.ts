import { defaultLayers } from "../../src/config/settings.ts";
import { analyze } from "../../src/core/analyze/analyze.ts";
import type { PlanDraft } from "../../src/core/draft.ts";
import { textHash } from "../../src/core/ids.ts";
import type { Plan, Task } from "../../src/core/plan.ts";
import type { Diagnostic } from "../../src/core/source.ts";
import { formats } from "../../src/formats/registry.ts";
import { caps } from "../formats/caps.ts";
import { filesOf } from "../formats/read-as-plan.ts";

/** A manifest read and analysed as `plait validate` does it, with files that are nowhere but here: the repository is /work. */

export type Read = {
  readonly plan: Plan | null;
  readonly draft: PlanDraft | null;
  /** `line:col code`, warnings with a mark: `line:col ~code`. */
  readonly found: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
};

type Surroundings = {
  readonly path?: string;
  readonly files?: { readonly [path: string]: string };
  readonly tolerant?: boolean;
  /** Where `.git` is; null: nowhere. */
  readonly repository?: string | null;
  /** The repository that the user is in. */
  readonly standing?: string;
};

export async function read(text: string, surroundings: Surroundings = {}): Promise<Read> {
  const { path = "plan.md", files = {}, tolerant = false, repository = "/work", standing } = surroundings;
  const input = { kind: "file", path, text } as const;
  const around = {
    ...filesOf(input, files),
    ...(standing !== undefined && { cwd: standing }),
    repositoryAt: async (folder: string) => (folder === standing ? standing : repository),
  };
  const po = formats.find(({ name }) => name === "po");
  if (po === undefined) throw new Error("the format is not registered");
  const { draft, diagnostics: ofFormat } = await po.read(input, caps, around, { tolerant });
  const analysis = draft && analyze(draft, { layers: defaultLayers(), text: () => someText, sourceHash });
  const diagnostics = [...ofFormat, ...(analysis?.diagnostics ?? [])];
  const told = diagnostics.filter(({ severity }) => severity !== "note");
  const isWrong = told.some(({ severity }) => severity === "error");
  const found = told.map(
    ({ at, severity, code }) =>
      `${at?.start.line}:${at?.start.col} ${severity === "error" ? "" : "~"}${code}`,
  );
  return { plan: isWrong ? null : (analysis?.plan ?? null), draft, found, diagnostics };
}

const sourceHash = textHash("0".repeat(64));
const someText = { hash: sourceHash, bytes: 1, file: null };

/** The task on lines 6 to 9; what is added begins on line 10. */
export const minimal = `---
po_plan_version: "0.1"
name: minimal
cwd: .
tasks:
  - id: a
    agent: dev
    read_only: false
    prompt: Do it.
---
`;

/** Further lines, of the task where they are indented. */
export function and(...lines: readonly string[]): string {
  return minimal.replace(/---\n$/, `${lines.join("\n")}\n---\n`);
}

export function but(written: string, instead: string): string {
  if (!minimal.includes(written)) throw new Error(`${written} is not in the manifest`);
  return minimal.replace(written, instead);
}

/** The same without a line. */
export function without(key: string): string {
  return minimal.replace(new RegExp(`^(?: {4})?${key}:.*\\n`, "m"), "");
}

/** Tasks with these ids and what each says besides; they begin on line 5, two lines each where they say one thing. */
export function tasks(written: { readonly [id: string]: readonly string[] }): string {
  const list = Object.entries(written).flatMap(([id, lines]) => [
    `  - { id: ${id}, agent: dev, read_only: ${lines.includes("reads")}, prompt: Do it.`,
    ...lines.filter((line) => line !== "reads").map((line) => `      , ${line}`),
    "    }",
  ]);
  return ['---\npo_plan_version: "0.1"\ncwd: .\ntasks:', ...list, "---\n"].join("\n");
}

export function taskOf({ plan, found }: Read, id: string): Task {
  const task = plan?.tasks.find((one) => one.id === id);
  if (task === undefined) throw new Error(`there is no task ${id}: ${found.join(", ")}`);
  return task;
}
