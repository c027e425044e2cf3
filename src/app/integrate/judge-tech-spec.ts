// Whether the code does what the tech spec says, as an agent sees it that looks around in the commit that is judged. What it says is
// checked against the spec and the files; what does not hold goes back to it, and what still does not is left out.

import type { Usage } from "../../core/facts.ts";
import type { AttemptFailure } from "../../core/failure.ts";
import type { Oid } from "../../core/ids.ts";
import { type CheckedJudgement, checkJudgement, unjudged } from "../../spec/integrate/judgement-check.ts";
import {
  type JudgementQuestion,
  judgementPrompt,
  judgementRepair,
  wholeJudgementRepair,
} from "../../spec/integrate/judgement-prompt.ts";
import {
  type JudgementAnswer,
  judgementJsonSchema,
  readJudgement,
} from "../../spec/integrate/judgement-schema.ts";
import { type AskedSection, sectionsToJudge } from "../../spec/integrate/judgement-sections.ts";
import type { SourceProject } from "../../spec/integrate/project.ts";
import type { SpecJudgement } from "../../spec/integrate/report.ts";
import { saidObject } from "../../spec/said-object.ts";
import { askAgent } from "../ask/ask-agent.ts";
import type { Ask, Asking, AskTelling, Question } from "../ask/asking.ts";
import type { Host, OrRefusal } from "../host.ts";

export type ToJudge = Pick<Asking, "repository" | "agent" | "limits" | "budgetUsd" | "signal"> &
  Pick<JudgementQuestion, "spec" | "tasks"> & {
    readonly commit: Oid;
    /** The files of that commit. */
    readonly project: SourceProject;
    readonly tell: AskTelling & {
      /** Before each question: the number of it, and what is wrong with the answer before. */
      readonly round: (n: number, problems: readonly string[]) => void;
    };
  };

export type Judged = {
  readonly judgement: SpecJudgement;
  /** Why there is no answer, or none that is better: then sections cannot be told. Null where all went well. */
  readonly failure: AttemptFailure | null;
  readonly usage: Usage;
  /** How often the agent was asked. */
  readonly rounds: number;
  /** Where everything that was said is kept. */
  readonly folder: string;
};

/** How often an answer that does not hold goes back. */
const MOST_REPAIRS = 2;

/** Refused is only what is known before anybody is asked. */
export async function judgeTechSpec(host: Host, asked: ToJudge): Promise<OrRefusal<Judged>> {
  const { repository, commit, agent, limits, budgetUsd, signal, tell } = asked;
  const schema = judgementJsonSchema();
  const about = { repository, commit, agent, limits, budgetUsd, signal, tell, schema };
  const answered = await askAgent(host, { ...about, name: "integrate", about: "spec" }, (ask) =>
    judgementRounds(asked, ask, schema),
  );
  if (!answered.ok) return answered;
  const { result, usage, folder } = answered;
  const judgement = {
    agent: agent.use,
    model: agent.model,
    costUsd: usage.costUsd,
    sections: result.sections,
  };
  return { ok: true, judgement, failure: result.failure, rounds: result.rounds, usage, folder };
}

type Rounds = Pick<CheckedJudgement, "sections"> & Pick<Judged, "failure" | "rounds">;

async function judgementRounds(
  { spec, tasks, project, tell }: ToJudge,
  ask: Ask,
  schema: object,
): Promise<Rounds> {
  const sections = sectionsToJudge(spec.text);
  const prompt = judgementPrompt({ spec, tasks, asked: sections, schema });
  let question: Question = { prompt, more: null };
  let best: CheckedJudgement | null = null;
  let problems: readonly string[] = [];
  for (let n = 1; ; n += 1) {
    tell.round(n, problems);
    const reply = await ask(question);
    const failure = reply.ok ? null : reply.failure;
    if (!reply.ok)
      return { sections: best?.sections ?? unjudged(sections, noAnswer(reply.failure)), failure, rounds: n };
    const said = saidObject(reply.text, "sections");
    const checked = await check(said, { text: spec.text, sections, project });
    if (checked.judgement !== null) best = checked.judgement;
    ({ problems } = checked);
    if (problems.length === 0 || n > MOST_REPAIRS)
      return { sections: best?.sections ?? unjudged(sections, NO_DOCUMENT), failure, rounds: n };
    question = { prompt: wholeJudgementRepair(prompt, said, problems), more: judgementRepair(problems) };
  }
}

const NO_DOCUMENT = "the agent gave no answer that can be read";
const noAnswer = ({ reason, detail }: AttemptFailure): string =>
  `the agent gave no answer (${detail === "" ? reason : detail})`;

type Material = {
  readonly text: string;
  readonly sections: readonly AskedSection[];
  readonly project: SourceProject;
};

async function check(said: string, { text, sections, project }: Material) {
  const read = readJudgement(said);
  if (!read.ok) return { judgement: null, problems: read.problems };
  const lines = await linesOf(read.answer, project);
  const judgement = checkJudgement(read.answer.sections, { spec: text, asked: sections, lines });
  return { judgement, problems: judgement.problems };
}

/** Of more files than this nobody has seen the places. */
const MOST_FILES = 1_000;

async function linesOf(
  { sections }: JudgementAnswer,
  { paths, read }: SourceProject,
): Promise<Map<string, number>> {
  const known = new Set(paths);
  const named = sections.flatMap(({ places }) => places.map(({ file }) => file.replace(/^\.\//, "")));
  const lines = new Map<string, number>();
  for (const file of [...new Set(named)].slice(0, MOST_FILES)) {
    if (!known.has(file)) continue;
    const text = await read(file);
    // One that is no text has no lines, and is there all the same.
    lines.set(file, text === null ? 0 : text.replace(/\n$/, "").split("\n").length);
  }
  return lines;
}
