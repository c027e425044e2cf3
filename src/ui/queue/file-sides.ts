/** One file of a diff, cut out of the text that git wrote. */
export type DiffLine = {
  readonly kind: "hunk" | "same" | "added" | "removed" | "note";
  /** Its number, in the new file where it is there. */
  readonly n: number | null;
  readonly text: string;
};

export type FileSide = { readonly lines: readonly DiffLine[]; readonly cutLines: number };

const MOST_LINES = 160;
/** Agents write what they like: a line may be a megabyte. */
const LONGEST = 400;

/** What a diff says of this path; null where it says nothing of it. */
export function fileSide(diff: string, path: string): FileSide | null {
  const section = sectionOf(diff.split("\n"), path);
  if (section === null) return null;
  const all = linesOf(section);
  return { lines: all.slice(0, MOST_LINES), cutLines: Math.max(0, all.length - MOST_LINES) };
}

/** From the head of the file to that of the next. */
function sectionOf(lines: readonly string[], path: string): readonly string[] | null {
  const heads = lines.flatMap((line, n) => (line.startsWith("diff --git ") ? [n] : []));
  for (const [place, head] of heads.entries()) {
    const section = lines.slice(head + 1, heads[place + 1] ?? lines.length);
    if (isAbout(lines[head] ?? "", section, path)) return section;
  }
  return null;
}

function isAbout(head: string, section: readonly string[], path: string): boolean {
  if (head.endsWith(` b/${path}`) || head.endsWith(` "b/${path}"`)) return true;
  const first = section.findIndex((line) => line.startsWith("@@"));
  const names = section.slice(0, first < 0 ? undefined : first);
  return names.some((line) => line === `+++ b/${path}` || line === `--- a/${path}`);
}

function linesOf(section: readonly string[]): DiffLine[] {
  const found: DiffLine[] = [];
  let [before, after] = [0, 0];
  let isBody = false;
  for (const line of section) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)/.exec(line);
    if (hunk !== null) {
      [before, after, isBody] = [Number(hunk[1]), Number(hunk[2]), true];
      found.push({ kind: "hunk", n: null, text: cut(hunk[3] ?? "") });
    } else if (!isBody) {
      if (/^(new file|deleted file|Binary files|rename )/.test(line))
        found.push({ kind: "note", n: null, text: cut(line) });
    } else if (line.startsWith("+")) {
      found.push({ kind: "added", n: after, text: cut(line.slice(1)) });
      after += 1;
    } else if (line.startsWith("-")) {
      found.push({ kind: "removed", n: before, text: cut(line.slice(1)) });
      before += 1;
    } else if (line.startsWith(" ")) {
      found.push({ kind: "same", n: after, text: cut(line.slice(1)) });
      before += 1;
      after += 1;
    }
  }
  return found;
}

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
