// Which requirements a document has. An id counts where it begins a heading, an item, a row or a paragraph: in the middle of a sentence it
// only refers to a requirement. Documents without ids have what stands below a heading such as "Requirements".

import type { SourceRange } from "../../core/source.ts";
import { indexText, type TextIndex } from "../../formats/text-index.ts";
import { listMarkdownParts, type MarkdownPart } from "./markdown-parts.ts";
import { type LeadingId, readLeadingId, withoutMarks } from "./requirement-id.ts";

export type Requirement = {
  readonly id: string;
  /** One line; empty where the document says nothing beside the id. */
  readonly text: string;
  readonly at: SourceRange;
};

export type RequirementDocument = { readonly file: string; readonly text: string };

/** Of a document, or of all documents of a spec together. */
export type RequirementSet = {
  /** In the order of the documents, each id once. */
  readonly requirements: readonly Requirement[];
  /** The documents write the ids themselves; otherwise plait gave them. */
  readonly hasIds: boolean;
  /** Ids whose parts are requirements: `R1` where there are `R1.1` and `R1.2`. Who covers one of these covers its parts. */
  readonly groups: readonly string[];
  /** Second declarations of an id in a section of requirements, with the first. */
  readonly repeated: readonly { readonly first: Requirement; readonly second: Requirement }[];
};

export function readRequirements({ file, text }: RequirementDocument): RequirementSet {
  const index = indexText(file, text);
  const parts = withSections(listMarkdownParts(text));
  const declared = declarations(parts, index);
  if (declared.length === 0)
    return { requirements: giveIds(parts, index), hasIds: false, groups: [], repeated: [] };
  const first = new Map<string, Declaration>();
  const repeated: { first: Requirement; second: Requirement }[] = [];
  for (const one of declared) {
    const before = first.get(one.id);
    if (before === undefined) first.set(one.id, one);
    else if (before.isInRequirements && one.isInRequirements) repeated.push({ first: before, second: one });
  }
  const all = [...first.values()];
  const groups = all.filter(({ id }) => all.some((other) => isPartOf(other.id, id))).map(({ id }) => id);
  const requirements = all
    .filter(({ id }) => !groups.includes(id))
    .map(({ id, text: said, at }) => ({ id, text: said, at }));
  return { requirements, hasIds: true, groups, repeated };
}

/** `R1.2` is a part of `R1`, and `3.1.4` of `3.1`. */
function isPartOf(id: string, group: string): boolean {
  return id.startsWith(`${group}.`);
}

type Section = "requirements" | "excluded" | null;
type Placed = MarkdownPart & {
  readonly section: Section;
  /** The heading that says so; null where none does. */
  readonly heading: MarkdownPart | null;
};

