import { capital } from "../text/figures.ts";

/** Longer subjects are cut in lists of commits and pull requests. */
const MOST_CHARS = 72;
/** Of one title in a list; less of it says nothing. */
const CUT_CHARS = [48, 36, 24];

/**
 * One sentence for all of these tasks: the title of the only one, the name of the plan where it is a sentence, else the titles as a
 * list: `Add search, tax and invoices`. Long ones are cut before any is left out.
 */
export function formatPullRequestTitle(plan: string, titles: readonly string[]): string {
  const [first = plan, ...others] = titles.map(formatTaskTitle);
  if (others.length === 0) return shortenTitle(first);
  const name = plan.trim();
  if (/\S\s+\S/.test(name) && [...name].length <= MOST_CHARS) return capital(name);
  const all = [first, ...others];
  for (const most of [MOST_CHARS, ...CUT_CHARS]) {
    const title = joinTitles(
      all.map((one) => shortenTitle(one, most)),
      0,
    );
    if ([...title].length <= MOST_CHARS) return title;
  }
  for (let shown = all.length; shown > 1; shown -= 1) {
    const title = joinTitles(all.slice(0, shown), all.length - shown);
    if ([...title].length <= MOST_CHARS) return title;
  }
  const rest = ` and ${others.length} more`;
  return `${shortenTitle(first, MOST_CHARS - rest.length)}${rest}`;
}

/** A task without a title is known by its id: `add-search` is read as `Add search`. */
export function formatTaskTitle(title: string): string {
  const line = title.trim().split("\n", 1)[0]?.trim() ?? "";
  const words = /^[\w.-]+$/.test(line) ? line.replaceAll(/[-_]+/g, " ").trim() || line : line;
  return capital(words.replace(/[.\s]+$/, ""));
}

/** Whole words, and a sign that there were more. */
function shortenTitle(title: string, most = MOST_CHARS): string {
  const chars = [...title];
  if (chars.length <= most) return title;
  const cut = chars.slice(0, most - 1).join("");
  const blank = cut.lastIndexOf(" ");
  return `${(blank > most / 2 ? cut.slice(0, blank) : cut).replace(/[\s,;:.-]+$/, "")}…`;
}

/** A verb that all begin with is written once. */
function joinTitles(titles: readonly string[], more: number): string {
  const verbs = new Set(titles.map((title) => title.split(" ", 1)[0] ?? ""));
  const [verb = ""] = verbs;
  const isShared = verbs.size === 1 && titles.every((title) => title.length > verb.length + 1);
  const parts = titles.map((title, n) =>
    n === 0 ? title : isShared ? title.slice(verb.length + 1) : lowerFirst(title),
  );
  if (more > 0) return `${parts.join(", ")} and ${more} more`;
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** Names and abbreviations keep their capitals. */
const lowerFirst = (text: string): string =>
  /^\p{Lu}\p{Ll}*(?:\s|$)/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
