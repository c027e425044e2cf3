/** A diff as git prints it, by file and hunk. Every text is as it was, so whoever shows it makes it harmless. */
export type DiffFile = {
  readonly path: string;
  /** Where it was before, if that is another place. */
  readonly from: string | null;
  readonly kind: "changed" | "new" | "deleted" | "renamed";
  readonly isBinary: boolean;
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly DiffHunk[];
};

export type DiffHunk = {
  readonly start: number;
  readonly length: number;
  /** What git names it by: the function around it. */
  readonly around: string;
  readonly rows: readonly DiffRow[];
};

export type DiffRow = {
  readonly sign: " " | "+" | "-";
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
};

type Writing<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? U[] : T[K] };

export function diffFiles(text: string): DiffFile[] {
  const files: Writing<DiffFile>[] = [];
  let rows: DiffRow[] = [];
  let [before, after, left] = [0, 0, { before: 0, after: 0 }];
  const take = (sign: DiffRow["sign"], line: string): void => {
    const [isBefore, isAfter] = [sign !== "+", sign !== "-"];
    rows.push({ sign, before: isBefore ? before : null, after: isAfter ? after : null, text: line.slice(1) });
    before += Number(isBefore);
    after += Number(isAfter);
    left = { before: left.before - Number(isBefore), after: left.after - Number(isAfter) };
  };
  for (const line of text.split("\n")) {
    const file = files.at(-1);
    const sign = line[0] ?? " ";
    // Inside a hunk a line is what its sign says, whatever it looks like.
    if (
      left.before + left.after > 0 &&
      file !== undefined &&
      (sign === "+" || sign === "-" || sign === " ")
    ) {
      take(sign, line === "" ? " " : line);
      if (sign === "+") file.added += 1;
      if (sign === "-") file.removed += 1;
      continue;
    }
    const hunk = HUNK.exec(line);
    if (hunk !== null && file !== undefined) {
      const [, from = "0", fromLength = "1", to = "0", toLength = "1", around = ""] = hunk;
      [before, after] = [Number(from), Number(to)];
      left = { before: Number(fromLength), after: Number(toLength) };
      rows = [];
      file.hunks.push({ start: after, length: left.after, around: around.trim(), rows });
    } else if (line.startsWith("diff --git ")) files.push(newFile(line));
    else if (file !== undefined) readHead(file, line);
  }
  return files;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;

/** `diff --git a/x b/x`: both the same, unless a line below says otherwise. */
function newFile(line: string): Writing<DiffFile> {
  const names = line.slice("diff --git ".length);
  const half = names.slice(0, (names.length - 1) / 2);
  const path = unquoted(half).replace(/^a\//, "");
  return { path, from: null, kind: "changed", isBinary: false, added: 0, removed: 0, hunks: [] };
}

function readHead(file: Writing<DiffFile>, line: string): void {
  const [, word = "", rest = ""] =
    /^(rename from|rename to|new file|deleted file|\+\+\+|Binary files) ?(.*)$/.exec(line) ?? [];
  if (word === "rename from") file.from = unquoted(rest);
  if (word === "rename to") [file.path, file.kind] = [unquoted(rest), "renamed"];
  if (word === "new file") file.kind = "new";
  if (word === "deleted file") file.kind = "deleted";
  if (word === "Binary files") file.isBinary = true;
  if (word === "+++" && rest !== "/dev/null") file.path = unquoted(rest).replace(/^b\//, "");
}

/** git quotes names as C does; what is between quotes is shown as it stands. */
const unquoted = (name: string): string =>
  name.startsWith('"') ? name.slice(1, -1) : name.replace(/\t$/, "");
