import type { SyntaxNode } from "../tree.ts";
import {
  DEEPEST,
  inside,
  type Part,
  pathIn,
  type Range,
  rangeOf,
  type Scope,
  type Source,
  withMembers,
} from "./part.ts";
import { membersOf } from "./script-members.ts";

/** Where a declaration stands: `outer` is all of it, with `export`, `declare` and its decorators. */
export type Place = { readonly scope: Scope; readonly source: Source; readonly outer: SyntaxNode };

/** `start` is the place of the name. */
type Named = { readonly start: number; readonly body: SyntaxNode | null; readonly place: Place };

/** What is declared by a name, with its members if it has a body. */
export function namedParts(name: string, { start, body, place }: Named): Part[] {
  const { scope, source, outer } = place;
  const path = pathIn(scope, name);
  const whole: Part = { kind: "named", path, ranges: [rangeOf(outer)], about: [], around: "", start };
  if (body === null || scope.depth >= DEEPEST) return [whole];
  const ranges: Range[] = [
    [outer.startIndex, body.startIndex],
    [body.endIndex, outer.endIndex],
  ];
  return withMembers({ ...whole, ranges }, membersOf(body, inside(scope, path), source));
}
