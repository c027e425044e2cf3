/** `a, b and c`; of more than `most`: `a, b and 5 more`. */
export function formatList(all: readonly string[], most: number): string {
  const more = all.length - most;
  if (more > 0) return `${all.slice(0, most).join(", ")} and ${more} more`;
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}
