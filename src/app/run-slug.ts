/** What the ids of all runs of a plan begin with, in front of a dash and four letters. */
export function runSlug(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 32)
    .replace(/-+$/, "");
  return slug === "" ? "run" : slug;
}
