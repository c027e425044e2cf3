import type { IntegrationFinding } from "./finding.ts";
import type { SpecJudgement } from "./report.ts";

/** A judgement never blocks: a person reads the sentences and decides. */
export function judgementFindings({ agent, sections }: SpecJudgement): IntegrationFinding[] {
  return sections.flatMap(({ section, status, says, places }): IntegrationFinding[] => {
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

const withoutPeriod = (text: string): string => text.replace(/\s+/g, " ").replace(/\.$/, "");
