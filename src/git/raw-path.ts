// Paths as git has them: bytes, not text. A RawPath holds one byte a character, so it works as a key of a map and goes back
// to git and to the file system unchanged, also where it is not UTF-8. For people it is made readable here.

declare const raw: unique symbol;

/** A path below the root of a tree, one byte a character. */
export type RawPath = string & { readonly [raw]: true };

/** The fields of a `-z` output. */
export function rawFields(stdout: Buffer): RawPath[] {
  const text = stdout.toString("latin1");
  if (text === "") return [];
  return (text.endsWith("\0") ? text.slice(0, -1) : text).split("\0") as RawPath[];
}

/** The input of a `-z --stdin`. */
export function rawInput(fields: Iterable<string>): Buffer {
  return Buffer.from([...fields].map((field) => `${field}\0`).join(""), "latin1");
}

/** From a text of ours, which is UTF-8. */
export function toRaw(text: string): RawPath {
  return Buffer.from(text, "utf8").toString("latin1") as RawPath;
}

/** For the file system: below a folder. */
export function below(folder: string, path: RawPath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")]);
}

/** For people and for facts: as it is where it is UTF-8, with \xNN for the bytes where it is not. */
export function shown(path: RawPath): string {
  const bytes = Buffer.from(path, "latin1");
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return text;
  return path.replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
}

/** What is before the first of these signs, and what is after it. */
export function splitOnce<T extends string>(text: T, sign: string): [before: string, after: T] {
  const at = text.indexOf(sign);
  return [text.slice(0, Math.max(0, at)), text.slice(at + 1) as T];
}

/** An entry of `ls-tree` or `ls-files -s`: the words before its path, and the path. */
export function splitEntry(entry: RawPath): { readonly words: string[]; readonly path: RawPath } {
  const [words, path] = splitOnce(entry, "\t");
  return { words: words.split(/ +/), path };
}

/** All folders above a path, the nearest last; the root is not one of them. */
export function foldersAbove(path: RawPath): RawPath[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("/") as RawPath);
}
