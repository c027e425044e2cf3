import type { ClaimDraft, SummariesDraft, TaskDraft } from "../../core/draft.ts";
import { asPattern } from "../../core/each/written.ts";
import type { Located } from "../../core/source.ts";
import { plainTask, unset } from "../unsaid.ts";
import type { Agent, Batch } from "./manifest.ts";
import type { Before, Order } from "./order.ts";
import { inTree, type Places, verifyLine } from "./paths.ts";

/** The tasks of a manifest: one an agent, and one for the files that a batch is to leave. */
export function tasksOf(batches: readonly Batch[], before: Order["before"], places: Places): TaskDraft[] {
  const ids = taskIds(batches);
  const all: All = { batches, ids, places };
  return batches.flatMap((batch, index) => {
    if (batch.agents.length === 0) return [];
    const first = (before[index] ?? []).flatMap((one) =>
      endsOf(one.batch, all).map((value) => ({ value, at: one.at })),
    );
    const summaries = readSummariesAfter(before[index] ?? [], all);
    const agents = batch.agents.map((agent, i): TaskDraft => {
      const above = batch.isTogether ? undefined : ids[index]?.agents[i - 1];
      const needs = above === undefined ? first : [{ value: above, at: agent.nameAt }];
      return agentTask(agent, { all, index, i, needs, summaries });
    });
    return batch.verify.length === 0 ? agents : [...agents, verifyTask(index, all)];
  });
}

type All = {
  readonly batches: readonly Batch[];
  readonly ids: ReturnType<typeof taskIds>;
  readonly places: Places;
};

/** What says that a batch is done: its check, else all its agents, of which the last is enough where they form a chain. */
function endsOf(index: number, { batches, ids }: All): readonly string[] {
  const own = ids[index];
  if (own === undefined) return [];
  if (batches[index]?.verify.length) return [own.verify];
  return batches[index]?.isTogether ? own.agents : own.agents.slice(-1);
}

/** Every agent of a batch gets the summaries of the fan-out batches before it. */
function readSummariesAfter(before: readonly Before[], { batches, ids }: All): SummariesDraft | null {
  const fans = before.filter(({ batch }) => batches[batch]?.isFanOut);
  if (fans.length === 0) return null;
  const said = fans.flatMap(({ batch, at }) =>
    (batches[batch]?.agents ?? []).map(({ name }, i) => ({
      task: { value: ids[batch]?.agents[i] as string, at },
      name: name ?? "main",
    })),
  );
  const names = numbered(said.map(({ name }) => name));
  const numbers = fans.map(({ batch }) => batches[batch]?.id.value).join(", ");
  return {
    title: oneLine(`Fan-out Summary (Batch ${numbers})`),
    from: said.map(({ task }, i) => ({ task, name: oneLine(names[i] as string) })),
  };
}

type Place = {
  readonly all: All;
  readonly index: number;
  /** Which agent of its batch. */
  readonly i: number;
  readonly needs: readonly Located<string>[];
  readonly summaries: SummariesDraft | null;
};

function agentTask(agent: Agent, { all, index, i, needs, summaries }: Place): TaskDraft {
  const batch = all.batches[index] as Batch;
  const { value: text, at } = agent.prompt;
  const known = new Set(needs.map(({ value }) => value));
  const more = (summaries?.from ?? []).map(({ task }) => task).filter(({ value }) => !known.has(value));
  return {
    ...plainTask,
    origin: oneLine(`batch ${batch.id.value}`),
    id: { value: all.ids[index]?.agents[i] as string, at: agent.nameAt },
    title: titleOf(batch, i),
    needs: [...needs, ...more],
    work: { kind: "agent", prompt: { value: { kind: "inline", text }, at } },
    owns: agent.owns.flatMap((path) => claimOf(path, all.places) ?? []),
    settings: {
      ...unset,
      agent: agent.name === null ? null : { value: { name: agent.name }, at: agent.nameAt },
      allowEmpty: agent.allowEmpty || null,
    },
    ...(summaries && { summaries }),
  };
}

/** Looks at the tree with the work of the whole batch. What it finds does not change by trying again. */
function verifyTask(index: number, { batches, ids, places }: All): TaskDraft {
  const batch = batches[index] as Batch;
  const [first] = batch.verify as [Located<string>];
  const { agents, verify } = ids[index] as (typeof ids)[number];
  const line = verifyLine(
    batch.verify.map(({ value }) => value),
    places,
  );
  return {
    ...plainTask,
    origin: oneLine(`batch ${batch.id.value}`),
    id: { value: verify, at: first.at },
    title: oneLine(`Verify the files of batch ${batch.id.value}`),
    needs: (batch.isTogether ? agents : agents.slice(-1)).map((value) => ({ value, at: first.at })),
    work: { kind: "command", run: { kind: "shell", line }, at: first.at },
    settings: { ...unset, access: "read-only", retries: 0 },
  };
}

/** The name of a file is taken as it is, whatever it would mean in a glob. */
function claimOf({ value, at }: Located<string>, places: Places): ClaimDraft | null {
  const way = inTree(value, places);
  if (way === null) return null;
  return { mode: "any", text: { value: asPattern(way, { name: "", from: "files", value: way }), at } };
}

function titleOf({ id, description, agents }: Batch, i: number): string {
  const names = numbered(agents.map(({ name }) => name ?? "main"));
  const start = description ?? `Batch ${id.value}`;
  return oneLine(description !== null && agents.length === 1 ? start : `${start}: ${names[i]}`);
}

/** What is there more than once gets a number: reviewer 1, reviewer 2. */
function numbered(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const seen = new Map<string, number>();
  return names.map((name) => {
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return counts.get(name) === 1 ? name : `${name} ${number}`;
  });
}

const LONGEST = 200;

/** As titles and names are: one line, and not longer than others bear. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

/** What the tasks of a batch are called: `b2-1-code-writer`, and `b2-verify`. */
type BatchIds = { readonly agents: readonly string[]; readonly verify: string };

const LONGEST_ID = 64;

function taskIds(batches: readonly Batch[]): BatchIds[] {
  const used = new Set<string>();
  return batches.map(({ id, agents }) => {
    const start = `b${word(id.value)}`;
    return {
      agents: agents.map(({ name }, i) => unique(`${start}-${i + 1}-${word(name ?? "main")}`, used)),
      verify: unique(`${start}-verify`, used),
    };
  });
}

/** Only what is safe in branches and folders. */
function word(text: string): string {
  return text.replace(/[^A-Za-z0-9_]+/g, "-").replace(/^-|-$/g, "") || "x";
}

/** Ids are told apart without regard to case. */
function unique(wanted: string, used: Set<string>): string {
  for (let n = 1; ; n += 1) {
    const end = n === 1 ? "" : `-${n}`;
    const id = `${wanted.slice(0, LONGEST_ID - end.length)}${end}`;
    if (used.has(id.toLowerCase())) continue;
    used.add(id.toLowerCase());
    return id;
  }
}
