// Sentences as people meet them, with values in them: findings, and what terminal, web UI and notifications show in the states
// of simulated runs. A reading test draws from these, because half of the literals in the sources are fragments.
import { createFindingBuilder } from "../../src/core/catalog.ts";
import { evolve } from "../../src/core/evolve.ts";
import type { RunState } from "../../src/core/run-state.ts";
import { formatAction } from "../../src/core/select/action-text.ts";
import { listNeeds } from "../../src/core/select/needs.ts";
import { listNextSteps } from "../../src/core/select/next-steps.ts";
import { formatNoticeSentence } from "../../src/core/select/notice-text.ts";
import { findNotices } from "../../src/core/select/notices.ts";
import { offers } from "../../src/core/select/offers.ts";
import { overview } from "../../src/core/select/overview.ts";
import { remarks } from "../../src/core/select/remarks.ts";
import { listBanners } from "../../src/core/select/run-banner.ts";
import { findRunStatus } from "../../src/core/select/run-status.ts";
import { formatRunStatus } from "../../src/core/select/run-status-text.ts";
import { taskRows } from "../../src/core/select/task-rows.ts";
import { formatTaskNote } from "../../src/core/select/task-status-text.ts";
import type { Diagnostic } from "../../src/core/source.ts";
import { formatCommand } from "../../src/core/text/command.ts";
import { plainText } from "../../src/core/text/sentence.ts";
import { planCatalogs, planSamples } from "../findings/plan-samples.ts";
import { specCatalogs, specSamples } from "../findings/spec-samples.ts";
import { runSeed } from "../sim/run.ts";
import { formatShape, giveSampleValues } from "./sample-values.ts";

const SEEDS = 60;

/** Each wording once: sentences that differ in names and figures only count as one. */
export function listRendered(): string[] {
  const byShape = new Map<string, string>();
  for (const text of [...listFindings(), ...listRunSentences()]) {
    const shape = formatShape(text);
    if (/\p{L}+ \p{L}+.* \p{L}+/u.test(text) && !byShape.has(shape)) byShape.set(shape, text);
  }
  return [...byShape.values()];
}

function listFindings(): string[] {
  const build = createFindingBuilder({ ...planCatalogs, ...specCatalogs }) as (
    code: string,
    params: unknown,
    at: null,
  ) => Pick<Diagnostic, "severity" | "message" | "hint">;
  return Object.entries({ ...planSamples, ...specSamples }).flatMap(([code, sets]) =>
    sets.map((params) => {
      const { severity, message, hint } = build(code, params, null);
      const found = `${isMild(code, params) ? "warning" : severity}: ${message}`;
      return hint === null ? found : `${found}\n   help: ${hint}`;
    }),
  );
}

/** Where whoever reports an error of the catalog makes it a warning, by its values. */
const MILD: { readonly [code: string]: (params: Params) => boolean } = {
  "api-reference": ({ kind }) => kind === "outside",
  "api-version": ({ kind }) => kind === "newer",
  "create-exists": ({ kind }) => kind === "covered",
  "created-twice": ({ glob }) => glob !== undefined,
  "design-contract": ({ kind }) => kind === "none",
  "prompt-section": ({ isAdded }) => isAdded === true,
  "prompt-stale": ({ kind }) => kind === "text",
  "requirement-uncovered": ({ kind }) => kind === "all",
  "setup-reuse": ({ kind }) => kind === "unused-input",
  "spec-mismatch": ({ key }) => key === "agent" || key === "covers",
  "wave-order": ({ kind }) => kind !== "repeated",
};

type Params = { readonly [name: string]: unknown };

const isMild = (code: string, params: unknown): boolean => MILD[code]?.(params as Params) ?? false;

function* listRunSentences(): Generator<string> {
  for (let seed = 1; seed <= SEEDS; seed++) {
    let state: RunState | null = null;
    for (const simulated of runSeed(seed).facts) {
      const fact = giveSampleValues(simulated);
      const before: RunState | null = state;
      state = evolve(before, fact);
      if (state === null) continue;
      if (before !== null)
        for (const notice of findNotices(fact, before, state)) yield plainText(formatNoticeSentence(notice));
      yield* describe(state, state.ended === null);
    }
    if (state !== null) yield* describe(state, false);
  }
}

function* describe(state: RunState, isRunning: boolean): Generator<string> {
  const shown = overview(state, state.clock, { isRunning });
  for (const { text } of listBanners(state, { ...shown, isRunning })) yield plainText(text);
  yield plainText(formatRunStatus(findRunStatus(state, state.clock, isRunning)));
  for (const { task, status } of taskRows(state, state.clock))
    yield `${task}  ${status.kind}  ${plainText(formatTaskNote(status))}`;
  for (const { command, purpose } of listNextSteps(state, { isRunning }))
    yield `${purpose}: ${formatCommand(command)}`;
  for (const { text } of listNeeds(state, { isRunning, changedConfig: [] })) yield plainText(text);
  yield* remarks(state);
  for (const action of offers(state, null, { isRunning }))
    yield plainText(formatAction(state, action, { isRunning }).effect);
}
