import type { Diagnostic } from "../../core/source.ts";
import { type Choice, choiceWithoutTool, disjointPair, refuse, refuseDisjoint } from "./choice.ts";
import type { Choosing } from "./choose-node.ts";
import { buildConflict, buildMissing, listRequests } from "./findings.ts";
import { atOnce } from "./tool.ts";
import { type Requirements, resolveRequirements } from "./uv-tool.ts";
import { extrasOf, type Wanted, type WantedPart } from "./wanted.ts";

export type Around = {
  readonly python: string | null;
  /** Keys that have a version already, or are to go. */
  readonly pinned: ReadonlyMap<string, string>;
  readonly removed: ReadonlySet<string>;
};

/** A version for each. uv is asked once for all of them, so that they go together and with what the project has. */
export async function choosePython(
  wanted: readonly Wanted[],
  choosing: Choosing,
  around: Around,
): Promise<Choice[]> {
  const chosen = new Map<Wanted, Choice>();
  for (const one of wanted) {
    const pair = disjointPair(one, choosing.ranges);
    if (pair !== null) chosen.set(one, await apart(one, pair, choosing, around));
  }
  const open = wanted.filter((one) => !chosen.has(one));
  const choices = open.length === 0 ? [] : await together(open, choosing, around);
  open.forEach((one, i) => void chosen.set(one, choices[i] as Choice));
  return wanted.map((one) => chosen.get(one) as Choice);
}

async function together(open: readonly Wanted[], choosing: Choosing, around: Around): Promise<Choice[]> {
  const answer = await resolveRequirements(choosing.ask, question(open, choosing, around));
  if ("why" in answer) return open.map((one) => choiceWithoutTool(one, answer.why));
  if (!answer.ok) return oneByOne(open, answer.unsolvable, choosing, around);
  return open.map((one) => fromTool(one, answer.versions));
}

function fromTool(one: Wanted, versions: ReadonlyMap<string, string>): Choice {
  const version = versions.get(one.key);
  if (version === undefined) return choiceWithoutTool(one, "uv named no version of it");
  return { kind: "pin", version, from: "tool" };
}

function question(open: readonly Wanted[], { installed }: Choosing, around: Around): Requirements {
  const asked = new Set(open.map(({ key }) => key));
  const isSettled = (key: string) => asked.has(key) || around.pinned.has(key) || around.removed.has(key);
  return {
    lines: [
      ...open.flatMap(({ parts }) => parts.map((part) => line(part, parts))),
      ...Array.from(around.pinned, ([key, version]) => `${key}==${version}`),
    ],
    constraints: [...installed.direct].flatMap(([key, { range }]) =>
      isSettled(key) || range === null || range === "" ? [] : [key + range],
    ),
    preferred: [...installed.locked].flatMap(([key, versions]) =>
      isSettled(key) || versions.length !== 1 ? [] : [`${key}==${versions[0]}`],
    ),
    python: around.python ?? installed.python,
    alone: false,
  };
}

/** Without its marker: a version is wanted wherever it is for. */
function line({ spec }: WantedPart, parts: Wanted["parts"]): string {
  const extras = extrasOf(parts);
  const range = spec.source.kind === "range" ? spec.source.range : "";
  return `${spec.name}${extras.length === 0 ? "" : `[${extras.join(",")}]`}${range}`;
}

/** All together cannot be had: those that cannot be had alone are to blame, else that they do not go together. */
async function oneByOne(
  open: readonly Wanted[],
  said: string,
  choosing: Choosing,
  around: Around,
): Promise<Choice[]> {
  const answers = await atOnce(open, ({ parts }) =>
    resolveRequirements(choosing.ask, onlyThese(parts, choosing, around)),
  );
  const isBlamed = answers.some((answer) => "unsolvable" in answer);
  const parts = open.flatMap((one) => one.parts);
  const specs = open.map(({ parts: [first] }) => first?.wish.spec.value ?? "");
  return open.map((one, i): Choice => {
    const answer = answers[i];
    if (answer !== undefined && "unsolvable" in answer) return refuse(notFound(one, answer.unsolvable));
    if (!isBlamed && i === 0) return refuse(buildConflict(parts, { kind: "incompatible", specs, said }));
    return answer?.ok === true ? fromTool(one, answer.versions) : choiceWithoutTool(one, said);
  });
}

function notFound(one: Wanted, said: string): Diagnostic {
  const [first] = one.parts;
  if (one.parts.length > 1)
    return buildConflict(one.parts, { kind: "unsolvable", requests: listRequests(one.parts), said });
  return buildMissing(one, { kind: "unsolvable", spec: first?.wish.spec.value ?? "", said });
}

/** What each of two could have that cannot be had together. */
async function apart(
  wanted: Wanted,
  pair: readonly [WantedPart, WantedPart],
  choosing: Choosing,
  around: Around,
): Promise<Choice> {
  const newest: (string | null)[] = [];
  for (const part of pair) {
    const answer = await resolveRequirements(choosing.ask, onlyThese([part], choosing, around));
    newest.push(answer.ok ? (answer.versions.get(wanted.key) ?? null) : null);
  }
  const installed = choosing.installed.direct.get(wanted.key)?.version ?? null;
  return refuseDisjoint(pair, { installed, newest, ranges: choosing.ranges });
}

function onlyThese(parts: Wanted["parts"], { installed }: Choosing, { python }: Around): Requirements {
  const lines = parts.map((part) => line(part, parts));
  return { lines, constraints: [], preferred: [], python: python ?? installed.python, alone: true };
}
