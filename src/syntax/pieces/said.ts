/** How a token is read: `code` has no meaning in its whitespace, `text` only that. */
export type Whole = "code" | "text" | "quoted" | "key" | "comment" | "markup";

/** What a token says, without its layout. */
export function saidBy(written: string, kind: Whole): string {
  const text = written.includes("\r") ? written.replaceAll("\r\n", "\n") : written;
  switch (kind) {
    case "code":
      if (isDigit(text.charCodeAt(0)) && /^\w+$/.test(text)) return text.toLowerCase(); // `0XFF`
      return /[\s\\]/.test(text) ? joined(text.replace(/\\\n/g, " ")) : text;
    case "text":
      return text;
    case "quoted":
      return requoted(text);
    case "key":
      return KEY.exec(text)?.[1] ?? requoted(text);
    case "comment":
      return `${COMMENT}${oneLine(requoted(text).replace(/^(#+|\/\/+|\/\*+)\s+/, "$1"))}${COMMENT}`;
    case "markup":
      return `${COMMENT}${markup(text)}${COMMENT}`;
  }
}

const COMMENT = "\u0003";
/** `{ "a": 1 }` is `{ a: 1 }`. */
const KEY = /^["']([A-Za-z_$][\w$]*)["']$/;
/** With what stands before a text in Python, and one of the quotes that may be around it. */
const QUOTED = /^([A-Za-z]{0,2})("""|'''|["'])([\s\S]*)\2$/;

/** In the same quotes, whichever were chosen. Where code or backslashes are inside, only if no quote is. */
function requoted(text: string): string {
  const [, before = "", quotes = "", inner = ""] = QUOTED.exec(text) ?? [];
  if (quotes === "") return text;
  const prefix = before.toLowerCase().replace("u", "");
  const isPlain = !/["']/.test(inner);
  if (quotes.length === 3)
    return inner.includes('"') ? `${prefix}${quotes}${inner}${quotes}` : `${prefix}"""${inner}"""`;
  if (!isPlain && /[rft]/.test(prefix)) return `${prefix}${quotes}${inner}${quotes}`;
  return `${prefix}"${isPlain ? inner : inner.replace(/\\([\s\S])|"/g, escaped)}"`;
}

/** As it is written between `"`. */
function escaped(found: string, next: string | undefined): string {
  if (next === undefined) return '\\"';
  return next === "'" ? "'" : found;
}

/** Another form of a text has several tokens in one: as if they were apart. */
function joined(text: string): string {
  return text
    .trim()
    .replace(/(\S)\s+(?=(\S))/g, (_, a: string, b: string) => (isApart(a, b, true) ? `${a} ` : a));
}

const oneLine = (text: string) => text.trim().replace(/\s+/g, " ");

/** As it is shown: lines are joined by one space, and blank ones are none. */
function markup(text: string): string {
  const lines = text.split("\n");
  if (lines.length === 1) return text;
  const cut = lines.map((line, i) =>
    i === 0 ? line.trimEnd() : i === lines.length - 1 ? line.trimStart() : line.trim(),
  );
  return cut.filter((line) => line !== "").join(" ");
}

/** Whether something must stand between two tokens so that they are not read as one. */
export function isApart(before: string, next: string, isSpaced: boolean): boolean {
  const [last, first] = [before.charCodeAt(before.length - 1), next.charCodeAt(0)];
  if (isWord(last) && isWord(first)) return isSpaced;
  return isSign(last) && isSign(first);
}

function isWord(code: number): boolean {
  return (
    code > 127 || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || isDigit(code) || code === 95
  );
}

const isDigit = (code: number) => code >= 48 && code <= 57;
const SIGNS: ReadonlySet<number> = new Set(Array.from("+-*/%&|^<>=!~?:.@", (sign) => sign.charCodeAt(0)));
const isSign = (code: number) => SIGNS.has(code);
