import type { EpochMs, Fact, GateAsker, GateJudged, MergedAttempt } from "../../core/facts.ts";
import type { Span } from "./span.ts";

type Merge = { readonly at: EpochMs; readonly tasks: readonly MergedAttempt[] };
type Landing = { readonly from: EpochMs; readonly tip: string };

/** What only the facts tell: gates with their verdicts, merges that advanced or did not, landings. */
export function integrationSpans(facts: readonly Fact[], end: EpochMs): Span[] {
  const spans: Span[] = [];
  const merges = new Map<string, Merge>();
  let landing: Landing | null = null;
  facts.forEach((fact, n) => {
    if (fact.type === "candidate.built") merges.set(fact.result.commit, { at: fact.at, tasks: fact.tasks });
    if (fact.type === "integration.advanced") {
      spans.push(mergeSpan(fact.to.commit, merges.get(fact.to.commit) ?? fact, fact.at, true));
      merges.delete(fact.to.commit);
    }
    if (fact.type === "landing.built" || fact.type === "landing.asked")
      landing ??= { from: fact.at, tip: "tip" in fact ? fact.tip : "" };
    if (fact.type === "run.landed" || fact.type === "landing.refused") {
      spans.push(landingSpan(landing?.from ?? fact.at, fact));
      landing = null;
    }
    if (fact.type === "gate.judged") spans.push(...gateSpans(fact, n));
  });
  const open = [...merges].map(([commit, merge]) => mergeSpan(commit, merge, end, false));
  return [...spans, ...open].sort((a, b) => a.from - b.from);
}

function mergeSpan(commit: string, { at, tasks }: Merge, to: EpochMs, isDone: boolean): Span {
  const [only, ...others] = tasks;
  const isOne = only !== undefined && others.length === 0;
  const names = tasks.map(({ task }) => task);
  return {
    key: `merge ${commit}`,
    parent: isOne ? `task ${only.task}` : "run",
    name: `merge ${names.join(", ")}`,
    from: at,
    to,
    attributes: { "plait.merge.tasks": names, "vcs.ref.head.revision": isDone ? commit : null },
    status: isDone ? { ok: true } : null,
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
    status: isLanded ? { ok: true } : { ok: false, message: fact.detail },
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
        "plait.gate.tries": fact.tries,
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
