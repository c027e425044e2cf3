import type { Located, SourceRange } from "../../core/source.ts";
import type { Part } from "../front-matter.ts";
import type { TextIndex } from "../text-index.ts";
import { type ProseLine, proseOf, withoutBlankEnds, withoutEnd } from "./prose.ts";

/**
 * What stands below the front matter of a task file, beside the scope. Texts are as they were written, word by word: agents get
 * them so. Null: there is no such section; an empty text: nothing is in it.
 */
export type TaskBody = {
  /** `# task-001: User management`, without the id. */
  readonly title: string | null;
  readonly titleAt: SourceRange | null;
  /** The section of that name, or what stands between the title and the first section. */
  readonly objective: Located<string> | null;
  readonly requirements: Located<string> | null;
  readonly checklist: Located<string> | null;
  readonly hasScope: boolean;
  /** The names of all other sections but the scope. */
  readonly others: readonly Located<string>[];
};

/** What the sections are called, in small letters; other generations had other words for some. */
const NAMES = {
  scope: ["scope"],
  objective: ["objective"],
  requirements: ["requirements", "implementation requirements"],
  checklist: ["checklist", "acceptance criteria"],
} as const;

type Known = keyof typeof NAMES;

/** `start` is behind the heading. */
type BodySection = Part & { readonly name: string; readonly heading: number };

export function readBody(index: TextIndex, body: Part): TaskBody {
  const sections = sectionsOf(index.text, body);
  const title = sections.find(({ heading }) => /^#[ \t]/.test(index.text.slice(heading, heading + 2)));
  const located = (section: BodySection | null): Located<string> | null =>
    section && {
      value: withoutBlankEnds(index.text.slice(section.start, section.end)),
      at: index.lineRange(section.heading, section.end),
    };
  const known = (name: Known) => sectionOf(index.text, sections, name);
  const used = new Set<BodySection | null | undefined>([title]);
  for (const name of Object.keys(NAMES) as Known[]) used.add(known(name));
  const intro = title === undefined ? null : located(title);
  return {
    title: title === undefined ? null : titleOf(title.name),
    titleAt: title === undefined ? null : index.lineRange(title.heading, title.end),
    objective: located(known("objective")) ?? (intro?.value ? intro : null),
    requirements: located(known("requirements")),
    checklist: located(known("checklist")),
    hasScope: known("scope") !== null,
    others: sections
      .filter((section) => !used.has(section))
      .map(({ name, heading, end }) => ({ value: name, at: index.lineRange(heading, end) })),
  };
}

export function scopeIn(text: string, body: Part): BodySection | null {
  return sectionOf(text, sectionsOf(text, body), "scope");
}

/** The first of that name with two signs in front. */
function sectionOf(text: string, sections: readonly BodySection[], name: Known): BodySection | null {
  const names: readonly string[] = NAMES[name];
  const isIt = ({ heading, name: told }: BodySection) =>
    text.startsWith("##", heading) && names.includes(told.toLowerCase());
  return sections.find(isIt) ?? null;
}

/** From each heading of the first two ranks up to the next one; lines of code are no headings. */
function sectionsOf(text: string, body: Part): BodySection[] {
  const headings: ProseLine[] = [];
  for (const line of proseOf(text, body))
    if (!line.isCode && /^##?[ \t]/.test(line.text)) headings.push(line);
  return headings.map((line, i) => ({
    name: nameOf(line.text),
    heading: line.start,
    start: line.start + line.text.length,
    end: headings[i + 1]?.start ?? body.end,
  }));
}

/** `## Name`, perhaps with a colon, perhaps closed by signs as it was opened. */
function nameOf(line: string): string {
  if (!line.startsWith("##")) return line.slice(1).trim();
  const words = withoutEnd(line.slice(2).trim(), "#").trimEnd();
  return words.endsWith(":") ? words.slice(0, -1).trimEnd() : words;
}

/** `task-001: Users`, `Task 001 - Users`. */
function titleOf(heading: string): string | null {
  const title = heading.replace(ID_IN_TITLE, "").trim();
  return title === "" ? null : title;
}

const ID_IN_TITLE = /^task(?:-[\w-]+|[ \t]+#?\d[\w-]*)?[ \t]*(?:[:–—]|-(?=[ \t]))[ \t]*/i;
