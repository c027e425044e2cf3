/**
 * The last message of an agent as one paragraph for people who review the change: the first thing that it says in prose. Code, JSON,
 * headings and status lines are for programs. Null where nothing is left.
 */
export function summarizeMessage(message: string, most: number): string | null {
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
    .filter((line) => line !== "" && !/^(?:#|Status:|[{}[\]]|")/i.test(line));
  const items = lines.map((line) => line.replace(/^(?:[-*+]|\d+[.)])\s+/, ""));
  const isList = items.length > 1 && items.every((item, n) => item !== lines[n]);
  const joined = isList ? items.map((item) => item.replace(/[.;]$/, "")).join("; ") : items.join(" ");
  return joined.replace(/\*\*|__|`/g, "").trim();
}

function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const sentence = cut.lastIndexOf(". ");
  if (sentence > most / 2) return cut.slice(0, sentence + 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), most / 2)).trimEnd()}…`;
}
