// Which parts of a tech spec an agent is asked about: its own sections, without those that speak of the document, and what every tech
// spec is asked for.

export type AskedSection = {
  readonly name: string;
  /** Must be answered. What the spec may not speak of at all need not be. */
  readonly isOwn: boolean;
};

export function listSectionsToReview(spec: string): readonly AskedSection[] {
  const headings = headingsIn(spec).filter(
    ({ title, hasText }) => hasText && !ABOUT_DOCUMENT.test(plain(title)),
  );
  const own = ownLevel(headings).map(({ title }) => ({ name: title, isOwn: true }));
  const once = own.filter(({ name }, i) => own.findIndex((one) => sameName(one.name, name)) === i);
  const others = ALWAYS.filter(([, pattern]) => !once.some(({ name }) => pattern.test(name)));
  const rest = others.map(([name]) => ({ name, isOwn: false }));
  return once.length === 0 ? [{ name: "The whole document", isOwn: true }, ...rest] : [...once, ...rest];
}

const ALWAYS = [
  ["Architecture", /architect|components?|design/i],
  ["Data model", /data|schema|entit/i],
  ["API", /\bapis?\b|endpoint|interface|routes?/i],
] as const;

const ABOUT_DOCUMENT =
  /^(?:references?|links|see also|glossary|terms|(?:table of )?contents|toc|change ?log|(?:revision|document|version) history|history|open questions?|questions|alternatives(?: considered)?|decision log|decisions|approvals?|sign-?off|authors?|reviewers|related(?: .*)?|timeline|milestones|schedule|background|motivation|metadata|status|risks?(?: .*)?|rollout(?: .*)?)$/;

/** Names that mean the same section, however they are numbered and marked. */
export function sameName(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(title: string): string {
  return title
    .toLowerCase()
    .replace(/^[#\s]*(?:\d+[.)]?)*\s*/, "")
    .replace(/[*_`:]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

type Heading = { readonly level: number; readonly title: string; readonly hasText: boolean };

/** The sections that people think in: those right below the title. */
function ownLevel(headings: readonly Heading[]): readonly Heading[] {
  const at = (level: number) => headings.filter((one) => one.level === level);
  return [at(2), at(1).length > 1 ? at(1) : [], at(3)].find((found) => found.length > 0) ?? [];
}

/** Text below one of its own belongs to a heading as well. */
function headingsIn(spec: string): Heading[] {
  const found: { level: number; title: string; hasText: boolean }[] = [];
  let fence: string | null = null;
  for (const line of withoutFrontMatter(spec).split(/\r?\n/)) {
    const [, mark] = /^ {0,3}(```+|~~~+)/.exec(line) ?? [];
    if (mark !== undefined && (fence === null || mark.startsWith(fence)))
      fence = fence === null ? mark : null;
    const [, signs = "", title = ""] =
      (fence === null && /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$/.exec(line)) || [];
    if (signs !== "") found.push({ level: signs.length, title: title.trim(), hasText: false });
    else if (/[\p{L}\p{N}]/u.test(line)) markAbove(found);
  }
  return found.filter(({ title }) => title !== "");
}

/** The last heading, and each that it stands below. */
function markAbove(found: { level: number; hasText: boolean }[]): void {
  let level = Number.POSITIVE_INFINITY;
  for (let i = found.length - 1; i >= 0 && level > 1; i -= 1) {
    const one = found[i];
    if (one === undefined || one.level >= level) continue;
    one.hasText = true;
    level = one.level;
  }
}

function withoutFrontMatter(spec: string): string {
  return spec.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, "");
}
