import { evolve } from "../../core/evolve.ts";
import type { EpochMs, Fact, GateAsker, GateJudged, MergedAttempt } from "../../core/facts.ts";
import type { RunState } from "../../core/run-state.ts";
import { formatRefusedMove } from "../../core/select/run-status-text.ts";
import { formatGateName } from "../../core/text/figures.ts";
import { plainText } from "../../core/text/sentence.ts";
import type { Span } from "./span.ts";

type Merge = { readonly key: string; readonly at: EpochMs; readonly tasks: readonly MergedAttempt[] };
type Landing = { readonly from: EpochMs; readonly tip: string };

/** What only the facts tell: gates with their verdicts, merges that advanced or did not, landings. */
export function integrationSpans(facts: readonly Fact[], end: EpochMs): Span[] {
  const queue = mergeQueue();
  const spans: Span[] = [];
  let landing: Landing | null = null;
  facts.forEach((fact, n) => {
    spans.push(...queue.after(fact, n));
    if (fact.type === "landing.built" || fact.type === "landing.asked")
      landing ??= { from: fact.at, tip: "tip" in fact ? fact.tip : "" };
    if (fact.type === "run.landed" || fact.type === "landing.refused") {
      spans.push(landingSpan(landing?.from ?? fact.at, fact));
      landing = null;
    }
    if (fact.type === "gate.judged") spans.push(...gateSpans(fact, n));
  });
  return [...spans, ...queue.open(end)].sort((a, b) => a.from - b.from);
}

/** Merges that are built and not yet in: each ends when it advances, or when the queue lets it go because it cannot. */
function mergeQueue() {
  const building = new Map<string, Merge>();
  const used = new Set<string>();
  let state: RunState | null = null;
  const end = (commit: string, to: EpochMs, status: Span["status"]): Span[] => {
    const merge = building.get(commit);
    building.delete(commit);
    return merge === undefined ? [] : [mergeSpan(commit, merge, to, status)];
  };
  return {
    after(fact: Fact, n: number): Span[] {
      state = evolve(state, fact);
      if (fact.type === "candidate.built") building.set(fact.result.commit, { ...fact, key: keyOf(fact, n) });
      if (fact.type === "candidate.refused") return [refusedSpan(fact, n)];
      const advanced =
        fact.type !== "integration.advanced"
          ? []
          : building.has(fact.to.commit)
            ? end(fact.to.commit, fact.at, { ok: true })
            : [mergeSpan(fact.to.commit, { ...fact, key: `merge ${fact.to.commit}` }, fact.at, { ok: true })];
      const queued = new Set<string>(state?.candidates.map(({ result }) => result.commit));
      const red = fact.type === "gate.judged" && fact.verdict === "red" ? fact : null;
      const gone = [...building.keys()].filter((commit) => !queued.has(commit));
      return [...advanced, ...gone.flatMap((commit) => end(commit, fact.at, redOf(red, commit)))];
    },
    open: (to: EpochMs): Span[] => [...building.keys()].flatMap((commit) => end(commit, to, null)),
  };

  /** What is built again from the same may be the same commit. */
  function keyOf({ result }: Extract<Fact, { type: "candidate.built" }>, n: number): string {
    const key = `merge ${result.commit}`;
    if (used.has(key)) return `${key} ${n}`;
    used.add(key);
    return key;
  }
}

/** Built on one that was red is nobody's fault. */
function redOf(fact: GateJudged | null, commit: string): Span["status"] {
  const isMeant = fact?.asked.some((asker) => asker.kind === "candidate" && asker.commit === commit) ?? false;
  return fact === null || !isMeant
    ? null
    : { ok: false, message: `gate ${formatGateName(fact.name)} is red` };
}

/** A conflict, or something that must not be merged: there is nothing to be gated. */
function refusedSpan(fact: Extract<Fact, { type: "candidate.refused" }>, n: number): Span {
  const { at, task: of, failure } = fact;
  return {
    key: `merge refused ${n}`,
    parent: `task ${of.task}`,
    name: `merge ${of.task}`,
    from: at,
    to: at,
    attributes: { "plait.merge.tasks": [of.task], "error.type": failure.reason },
    status: { ok: false, message: failure.reason },
  };
}

function mergeSpan(commit: string, { key, at, tasks }: Merge, to: EpochMs, status: Span["status"]): Span {
  const [only, ...others] = tasks;
  const isOne = only !== undefined && others.length === 0;
  const names = tasks.map(({ task }) => task);
  return {
    key,
    parent: isOne ? `task ${only.task}` : "run",
    name: `merge ${names.join(", ")}`,
    from: at,
    to,
    attributes: {
      "plait.merge.tasks": names,
      "vcs.ref.head.revision": status?.ok === true ? commit : null,
      "error.type": status?.ok === false ? "gate" : null,
    },
    status,
  };
}

function landingSpan(from: EpochMs, fact: Extract<Fact, { type: "run.landed" | "landing.refused" }>): Span {
  const isLanded = fact.type === "run.landed";
  return {
    key: `landing ${fact.tip} ${fact.at}`,
    parent: "run",
    name: "land",
    from,
    to: fact.at,
    attributes: {
      "vcs.ref.head.name": isLanded ? fact.target : null,
      "vcs.ref.head.revision": isLanded ? fact.to.commit : null,
      "error.type": isLanded ? null : fact.why,
    },
    status: isLanded ? { ok: true } : { ok: false, message: plainText(formatRefusedMove(fact)) },
  };
}

/** One for each who asked: a verdict that several share stands below each of them. */
function gateSpans(fact: GateJudged & { readonly at: EpochMs }, n: number): Span[] {
  return fact.asked.map((asker, i): Span => {
    const isGreen = fact.verdict === "green";
    return {
      key: `gate ${n} ${i}`,
      parent: parentOf(asker),
      name: `gate ${fact.name}`,
      from: fact.at - fact.durationMs,
      to: fact.at,
      attributes: {
        "plait.gate": fact.name,
        "plait.gate.on": asker.kind,
        "plait.gate.verdict": fact.verdict,
        "plait.gate.how": fact.how,
        "plait.gate.runs": fact.tries,
        "vcs.tree": fact.tree,
      },
      status: isGreen ? { ok: true } : { ok: false, message: fact.summary },
    };
  });
}

function parentOf(asker: GateAsker): string {
  switch (asker.kind) {
    case "attempt":
      return `attempt ${asker.attempt}`;
    case "candidate":
      return `merge ${asker.commit}`;
    default:
      return "run";
  }
}
