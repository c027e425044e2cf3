/** What git prints about a change, as files with their hunks. A text that was cut anywhere gives what is whole of it. */
export type DiffFile = {
  readonly path: string;
  /** Where it was before; null where it is where it was. */
  readonly from: string | null;
  readonly status: "modified" | "added" | "deleted" | "renamed" | "copied";
  /** Where it changed: `100644` to `100755`. */
  readonly mode: { readonly from: string; readonly to: string } | null;
  readonly isBinary: boolean;
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly removed: number;
  /** How much of the text of this file is left out. */
  readonly cutBytes: number;
};

export type Hunk = {
  readonly oldStart: number;
  readonly newStart: number;
  /** What git found above it: often the function that it is in. */
  readonly context: string;
  readonly lines: readonly DiffLine[];
};

export type DiffLine = {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
  /** Their numbers before and after; null where there is none. */
  readonly old: number | null;
  readonly new: number | null;
  readonly noNewline: boolean;
};

export function parseDiff(text: string): DiffFile[] {
  const lines = text.split("\n");
  const files: DiffFile[] = [];
  let at = 0;
  while (at < lines.length) {
    if (!(lines[at] as string).startsWith("diff --git ")) at += 1;
    else {
      const read = readFile(lines, at);
      files.push(read.file);
      at = read.end;
    }
  }
  return files;
}

/** The lines of a head that say something, by how they begin. */
const HEADS = [
  ...["old mode ", "new mode ", "new file mode ", "deleted file mode ", "rename from ", "rename to "],
  ...["copy from ", "copy to ", "--- ", "+++ ", "Binary files ", "GIT binary patch"],
] as const;

type Said = { [H in (typeof HEADS)[number]]?: string };

function readFile(
  lines: readonly string[],
  start: number,
): { readonly file: DiffFile; readonly end: number } {
  const said: Said = {};
  let at = start + 1;
  for (; at < lines.length; at += 1) {
    const line = lines[at] as string;
    if (line.startsWith("@@ ") || line.startsWith("diff --git ") || line.startsWith("[")) break;
    const head = HEADS.find((one) => line.startsWith(one));
    if (head !== undefined && said[head] === undefined) said[head] = line.slice(head.length);
  }
  const hunks: Hunk[] = [];
  while (at < lines.length && (lines[at] as string).startsWith("@@ ")) {
    const read = readHunk(lines, at);
    if (read.hunk !== null) hunks.push(read.hunk);
    at = read.end;
  }
  const cutBytes = bytesOf(lines[at] ?? "");
  return { file: { ...fileOf(lines[start] as string, said, hunks), cutBytes }, end: at };
}

/** Below what is there of a file that was cut (git/fair-cut.ts). */
const LEFT_OUT = /^\[(\d[\d,]{0,19}) bytes of this file are left out\]$/;
const bytesOf = (line: string): number => Number((LEFT_OUT.exec(line)?.[1] ?? "0").replaceAll(",", ""));

function fileOf(head: string, said: Said, hunks: readonly Hunk[]): Omit<DiffFile, "cutBytes"> {
  const inHead = pathsInHead(head.slice("diff --git ".length));
  const source = said["rename from "] ?? said["copy from "];
  const target = said["rename to "] ?? said["copy to "];
  const before = source === undefined ? (pathOf(said["--- "], "a/") ?? inHead.from) : pathOf(source, "");
  const after = target === undefined ? (pathOf(said["+++ "], "b/") ?? inHead.to) : pathOf(target, "");
  const [from, to] = [said["old mode "], said["new mode "]];
  const count = (kind: DiffLine["kind"]): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0);
  return {
    path: after ?? before ?? "",
    from: source === undefined ? null : before,
    status: statusOf(said),
    mode: from === undefined || to === undefined ? null : { from, to },
    isBinary: said["Binary files "] !== undefined || said["GIT binary patch"] !== undefined,
    hunks,
    added: count("added"),
    removed: count("removed"),
  };
}

function statusOf(said: Said): DiffFile["status"] {
  if (said["new file mode "] !== undefined) return "added";
  if (said["deleted file mode "] !== undefined) return "deleted";
  if (said["rename from "] !== undefined) return "renamed";
  return said["copy from "] === undefined ? "modified" : "copied";
}

const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/s;
const KINDS: { readonly [sign: string]: DiffLine["kind"] } = { " ": "same", "+": "added", "-": "removed" };

