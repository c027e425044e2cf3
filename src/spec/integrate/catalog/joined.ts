import { count } from "../../../core/text/figures.ts";
import { formatList } from "../../format-list.ts";
import type { FindingPlace, OwnedFinding } from "../finding.ts";
import { wordFinding } from "./catalog.ts";

/** What a finding says of others that were joined with it. */
export type Joined = {
  /** Types that belong in a missing file. */
  readonly declares?: readonly string[];
  /** Where other types are used instead of a missing one. */
  readonly usedIn?: readonly Use[];
  /** How many other endpoints show the same mistake. */
  readonly moreEndpoints?: number;
  /** Everything with the same reason, also the finding itself. */
  readonly subjects?: readonly string[];
};

type Use = Pick<FindingPlace, "about" | "at">;

/** Worded again, together with what was joined with it. */
export function joinInto(finding: OwnedFinding, more: Joined): OwnedFinding {
  const joined = { ...finding.joined, ...more };
  const { message, fix } = wordFinding(finding);
  return {
    ...finding,
    joined,
    message: [message, ...formatJoined(joined)].join(""),
    fix: formatFix(finding, fix, joined),
  };
}

function formatJoined({ declares, usedIn, moreEndpoints, subjects }: Joined): string[] {
  const uses = usedIn?.map(({ about, at }) => `\`${about}\`${at === null ? "" : ` (${at.file}:${at.line})`}`);
  return [
    ...(declares === undefined ? [] : [`; it must declare ${formatNames(declares)}`]),
    ...(uses === undefined ? [] : [`; other types are used instead in ${formatList(uses, MOST)}`]),
    ...(moreEndpoints === undefined ? [] : [` (and in ${count(moreEndpoints, "more endpoint")})`]),
    ...(subjects === undefined ? [] : [`: ${formatNames(subjects)}`]),
  ];
}

function formatFix({ weight }: OwnedFinding, fix: string, { usedIn, subjects }: Joined): string {
  if (usedIn !== undefined) return `${fix}, and use it in ${formatNames(usedIn.map(({ about }) => about))}`;
  if (subjects === undefined) return fix;
  const names = formatNames(subjects);
  return weight === "unclear" ? `Compare ${names} with the contract by hand` : `Add routes for ${names}`;
}

/** Enough to fix them, and short enough for a line. */
const MOST = 12;

const formatNames = (names: readonly string[]): string =>
  formatList(
    [...new Set(names)].map((name) => `\`${name}\``),
    MOST,
  );
