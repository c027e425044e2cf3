// An agent reviews the checked commit against the tech spec. Its quotes and places are verified; it gets invalid ones back to fix, and
// those that stay invalid are left out.

import type { Usage } from "../../core/facts.ts";
import type { AttemptFailure } from "../../core/failure.ts";
import type { Oid } from "../../core/ids.ts";
import { type CheckedReview, checkReview, listUnreviewed } from "../../spec/integrate/check-review.ts";
import type { SourceProject } from "../../spec/integrate/project.ts";
import type { SpecReview } from "../../spec/integrate/report.ts";
import {
  buildReviewPrompt,
  buildReviewRepair,
  buildWholeReviewRepair,
  type ReviewQuestion,
} from "../../spec/integrate/review-prompt.ts";
import { buildReviewSchema, type ReviewAnswer, readReview } from "../../spec/integrate/review-schema.ts";
import { type AskedSection, listSectionsToReview } from "../../spec/integrate/review-sections.ts";
import { saidObject } from "../../spec/said-object.ts";
import { askAgent } from "../ask/ask-agent.ts";
import type { Ask, Asking, AskTelling, Question } from "../ask/asking.ts";
import type { Host, OrRefusal } from "../host.ts";

export type ReviewInput = Pick<Asking, "repository" | "agent" | "limits" | "budgetUsd" | "signal"> &
  Pick<ReviewQuestion, "spec" | "tasks"> & {
    readonly commit: Oid;
    readonly project: SourceProject;
    readonly tell: AskTelling & {
      /** Before each question: its number, and the errors of the previous answer. */
      readonly round: (n: number, problems: readonly string[]) => void;
    };
  };

export type ReviewResult = {
  readonly review: SpecReview;
  /** Why there is no better answer; null: all went well. */
  readonly failure: AttemptFailure | null;
  readonly usage: Usage;
  readonly rounds: number;
  readonly folder: string;
};

const MOST_REPAIRS = 2;

/** Refused only before the agent is asked. */
export async function reviewTechSpec(host: Host, asked: ReviewInput): Promise<OrRefusal<ReviewResult>> {
  const { repository, commit, agent, limits, budgetUsd, signal, tell } = asked;
  const schema = buildReviewSchema();
  const about = { repository, commit, agent, limits, budgetUsd, signal, tell, schema };
  const answered = await askAgent(host, { ...about, name: "integrate", about: "spec" }, (ask) =>
    runReviewRounds(asked, ask, schema),
  );
  if (!answered.ok) return answered;
  const { result, usage, folder } = answered;
  const review = { agent: agent.use, model: agent.model, costUsd: usage.costUsd, sections: result.sections };
  return { ok: true, review, failure: result.failure, rounds: result.rounds, usage, folder };
}

type Rounds = Pick<CheckedReview, "sections"> & Pick<ReviewResult, "failure" | "rounds">;

async function runReviewRounds(
  { spec, tasks, project, tell }: ReviewInput,
  ask: Ask,
  schema: object,
): Promise<Rounds> {
  const sections = listSectionsToReview(spec.text);
  const prompt = buildReviewPrompt({ spec, tasks, asked: sections, schema });
  let question: Question = { prompt, more: null };
  let best: CheckedReview | null = null;
  let problems: readonly string[] = [];
  for (let n = 1; ; n += 1) {
    tell.round(n, problems);
    const reply = await ask(question);
    const failure = reply.ok ? null : reply.failure;
    if (!reply.ok)
      return {
        sections: best?.sections ?? listUnreviewed(sections, noAnswer(reply.failure)),
        failure,
        rounds: n,
      };
    const said = saidObject(reply.text, "sections");
    const checked = await check(said, { text: spec.text, sections, project });
    if (checked.review !== null) best = checked.review;
    ({ problems } = checked);
    if (problems.length === 0 || n > MOST_REPAIRS)
      return { sections: best?.sections ?? listUnreviewed(sections, NO_DOCUMENT), failure, rounds: n };
    question = { prompt: buildWholeReviewRepair(prompt, said, problems), more: buildReviewRepair(problems) };
  }
}

const NO_DOCUMENT = "the agent gave no valid answer";
const noAnswer = ({ reason, detail }: AttemptFailure): string =>
  `the agent gave no answer (${detail === "" ? reason : detail})`;

type Material = {
  readonly text: string;
  readonly sections: readonly AskedSection[];
  readonly project: SourceProject;
};

async function check(said: string, { text, sections, project }: Material) {
  const read = readReview(said);
  if (!read.ok) return { review: null, problems: read.problems };
  const lines = await linesOf(read.answer, project);
  const review = checkReview(read.answer.sections, { spec: text, asked: sections, lines });
  return { review, problems: review.problems };
}

/** More than any review names. */
const MOST_FILES = 1_000;

async function linesOf(
  { sections }: ReviewAnswer,
  { paths, read }: SourceProject,
): Promise<Map<string, number>> {
  const known = new Set(paths);
  const named = sections.flatMap(({ places }) => places.map(({ file }) => file.replace(/^\.\//, "")));
  const lines = new Map<string, number>();
  for (const file of [...new Set(named)].slice(0, MOST_FILES)) {
    if (!known.has(file)) continue;
    const text = await read(file);
    // A binary file exists but has no lines.
    lines.set(file, text === null ? 0 : text.replace(/\n$/, "").split("\n").length);
  }
  return lines;
}
