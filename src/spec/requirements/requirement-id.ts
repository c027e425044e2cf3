/** An id at the beginning of a heading, an item, a cell or a paragraph, with the text behind it. */
export type LeadingId = {
  readonly id: string;
  readonly rest: string;
  /** `1.1`: only its neighbors tell that it is not a number. */
  readonly isNumber: boolean;
};

export type IdContext = {
  /** Below a heading such as "Functional requirements". There ids of any prefix count, and numbers. */
  readonly isInRequirements: boolean;
  /** The text is a whole cell of a table. */
  readonly isCell: boolean;
  readonly isHeading: boolean;
};

/** Null where the text begins with anything else: a version, a standard, a product that is called like an id. */
export function readLeadingId(text: string, context: IdContext): LeadingId | null {
  const { isInRequirements, isCell, isHeading } = context;
  const [marks = ""] = /^(?:\*\*|__|[`[(*_])*/.exec(text) ?? [];
  const told = text.slice(marks.length);
  const found = readWord(told) ?? readLettered(told) ?? readNumber(told);
  if (found === null) return null;
  const behind = told.slice(found.length);
  const isAlone = /^[\s*_`\])]*$/.test(behind);
  if (isCell) return isAlone && (isInRequirements || found.isKnown) ? leadingId(found, "") : null;
  const isMarked = marks !== "" || isAlone || /^(?:[:.)\]–—]| [-–—:] )/.test(behind);
  const isMeant = isInRequirements || (found.isKnown && isMarked);
  if (!isMeant || !/^(?:$|[\s:.)\]*_`–—-])/.test(behind)) return null;
  // A word may look like an id with a prefix of its own: "IPV6 works", "S3 keeps the files".
  const isName = isMarked || (isHeading && /[-_]/.test(found.id));
  if (!found.isKnown && !found.isNumber && !isName) return null;
  const rest = withoutMarks(behind);
  return found.isNumber && !/^(?:$|[\p{Lu}`"“(])/u.test(rest) ? null : leadingId(found, rest);
}

type Found = {
  readonly id: string;
  readonly length: number;
  /** Of a form that means a requirement wherever it stands. */
  readonly isKnown: boolean;
  readonly isNumber: boolean;
};

function leadingId({ id, isNumber }: Found, rest: string): LeadingId {
  return { id, rest, isNumber };
}

/** "Requirement 3: Sign in". */
function readWord(text: string): Found | null {
  const [whole, word, number] = /^(requirement|req|user story)[ #]+(\d+(?:\.\d+)*)\b/i.exec(text) ?? [];
  if (whole === undefined || word === undefined) return null;
  const id = /^user/i.test(word) ? `US-${number}` : `R${number}`;
  return { id, length: whole.length, isKnown: true, isNumber: false };
}

const KNOWN = /^(?:R|FR|NFR|REQ|US|UC|BR|SR|TR|UR|FUNC|STORY)(?=[-_\d])/;
/** Standards, decisions, other documents, priorities and tests: none of them is a requirement. */
const OTHER =
  /^(?:RFC|TS|ADR|PRD|ISO|IEC|IEEE|UTF|SHA|AES|RSA|MD|TLS|SSL|HTTP|CVE|CWE|EN|DIN|PEP|AC|TC|P|Q|V|H|EC|S)-?\d/;

function readLettered(text: string): Found | null {
  const [id] =
    /^[A-Z][A-Z0-9]{0,9}(?:[-_][A-Z][A-Z0-9]{0,9}){0,3}[-_]?\d{1,5}(?:\.\d+)*[a-z]?(?![\w/])/.exec(text) ??
    [];
  if (id === undefined || OTHER.test(id)) return null;
  return { id, length: id.length, isKnown: KNOWN.test(id), isNumber: false };
}

function readNumber(text: string): Found | null {
  const [id] = /^\d{1,3}(?:\.\d{1,3}){1,4}(?![\w%])/.exec(text) ?? [];
  return id === undefined ? null : { id, length: id.length, isKnown: false, isNumber: true };
}

/** One line of plain text, without what holds it together with the id; a mark that belongs to the text itself stays. */
export function withoutMarks(text: string): string {
  const [lead = ""] = /^[\s:.)\]*_`–—-]+/.exec(text) ?? [];
  const rest = text
    .slice(lead.length)
    .replaceAll(/\*\*|__/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const mark = /[`*_]$/.exec(lead)?.[0] ?? "";
  const isOpened = mark !== "" && rest.split(mark).length % 2 === 0;
  return isOpened ? `${mark}${rest}` : rest;
}
