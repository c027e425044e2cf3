/** Paths as git writes them: quoted like a string in C where they have unusual characters, each byte of those as `\303`. */

const NOWHERE = "/dev/null";

/** Null for a file that is not there. Git puts a tab behind a path with blanks in it. */
export function pathOf(written: string | undefined, prefix: "a/" | "b/" | ""): string | null {
  if (written === undefined) return null;
  const path = unquoted(written.replace(/\t$/, ""));
  if (path === NOWHERE) return null;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** From the first line, which says both without a mark between them: only of a file that keeps its name is anything known. */
export function pathsInHead(head: string): { readonly from: string | null; readonly to: string | null } {
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
