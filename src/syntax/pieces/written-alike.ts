import type { Part } from "./part.ts";

export type Cut = { readonly text: string; readonly parts: readonly Part[] };

/** Whether the parts of a kind stand in no order: without a name, or comments, since whose one is is a matter of layout. */
export function isLoose({ kind, path }: Pick<Part, "kind" | "path">): boolean {
  return kind === "comment" || path === null;
}

/**
 * Parts that both texts have to the letter: of one name all in their order or none, of those in no order each for itself.
 */
export function writtenAlike(before: Cut, after: Cut): Set<Part> {
  const alike = new Set<Part>();
  const now = groups(after);
  for (const [key, parts] of groups(before)) {
    const others = now.get(key) ?? [];
    const [first] = parts;
    const isSame = (part: Part, i: number) => written(part, before) === written(others[i] as Part, after);
    const count =
      first !== undefined && isLoose(first)
        ? Math.min(parts.length, others.length)
        : parts.length === others.length && parts.every(isSame)
          ? parts.length
          : 0;
    for (const part of [...parts.slice(0, count), ...others.slice(0, count)]) alike.add(part);
  }
  return alike;
}

/** Loose ones are together when they say the same of the same; others when they have one name. */
function groups(cut: Cut): Map<string, Part[]> {
  const found = new Map<string, Part[]>();
  for (const part of cut.parts) {
    const { kind, path, about } = part;
    const key = isLoose(part)
      ? `-${kind} ${path} ${about.join(" ")} ${written(part, cut)}`
      : `+${kind} ${path}`;
    const group = found.get(key);
    if (group === undefined) found.set(key, [part]);
    else group.push(part);
  }
  return found;
}

function written({ ranges, around }: Part, { text }: Cut): string {
  return around + ranges.map(([start, end]) => text.slice(start, end)).join("\n");
}