/** How many lines it has is said in front: what follows may look like anything. */
function readHunk(
  lines: readonly string[],
  start: number,
): { readonly hunk: Hunk | null; readonly end: number } {
  const found = HUNK.exec(lines[start] as string);
  if (found === null) return { hunk: null, end: start + 1 };
  const [, oldStart, oldCount = "1", newStart, newCount = "1", context = ""] = found;
  let [old, now] = [Number(oldStart), Number(newStart)];
  const [oldEnd, newEnd] = [old + Number(oldCount), now + Number(newCount)];
  const read: DiffLine[] = [];
  let at = start + 1;
  for (; at < lines.length; at += 1) {
    const line = lines[at] as string;
    // Of a blank line git may leave out the sign (diff.suppressBlankEmpty); the last one is only the end of the text.
    const isBlank = line === "" && at < lines.length - 1;
    const kind = isBlank ? "same" : KINDS[line[0] ?? ""];
    const last = read.at(-1);
    if (line.startsWith("\\") && last !== undefined) read[read.length - 1] = { ...last, noNewline: true };
    else if (kind === undefined || (old >= oldEnd && now >= newEnd)) break;
    else {
      const [isOld, isNew] = [kind !== "added", kind !== "removed"];
      const numbers = { old: isOld ? old : null, new: isNew ? now : null };
      read.push({ kind, text: line.slice(1), ...numbers, noNewline: false });
      [old, now] = [old + Number(isOld), now + Number(isNew)];
    }
  }
  return {
    hunk: { oldStart: Number(oldStart), newStart: Number(newStart), context, lines: read },
    end: at,
  };
}

/** Paths as git writes them: quoted like a string in C where they have unusual characters, each byte of those as `\303`. */

const NOWHERE = "/dev/null";

/** Null for a file that is not there. Git puts a tab behind a path with blanks in it. */
function pathOf(written: string | undefined, prefix: "a/" | "b/" | ""): string | null {
  if (written === undefined) return null;
  const path = unquoted(written.replace(/\t$/, ""));
  if (path === NOWHERE) return null;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** From the first line, which says both without a mark between them: only of a file that keeps its name is anything known. */
function pathsInHead(head: string): { readonly from: string | null; readonly to: string | null } {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*")$/.exec(head);
  if (quoted !== null) return { from: pathOf(quoted[1], "a/"), to: pathOf(quoted[2], "b/") };
  const middle = (head.length - 1) / 2;
  const [from, to] = [head.slice(0, middle), head.slice(middle + 1)];
  const isSame = from.slice(2) === to.slice(2) && head[middle] === " ";
  return isSame ? { from: pathOf(from, "a/"), to: pathOf(to, "b/") } : { from: null, to: null };
}

const ESCAPES: { readonly [char: string]: number } = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  "\\": 92,
};

function unquoted(written: string): string {
  if (!written.startsWith('"') || !written.endsWith('"') || written.length < 2) return written;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [, octal, char, plain] of written.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+|\\)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else if (char !== undefined) bytes.push(ESCAPES[char] ?? char.charCodeAt(0));
    else for (const byte of encoder.encode(plain)) bytes.push(byte);
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

/** What is to be said of a changed file besides its lines: `new`, `renamed from old.ts`, `made executable`. Names are as they are. */
export function fileNotes({ status, from, mode, isBinary, hunks }: DiffFile): string[] {
  const notes: string[] = [];
  if (from !== null) notes.push(`${status === "copied" ? "copied" : "renamed"} from ${from}`);
  if (status === "added") notes.push("new");
  if (status === "deleted") notes.push("deleted");
  if (mode !== null) notes.push(modeText(mode));
  if (isBinary) notes.push("binary");
  const submodule = submoduleNote(hunks[0]?.lines.map(({ text }) => text) ?? []);
  if (submodule !== null) notes.push(submodule);
  return notes;
}

/** `submodule a1b2c3d → d4e5f6a`; null where it is a file. */
function submoduleNote(lines: readonly string[]): string | null {
  const commits = lines
    .slice(0, 2)
    .flatMap((line) => /^Subproject commit ([0-9a-f]{7})/.exec(line)?.[1] ?? []);
  return commits.length === 0 ? null : `submodule ${commits.join(" → ")}`;
}

function modeText({ from, to }: { readonly from: string; readonly to: string }): string {
  if (to === "100755" && from === "100644") return "made executable";
  if (to === "100644" && from === "100755") return "no longer executable";
  return `mode ${from} to ${to}`;
}
