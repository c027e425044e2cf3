// A review counts as far as it can be checked: the quoted sentences are in the tech spec, the places are in the code. The agent gets
// the errors to fix; sections that still have errors are unclear.

import { lineFinder } from "../../util/lines.ts";
import type { ReviewedSection } from "./report.ts";
import type { SectionAnswer } from "./review-schema.ts";
import { type AskedSection, sameName } from "./review-sections.ts";

export type ReviewMaterial = {
  /** The whole text of the tech spec. */
  readonly spec: string;
  readonly asked: readonly AskedSection[];
  /** Line counts of the files that the answer names; a file that is not listed does not exist. */
  readonly lines: ReadonlyMap<string, number>;
};

export type CheckedReview = {
  /** In the order in which they were asked for. */
  readonly sections: readonly ReviewedSection[];
  /** For the agent. */
  readonly problems: readonly string[];
};

export function checkReview(answers: readonly SectionAnswer[], material: ReviewMaterial): CheckedReview {
  const { asked, spec } = material;
  const quotes = quotable(spec);
  const problems: string[] = answers
    .filter(({ section }) => !asked.some(({ name }) => sameName(name, section)))
    .map(({ section }) => `unknown section ${JSON.stringify(short(section))}`);
  const sections = asked.flatMap(({ name, isOwn }): ReviewedSection[] => {
    const given = answers.filter(({ section }) => sameName(section, name));
    const [first] = given;
    if (first === undefined && !isOwn) return [];
    const own =
      first === undefined
        ? { section: unanswered(name), problems: ["the section is missing"] }
        : checkSection(first, { ...material, quotes, name });
    const twice = given.length > 1 ? ["answered more than once"] : [];
    problems.push(
      ...[...twice, ...own.problems].map((problem) => `section ${JSON.stringify(name)}: ${problem}`),
    );
    return [own.section];
  });
  return { sections, problems };
}

/** No answer can be used. */
export function listUnreviewed(asked: readonly AskedSection[], reason: string): ReviewedSection[] {
  return asked.filter(({ isOwn }) => isOwn).map(({ name }) => ({ ...unanswered(name), text: reason }));
}

const unanswered = (section: string): ReviewedSection => ({
  ...{ section, status: "unclear", sentences: [], places: [] },
  text: "the agent did not review this section",
});

type SectionContext = Pick<ReviewMaterial, "lines"> & { readonly quotes: Quotable; readonly name: string };

function checkSection(answer: SectionAnswer, { lines, quotes, name }: SectionContext) {
  const { status } = answer;
  const text = answer.text.trim();
  const problems: string[] = [];
  const sentences = answer.sentences.flatMap((quote) => {
    const problem = findQuoteProblem(quote);
    const found = problem === null ? quotes.find(quote) : null;
    if (found !== null) return [found];
    problems.push(problem ?? `${JSON.stringify(short(quote))} is not in the tech spec`);
    return [];
  });
  const places = answer.places.flatMap(({ file, line = null }) => {
    const known = file.replace(/^\.\//, "");
    const problem = findPlaceProblem(known, line, lines);
    if (problem === null) return [{ file: known, line }];
    problems.push(problem);
    return [];
  });
  if (status !== "unclear" && answer.sentences.length === 0)
    problems.push("`sentences` is empty: quote the tech spec");
  if (status !== "met" && text === "")
    problems.push(
      `\`text\` is empty: explain ${status === "deviates" ? "the deviation" : "why it is unclear"}`,
    );
  const section: ReviewedSection = {
    ...{ section: name, status, sentences, places },
    text: status === "met" ? "" : text,
  };
  return { problems, section: problems.length === 0 ? section : doubted(section, text, problems) };
}

function doubted(section: ReviewedSection, text: string, [problem = ""]: readonly string[]): ReviewedSection {
  const { status } = section;
  if (status === "unclear") return { ...section, text: text === "" ? problem : text };
  const opinion = `${status}${status === "met" || text === "" ? "" : ` (${text})`}`;
  return {
    ...section,
    status: "unclear",
    text: `the agent answered ${opinion}, but its evidence is invalid: ${problem}`,
  };
}

const SHORTEST = 8;
const LONGEST = 1_200;

/** One word is in any document, and a page is not a sentence. */
function findQuoteProblem(quote: string): string | null {
  const trimmed = quote.trim();
  if (trimmed.length < SHORTEST || !/\s/.test(trimmed))
    return `${JSON.stringify(trimmed)} is not a sentence: copy a whole sentence from the tech spec`;
  if (trimmed.length > LONGEST)
    return `the quote that begins with ${JSON.stringify(short(trimmed))} is longer than a sentence: quote only the relevant part`;
  return null;
}

function findPlaceProblem(file: string, line: number | null, lines: ReviewMaterial["lines"]): string | null {
  const count = lines.get(file);
  if (count === undefined) return `file ${JSON.stringify(short(file))} does not exist`;
  if (line === null || (line >= 1 && line <= count)) return null;
  return `line ${line} of ${file} does not exist: the file has ${count}`;
}

const MOST_CHARS = 160;
const short = (text: string): string =>
  text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS).trimEnd()}…`;

// Whether a text quotes another one word for word. Line breaks, emphasis and the shape of quotation marks are no words.

/** What was found, as the document itself says it, and the line that it begins in. */
type Quote = { readonly text: string; readonly line: number };

type Quotable = { readonly find: (quoted: string) => Quote | null };

export function quotable(document: string): Quotable {
  const { plain, places } = plainText(document);
  const lineOf = lineFinder(document);
  return {
    find: (quoted) => {
      const wanted = plainText(quoted).plain.trim();
      const at = wanted === "" ? -1 : plain.indexOf(wanted);
      if (at === -1) return null;
      const start = places[at] ?? 0;
      const end = (places[at + wanted.length - 1] ?? start) + 1;
      return { text: document.slice(start, end).replace(/\s+/g, " "), line: lineOf(start) };
    },
  };
}

/** The text as it is compared, and where each of its characters stands. */
function plainText(text: string): { readonly plain: string; readonly places: readonly number[] } {
  const chars: string[] = [];
  const places: number[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charAt(i);
    if (/[*`\\]/.test(char)) continue;
    const plain = /\s/.test(char) ? " " : (SAME[char] ?? char);
    if (plain === " " && (chars.length === 0 || chars.at(-1) === " ")) continue;
    chars.push(plain);
    places.push(i);
  }
  return { plain: chars.join(""), places };
}

const SAME: { readonly [char: string]: string } = {
  ...{ "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-" },
};
