/** One of the 16 colors by its number, or any other as `#rrggbb`. */
export type Ink = number | string;

/** How a text is written. Plain data: two texts with the same look share the object where nothing changed between them. */
export type Look = { readonly fg: Ink | null; readonly bg: Ink | null; readonly traits: readonly Trait[] };

export type Trait = "bold" | "dim" | "italic" | "underline" | "inverse" | "strike";

export const PLAIN: Look = { fg: null, bg: null, traits: [] };

const ON: { readonly [code: number]: Trait } = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  7: "inverse",
  9: "strike",
  21: "underline",
};

const OFF: { readonly [code: number]: readonly Trait[] } = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["inverse"],
  29: ["strike"],
};

/** What `ESC [ params m` makes of a look; what is not understood changes nothing. */
export function styled(before: Look, params: string): Look {
  let look = before;
  // `4:3` is a kind of underline and `38:2::1:2:3` a color: sub-parameters are read like the others.
  const codes = params.split(/[;:]/).map((part) => (part === "" ? 0 : Number(part)));
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] as number;
    if (code === 38 || code === 48 || code === 58) {
      const { ink, used } = inkAt(codes, at + 1);
      at += used;
      if (ink !== null && code === 38) look = { ...look, fg: ink };
      if (ink !== null && code === 48) look = { ...look, bg: ink };
    } else look = one(look, code);
  }
  return look;
}

function one(look: Look, code: number): Look {
  const [on, off] = [ON[code], OFF[code]];
  if (code === 0) return PLAIN;
  if (on !== undefined) return look.traits.includes(on) ? look : { ...look, traits: [...look.traits, on] };
  if (off !== undefined) return { ...look, traits: look.traits.filter((trait) => !off.includes(trait)) };
  if (code >= 30 && code <= 37) return { ...look, fg: code - 30 };
  if (code === 39) return { ...look, fg: null };
  if (code >= 40 && code <= 47) return { ...look, bg: code - 40 };
  if (code === 49) return { ...look, bg: null };
  if (code >= 90 && code <= 97) return { ...look, fg: code - 82 };
  if (code >= 100 && code <= 107) return { ...look, bg: code - 92 };
  return look;
}

/** `5;n` or `2;r;g;b`, the latter with an empty place for a color space in front of it where colons were used. */
function inkAt(codes: readonly number[], at: number): { readonly ink: Ink | null; readonly used: number } {
  if (codes[at] === 5) return { ink: indexed(codes[at + 1] ?? Number.NaN), used: 2 };
  if (codes[at] !== 2) return { ink: null, used: 0 };
  return { ink: rgb(codes.slice(at + 1, at + 4)), used: 4 };
}

function indexed(n: number): Ink | null {
  if (!Number.isInteger(n) || n < 0 || n > 255) return null;
  if (n < 16) return n;
  if (n >= 232) return rgb([8 + (n - 232) * 10, 8 + (n - 232) * 10, 8 + (n - 232) * 10]);
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const cube = n - 16;
  return rgb([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]);
}

function rgb(parts: readonly number[]): Ink | null {
  if (parts.length !== 3 || parts.some((part) => !(part >= 0 && part <= 255))) return null;
  return `#${parts.map((part) => Math.floor(part).toString(16).padStart(2, "0")).join("")}`;
}
