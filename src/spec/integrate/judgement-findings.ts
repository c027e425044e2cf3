import type { FoundFinding } from "./finding.ts";
import type { JudgedSection, SpecJudgement } from "./report.ts";

/** A judgement never blocks: a person reads the sentences and decides. */
export function judgementFindings({ agent, sections }: SpecJudgement): FoundFinding[] {
  return joined(sections).flatMap(({ section, status, says, places }): FoundFinding[] => {
    if (status === "met") return [];
    const about = { area: "tech-spec", about: section, at: places[0] ?? null } as const;
    const text = withoutPeriod(says);
    return status === "deviates"
      ? [
          {
            ...about,
            code: "spec-deviates",
            weight: "should",
            message: `${agent} finds that it deviates: ${text}`,
          },
        ]
      : [{ ...about, code: "spec-unclear", weight: "cannot-tell", message: `${agent} cannot tell: ${text}` }];
  });
}

/** Where nothing at all can be told, and for one reason, it is told once: mostly there was no answer. */
function joined(sections: readonly JudgedSection[]): readonly JudgedSection[] {
  const [first, ...others] = sections;
  if (first?.status !== "cannot-tell" || others.length === 0) return sections;
  const isSame = others.every(({ status, says }) => status === first.status && says === first.says);
  return isSame ? [{ ...first, section: `all ${sections.length} sections` }] : sections;
}

const withoutPeriod = (text: string): string => text.replace(/\s+/g, " ").replace(/\.$/, "");