const REQUIREMENTS = /\b(?:requirements?|user stories|must[- ]haves?|what must be true)\b/i;
const EXCLUDED =
  /\b(?:non-?goals?|out[- ]of[- ]scope|not in scope|what it is not|won'?t|future|later|traceability|(?:system|hardware|software|browser|installation) requirements|prerequisites?|assumptions?|open questions?|glossary|references)\b/i;

/** Each part with what its headings say of it. A title of the whole document says nothing: a PRD is full of other things. */
function withSections(parts: readonly MarkdownPart[]): Placed[] {
  const tops = parts.filter(({ kind, level }) => kind === "heading" && level === 1).length;
  const open: { readonly level: number; readonly section: Section; readonly heading: MarkdownPart }[] = [];
  const around = () => {
    const excluded = open.find(({ section }) => section === "excluded");
    const found = excluded ?? open.findLast(({ section }) => section === "requirements");
    return { section: found?.section ?? null, heading: found?.heading ?? null };
  };
  return parts.map((part) => {
    if (part.kind !== "heading") return { ...part, ...around() };
    while ((open.at(-1)?.level ?? 0) >= part.level) open.pop();
    const placed = { ...part, ...around() };
    const isTitle = part.level === 1 && tops === 1;
    open.push({ level: part.level, section: isTitle ? null : sectionNamed(part.text), heading: part });
    return placed;
  });
}

function sectionNamed(title: string): Section {
  if (EXCLUDED.test(title)) return "excluded";
  return REQUIREMENTS.test(title) ? "requirements" : null;
}

type Declaration = Requirement & { readonly isInRequirements: boolean };

function declarations(parts: readonly Placed[], index: TextIndex): Declaration[] {
  const found = parts.flatMap((part) => {
    if (part.section === "excluded") return [];
    const isInRequirements = part.section === "requirements";
    const context = { isInRequirements, isCell: part.kind === "row", isHeading: part.kind === "heading" };
    const leading = readLeadingId(part.text, context);
    return leading === null ? [] : [{ part, leading, isInRequirements }];
  });
  const numbers = new Set(found.map(({ part, leading }) => `${part.kind} ${leading.id}`));
  const areas = listAreas(parts, new Map(found.map((one) => [one.part, one.leading])));
  const isId = ({ part, leading }: (typeof found)[number]) => {
    if (!leading.isNumber) return true;
    if (part.kind === "heading") return !areas.has(part);
    return listNeighbors(leading.id).some((id) => numbers.has(`${part.kind} ${id}`));
  };
  return found.filter(isId).map(({ part, leading, isInRequirements }) => ({
    ...{ id: leading.id, isInRequirements },
    text: part.kind === "row" ? withoutMarks(part.cells[0] ?? "") : leading.rest,
    at: index.lineRange(part.start, part.end),
  }));
}

/** Areas are numbered too: a heading that has ids of another form below it is one. */
function listAreas(
  parts: readonly Placed[],
  leading: ReadonlyMap<MarkdownPart, LeadingId>,
): ReadonlySet<MarkdownPart> {
  const areas = new Set<MarkdownPart>();
  let open: MarkdownPart[] = [];
  for (const part of parts) {
    if (part.kind === "heading") open = open.filter(({ level }) => level < part.level);
    const id = leading.get(part);
    if (id?.isNumber === false) for (const one of open) areas.add(one);
    if (part.kind === "heading") open.push(part);
  }
  return areas;
}

/** `1.1` counts as an id where another one comes before it, or `1.2` after it; alone it is a number. */
function listNeighbors(id: string): string[] {
  const [, stem = "", last = "0"] = /^(.*?)(\d+)$/.exec(id) ?? [];
  return Number(last) <= 1 ? [`${stem}2`] : [`${stem}${Number(last) - 1}`];
}

/** Headings keep a name, others get a number. */
function giveIds(parts: readonly Placed[], index: TextIndex): Requirement[] {
  const within = parts.filter(({ section }) => section === "requirements");
  const sections = [...new Set(within.map(({ heading }) => heading))];
  const meant = sections.flatMap((heading) => partsMeant(within.filter((part) => part.heading === heading)));
  const taken = new Map<string, number>();
  return meant.map((part, i) => {
    const text = withoutMarks(part.text);
    const id = part.kind === "heading" ? unique(slug(text) || `R${i + 1}`, taken) : `R${i + 1}`;
    return { id, text, at: index.lineRange(part.start, part.end) };
  });
}

const ABOUT_SECTION = /^(?:\d[\d.]*\s+)?(?:overview|introduction|background|summary|notes?|priorit\w+)$/i;

/** Of one section: its headings, else its items, else its rows. */
function partsMeant(parts: readonly Placed[]): Placed[] {
  const headings = parts.filter(
    ({ kind, level, heading, text }) =>
      kind === "heading" &&
      level === (heading?.level ?? 0) + 1 &&
      sectionNamed(text) === null &&
      !ABOUT_SECTION.test(text.trim()),
  );
  const items = parts.filter(({ kind, level }) => kind === "item" && level < 2);
  const rows = parts.filter(({ kind }) => kind === "row");
  return [headings, items, rows].find((list) => list.length > 0) ?? [];
}

function unique(id: string, taken: Map<string, number>): string {
  const times = (taken.get(id) ?? 0) + 1;
  taken.set(id, times);
  return times === 1 ? id : `${id}-${times}`;
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/**
 * The first document that declares an id is its place. Ids that plait gives count only where no document has any, and are those of the
 * first document that has requirements: product requirements come first.
 */
export function gatherRequirements(documents: readonly RequirementDocument[]): RequirementSet {
  const read = documents.map(readRequirements);
  const written = read.filter(({ hasIds }) => hasIds);
  const given = read.find(({ requirements }) => requirements.length > 0);
  const counted = written.length > 0 ? written : given === undefined ? [] : [given];
  const first = new Map<string, Requirement>();
  for (const one of counted.flatMap(({ requirements }) => requirements))
    if (!first.has(one.id)) first.set(one.id, one);
  const groups = new Set(counted.flatMap((one) => one.groups));
  const all = [...first.values()];
  for (const { id } of all) if (all.some((other) => isPartOf(other.id, id))) groups.add(id);
  return {
    requirements: all.filter(({ id }) => !groups.has(id)),
    hasIds: written.length > 0,
    groups: [...groups],
    repeated: counted.flatMap((one) => one.repeated),
  };
}

/** Whether who names this id means the requirement: itself, or a group that it is a part of. */
export function isCoveredBy({ id }: Pick<Requirement, "id">, named: string): boolean {
  return id === named || isPartOf(id, named);
}
