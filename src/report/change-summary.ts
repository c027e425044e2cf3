/** Of one task, among those of the others. */
const MOST_SUMMARY = 600;

/**
 * What an agent reported as one paragraph for people who review the change: the first thing that it says in prose. Code, JSON,
 * headings and status lines are for programs. Null where nothing is left.
 */
export function summarizeMessage(message: string, most = MOST_SUMMARY): string | null {
  const prose = message.replace(/^```[\s\S]*?^```[^\S\n]*$/gm, "");
  const paragraphs = prose
    .split(/\n[^\S\n]*\n/)
    .map(cleanParagraph)
    .filter((text) => text !== "");
  const [first, second] = paragraphs;
  if (first === undefined) return null;
  const isLead = first.endsWith(":") && second !== undefined;
  return cutAtWord(isLead ? `${first} ${second}` : first, most);
}

/** As a line: items of a list are joined, marks of Markdown are left out. */
function cleanParagraph(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .map((line) => line.replace(/^[*_]*summary[*_]*:[*_]*\s*/i, ""))
    .filter((line) => line !== "" && !/^(?:#|[*_]*Status[*_]*:|[{}[\]]|")/i.test(line));
  const items = lines.map((line) => line.replace(/^(?:[-*+]|\d+[.)])\s+/, ""));
  const isList = items.length > 1 && items.every((item, n) => item !== lines[n]);
  const joined = isList ? items.map((item) => item.replace(/[.;]$/, "")).join("; ") : items.join(" ");
  return joined.replace(/\*\*|__|`/g, "").trim();
}

/** Whether a message says nothing beside its summary and its status. */
export function isOnlySummary(message: string, summary: string): boolean {
  const text = message.replace(/^[*_]*Status[*_]*:.*$/im, "").replace(/^[*_]*Summary[*_]*:/im, "");
  return text.replace(/\s+/g, " ").trim() === summary;
}

function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const sentence = cut.lastIndexOf(". ");
  if (sentence > most / 2) return cut.slice(0, sentence + 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), most / 2)).trimEnd()}…`;
}
