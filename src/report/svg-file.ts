import { printable } from "../util/printable.ts";

/** Widest common monospaced font at 12 px; other fonts leave a little air. */
export const CELL = 7.4;

type SvgFile = {
  readonly width: number;
  readonly height: number;
  /** For who cannot see it. */
  readonly title: string;
  readonly style: SvgStyle;
  readonly body: readonly string[];
};

export type SvgStyle = {
  /** Colours beside those that every picture has, as `--name:#RRGGBB`. */
  readonly light: string;
  readonly dark: string;
  readonly rules: readonly string[];
};

/** A picture as one file, light or dark as the reader's system is. No script, no font, no link to anything outside. */
export function svgFile({ width, height, title, style, body }: SvgFile): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} class="plait" role="img" aria-label="${escaped(title)}">`,
    `<style>${styleText(style)}</style>`,
    `<rect class="bg" width="${width}" height="${height}"/>`,
    ...body,
    "</svg>",
    "",
  ].join("\n");
}

const LIGHT = "--bg:#F6F6F4;--edge:#848C95;--fg:#15181C;--fg2:#48505A";
const DARK = "--bg:#0E1013;--edge:#5F6975;--fg:#E7EAEE;--fg2:#A9B1BC";

function styleText({ light, dark, rules }: SvgStyle): string {
  return [
    `.plait{${LIGHT};${light}}`,
    `@media(prefers-color-scheme:dark){.plait{${DARK};${dark}}}`,
    ".plait .bg{fill:var(--bg)}",
    '.plait text{font:12px "JetBrains Mono",ui-monospace,Menlo,Consolas,monospace;fill:var(--fg)}',
    ".plait .head{font-size:15px;font-weight:600}.plait .more{fill:var(--fg2)}",
    ...rules,
  ].join("");
}

/** Texts in SVG files: nothing of them is markup, and their width is known without a font. */

export function escaped(text: string): string {
  return printable(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Good enough for a box: what lies beyond the alphabets counts as two. */
export function cellsOf(text: string): number {
  return [...text].reduce((sum, char) => sum + ((char.codePointAt(0) as number) >= 0x1100 ? 2 : 1), 0);
}

const LONGEST_ID = 32;

export function shortId(id: string): string {
  return id.length <= LONGEST_ID ? id : `${id.slice(0, LONGEST_ID / 2)}…${id.slice(1 - LONGEST_ID / 2)}`;
}

/** At most one decimal. */
export const px = (value: number): string => String(Math.round(value * 10) / 10);
