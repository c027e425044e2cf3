// What the project's own checks and the review of an agent find.

import { buildFinding } from "./catalog/catalog.ts";
import type { FoundFinding } from "./finding.ts";
import type { CheckResult, ReviewedSection, SpecReview } from "./report.ts";

/** A review never blocks: a person reads the sentences and decides. */
export function listReviewFindings({ agent, sections }: SpecReview): FoundFinding[] {
  return joined(sections).flatMap(({ section, status, text, places }) => {
    if (status === "met") return [];
    const code = status === "deviates" ? "spec-deviates" : "spec-unclear";
    const values = { agent, text: withoutPeriod(text) };
    return [buildFinding(code, values, { about: section, at: places[0] ?? null })];
  });
}

/** If all sections are unclear for one reason, mostly a missing answer, one finding is enough. */
function joined(sections: readonly ReviewedSection[]): readonly ReviewedSection[] {
  const [first, ...others] = sections;
  if (first?.status !== "unclear" || others.length === 0) return sections;
  const isSame = others.every(({ status, text }) => status === first.status && text === first.text);
  return isSame ? [{ ...first, section: `all ${sections.length} sections` }] : sections;
}

const withoutPeriod = (text: string): string => text.replace(/\s+/g, " ").replace(/\.$/, "");

export function listCheckFindings(results: readonly CheckResult[]): FoundFinding[] {
  return results.flatMap(({ name, run, status, summary }) => {
    if (status === "green") return [];
    const code = status === "red" ? "check-red" : "check-not-run";
    return [buildFinding(code, { run, summary }, { about: name, at: null })];
  });
}
