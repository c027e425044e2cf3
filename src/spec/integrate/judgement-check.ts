// What an agent says about a tech spec counts as far as it can be shown: the sentences stand in the spec, the places are in the code.
// What does not hold is told, so that the agent can mend it; what stays wrong is left out, and its section cannot be told.

import type { SectionAnswer } from "./judgement-schema.ts";
import { type AskedSection, sameName } from "./judgement-sections.ts";
import { type Quotable, quotable } from "./judgement-sentences.ts";
import type { JudgedSection } from "./report.ts";

export type JudgedAgainst = {
  /** The whole text of the tech spec. */
  readonly spec: string;
  readonly asked: readonly AskedSection[];
  /** How many lines each file has that an answer names; one that is not in it is not there. */
  readonly lines: ReadonlyMap<string, number>;
};

export type CheckedJudgement = {
  /** In the order in which they were asked for. */
  readonly sections: readonly JudgedSection[];
  /** What does not hold, for the agent. */
  readonly problems: readonly string[];
};

export function checkJudgement(answers: readonly SectionAnswer[], against: JudgedAgainst): CheckedJudgement {
  const { asked, spec } = against;
  const quotes = quotable(spec);
  const problems: string[] = answers
    .filter(({ section }) => !asked.some(({ name }) => sameName(name, section)))
    .map(({ section }) => `${JSON.stringify(short(section))} is no section of the list`);
  const sections = asked.flatMap(({ name, isOwn }): JudgedSection[] => {
    const given = answers.filter(({ section }) => sameName(section, name));
    const [first] = given;
    if (first === undefined && !isOwn) return [];
    const own =
      first === undefined
        ? { section: unanswered(name), problems: ["it is missing"] }
        : checkSection(first, { ...against, quotes, name });
    const twice = given.length > 1 ? ["it is answered more than once"] : [];
    problems.push(
      ...[...twice, ...own.problems].map((problem) => `section ${JSON.stringify(name)}: ${problem}`),
    );
    return [own.section];
  });
  return { sections, problems };
}

/** Nothing that was said can be used. */
export function unjudged(asked: readonly AskedSection[], why: string): JudgedSection[] {
  return asked.filter(({ isOwn }) => isOwn).map(({ name }) => ({ ...unanswered(name), says: why }));
}

const unanswered = (section: string): JudgedSection => ({
  ...{ section, status: "cannot-tell", sentences: [], places: [] },
  says: "the agent says nothing about it",
});

type Checking = Pick<JudgedAgainst, "lines"> & { readonly quotes: Quotable; readonly name: string };

function checkSection(answer: SectionAnswer, { lines, quotes, name }: Checking) {
  const { status } = answer;
  const says = answer.says.trim();
  const problems: string[] = [];
  const sentences = answer.sentences.flatMap((text) => {
    const problem = sentenceProblem(text);
    const found = problem === null ? quotes.find(text) : null;
    if (found !== null) return [found];
    problems.push(problem ?? `the sentence ${JSON.stringify(short(text))} does not stand in the tech spec`);
    return [];
  });
  const places = answer.places.flatMap(({ file, line = null }) => {
    const known = file.replace(/^\.\//, "");
    const problem = placeProblem(known, line, lines);
    if (problem === null) return [{ file: known, line }];
    problems.push(problem);
    return [];
  });
  if (status !== "cannot-tell" && answer.sentences.length === 0)
    problems.push("no sentence of the tech spec is named that it rests on");
  if (status !== "met" && says === "")
    problems.push(status === "deviates" ? "what deviates is not said" : "why it cannot be told is not said");
  const section: JudgedSection = {
    section: name,
    status,
    sentences,
    says: status === "met" ? "" : says,
    places,
  };
  return { problems, section: problems.length === 0 ? section : doubted(section, says, problems) };
}

/** What was said is told, as what it is. */
function doubted(section: JudgedSection, says: string, [problem = ""]: readonly string[]): JudgedSection {
  const { status } = section;
  if (status === "cannot-tell") return { ...section, says: says === "" ? problem : says };
  const claim = status === "met" ? "that it is met" : `that it deviates${says === "" ? "" : ` (${says})`}`;
  return {
    ...section,
    status: "cannot-tell",
    says: `the agent says ${claim}, which does not hold up: ${problem}`,
  };
}

const SHORTEST = 8;
const LONGEST = 1_200;

/** One word stands somewhere in any document, and a page is no sentence. */
function sentenceProblem(text: string): string | null {
  const words = text.trim();
  if (words.length < SHORTEST || !/\s/.test(words))
    return `${JSON.stringify(words)} is no sentence: copy all of it from the tech spec`;
  if (words.length > LONGEST)
    return `the text that begins with ${JSON.stringify(short(words))} is more than a sentence: name only what it rests on`;
  return null;
}

function placeProblem(file: string, line: number | null, lines: ReadonlyMap<string, number>): string | null {
  const count = lines.get(file);
  if (count === undefined) return `there is no file ${JSON.stringify(short(file))}`;
  if (line === null || (line >= 1 && line <= count)) return null;
  return `${file} has no line ${line}: it has ${count}`;
}

const MOST_CHARS = 160;
const short = (text: string): string =>
  text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS).trimEnd()}…`;
