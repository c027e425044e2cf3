/** How wide a text is as the page draws it: node widths must hold with any font. */
export type Measure = (text: string, font: "id" | "line" | "mark") => number;

/** The same sizes as in graph.css; the families are those of the page. */
const FONTS = {
  id: ["500 12px", "--mono"],
  line: ["400 11px", "--sans"],
  mark: ["400 11px", "--mono"],
} as const;

let shared: Measure | null = null;

/** Asks the browser, once for each text. */
export function pageMeasure(): Measure {
  if (shared !== null) return shared;
  const canvas = document.createElement("canvas").getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const known = new Map<string, number>();
  shared = (text, font) => {
    const key = `${font} ${text}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const [size, family] = FONTS[font];
    if (canvas !== null) canvas.font = `${size} ${style.getPropertyValue(family)}`;
    const width = canvas?.measureText(text).width ?? text.length * 7;
    if (known.size > MOST_KNOWN) known.clear(); // times tick: without an end they would be kept for ever
    known.set(key, width);
    return width;
  };
  return shared;
}

const MOST_KNOWN = 5_000;

/** The text, or as much of it as there is room for. */
export function fitted(text: string, room: number, width: (text: string) => number): string {
  if (width(text) <= room) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (width(`${text.slice(0, middle).trimEnd()}…`) <= room) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : `${text.slice(0, low).trimEnd()}…`;
}
