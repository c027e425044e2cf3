import { classEnd } from "./charset.ts";

/** `{a,b}` means what writing both patterns means; `{1..3}` and `{a..c}` are such lists too. */
export type Expansion =
  | { readonly kind: "texts"; readonly texts: readonly string[] }
  | { readonly kind: "undecided"; readonly why: string }
  | { readonly kind: "unclosed" };

/** More alternatives than a person writes on purpose; each is compared on its own. */
export const MAX_ALTERNATIVES = 256;

/** What stands inside one open brace: finished alternatives, and the texts of the one being read. */
type Frame = { readonly start: number; readonly done: string[][]; texts: string[] };

/** Goes through the text once, with its own stack: neither depth nor products of lists can hurt. */
export function expandBraces(text: string): Expansion {
  if (!text.includes("{")) return { kind: "texts", texts: [text] };
  const open: Frame[] = [{ start: -1, done: [], texts: [""] }];
  for (let i = 0; i < text.length; ) {
    const frame = open.at(-1) as Frame;
    const character = text.charAt(i);
    const end = character === "[" ? classEnd(text, i) : null;
    if (character === "{") {
      open.push({ start: i, done: [], texts: [""] });
    } else if (character === "," && open.length > 1) {
      frame.done.push(frame.texts);
      frame.texts = [""];
    } else if (character === "}" && open.length > 1) {
      open.pop();
      const problem = close(frame, text.slice(frame.start + 1, i), open.at(-1) as Frame);
      if (problem !== null) return { kind: "undecided", why: problem };
    } else {
      const piece = end === null ? character : text.slice(i, end);
      frame.texts = frame.texts.map((head) => head + piece);
      i += piece.length - 1;
    }
    i += 1;
  }
  if (open.length > 1) return { kind: "unclosed" };
  return { kind: "texts", texts: (open[0] as Frame).texts };
}

/** Joins what a closed brace stands for to the frame around it; says why where that cannot be done. */
function close(frame: Frame, inner: string, outer: Frame): string | null {
  const alternatives = alternativesOf(frame, inner);
  if (typeof alternatives === "string") return alternatives;
  if (outer.texts.length * alternatives.length > MAX_ALTERNATIVES) return tooMany();
  outer.texts = outer.texts.flatMap((head) => alternatives.map((tail) => head + tail));
  return null;
}

function alternativesOf(frame: Frame, inner: string): readonly string[] | string {
  if (frame.done.length > 0) return [...frame.done, frame.texts].flat();
  const isRange = /^[^/]*[^/.]\.\.[^/.][^/]*$/.test(inner) && !/[{}]/.test(inner);
  // As in a shell, braces around a single word are ordinary characters.
  return isRange ? rangeOf(inner) : frame.texts.map((text) => `{${text}}`);
}

function rangeOf(inner: string): readonly string[] | string {
  const numbers = /^(0|-?[1-9]\d{0,8})\.\.(0|-?[1-9]\d{0,8})$/.exec(inner);
  if (numbers) return count(Number(numbers[1]), Number(numbers[2]), String);
  const letters = /^(?:([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z]))$/.exec(inner);
  if (!letters) return `has the range {${inner}}, which is not a simple one such as {1..3} or {a..c}`;
  const [from, to] = [letters[1] ?? letters[3], letters[2] ?? letters[4]] as [string, string];
  return count(from.charCodeAt(0), to.charCodeAt(0), (code) => String.fromCharCode(code));
}

function count(from: number, to: number, write: (n: number) => string): readonly string[] | string {
  const length = Math.abs(to - from) + 1;
  if (length > MAX_ALTERNATIVES) return tooMany();
  const step = from <= to ? 1 : -1;
  return Array.from({ length }, (_, i) => write(from + i * step));
}

function tooMany(): string {
  return `has braces that stand for more than ${MAX_ALTERNATIVES} paths`;
}
