import type { Output } from "../output.ts";
import { type Line, styled } from "./line.ts";
import { shown } from "./visible.ts";

/** Something to know that stops nothing. */
export function warn(text: string, { glyphs }: Pick<Output, "glyphs">): Line[] {
  return [[styled("yellow", "warning:"), ` ${shown(text, glyphs)}`]];
}
