import type { Piece } from "./graph-layout.ts";

/** An edge as the path of an SVG: it leaves to the right, enters from the left, and is level where it passes a column. */
export function curve(pieces: readonly Piece[]): string {
  const [first, ...rest] = pieces;
  if (first === undefined) return "";
  let x = first.x2;
  let y = first.y;
  let path = `M${n(x)} ${n(y)}`;
  rest.forEach((piece, index) => {
    const middle = (x + piece.x1) / 2;
    path += `C${n(middle)} ${n(y)} ${n(middle)} ${n(piece.y)} ${n(piece.x1)} ${n(piece.y)}`;
    if (index < rest.length - 1) path += `H${n(piece.x2)}`;
    x = piece.x2;
    y = piece.y;
  });
  return path;
}

/** At most one decimal. */
export const n = (value: number): string => String(Math.round(value * 10) / 10);
