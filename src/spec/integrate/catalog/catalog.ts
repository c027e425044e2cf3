import { type Catalog, type CodeParams, createFindingBuilder } from "../../../core/catalog.ts";
import { formatCommand, plait } from "../../../core/text/command.ts";
import type { FindingPlace, FoundFinding } from "../finding.ts";
import { boundaryCatalog } from "./boundaries.ts";
import { endpointCatalog } from "./endpoints.ts";
import type { FixPlace, IntegrationCatalog } from "./entry.ts";
import { taskCatalog } from "./tasks.ts";
import { typeCatalog } from "./types.ts";

type Review = { readonly agent: string; readonly text: string };
type Check = { readonly run: string; readonly summary: string };

/** The project's own checks, and the review of an agent. */
const checkCatalog = {
  "spec-deviates": {
    ...{ area: "tech-spec", severity: "warning" },
    title: "Code deviates from the tech spec",
    explanation:
      "An agent's review, with the sentences of the tech spec that support it. Read them, and change the code or the spec.",
    message: ({ agent, text }: Review) => `${agent} found a deviation: ${text}`,
    hint: ({ about }: FixPlace) =>
      `Read section \`${about}\` of the tech spec, and change the code or the spec`,
  },
  "spec-unclear": {
    ...{ area: "tech-spec", severity: "note" },
    title: "Unclear whether code matches the tech spec",
    explanation: "An agent reviewed the section without a result. The report has the reason.",
    message: ({ agent, text }: Review) => `${agent} could not decide: ${text}`,
    hint: ({ about }: FixPlace) => `Compare the code with section \`${about}\` of the tech spec by hand`,
  },
  "check-red": {
    ...{ area: "checks", severity: "error" },
    title: "Check is red",
    explanation: "The report has the command and the end of its output.",
    message: ({ run, summary }: Check) => `\`${run}\`: ${summary}`,
    hint: ({ about }: FixPlace) => `Make the check \`${about}\` pass`,
  },
  "check-not-run": {
    ...{ area: "checks", severity: "warning" },
    title: "Check was not run",
    explanation: "Its program is not installed, or it was stopped. A check that did not run shows nothing.",
    message: ({ run, summary }: Check) => `\`${run}\` was not run: ${summary}`,
    hint: ({ about }: FixPlace) =>
      `Make the check \`${about}\` run, then run \`${formatCommand(plait("integrate"))}\` again`,
  },
  "technology-differs": {
    ...{ area: "checks", severity: "warning" },
    title: "Project does not match the manifest's technology",
    explanation:
      "`technology` in manifest.json names a language that the project has no checks for, while its files have checks in another one. Those ran. Correct `technology`, or pass `--tech`.",
    message: ({ technology }: { readonly technology: string }) =>
      `the manifest names ${technology}, but the project has no checks for it; its other checks ran`,
    hint: "Set `technology` in `manifest.json` to what the project is written in",
  },
} as const satisfies IntegrationCatalog;

/** Everything `plait integrate` can find: the only place where its findings are worded. */
export const integrationCatalog = {
  ...taskCatalog,
  ...boundaryCatalog,
  ...typeCatalog,
  ...endpointCatalog,
  ...checkCatalog,
} as const;

export type IntegrationCode = keyof typeof integrationCatalog & string;

/** Of each member of a union. */
export type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;
type FindingValues<Code extends IntegrationCode> = Without<
  CodeParams<typeof integrationCatalog, Code>,
  keyof FindingPlace
>;
/** If they differ from the catalog. */
type Overrides = Partial<Pick<FoundFinding, "area" | "weight">>;

type WordedFrom = Pick<FoundFinding, "code" | "values" | "about" | "at" | "home">;

const WEIGHTS = { error: "must", warning: "should", note: "unclear" } as const;

export function buildFinding<Code extends IntegrationCode>(
  code: Code,
  values: FindingValues<Code>,
  place: FindingPlace & Overrides,
): FoundFinding {
  const { area, severity } = integrationCatalog[code];
  return wordFinding({ area, code, weight: WEIGHTS[severity], ...place, values });
}

export function rebuildFinding(finding: FoundFinding, values: object, more: Overrides = {}): FoundFinding {
  return wordFinding({ ...finding, ...more, values: { ...finding.values, ...values } });
}

const word = createFindingBuilder<Catalog>(integrationCatalog);

export function wordFinding<F extends WordedFrom>(finding: F): F & Pick<FoundFinding, "message" | "fix"> {
  const { code, values, about, at, home } = finding;
  const { message, hint } = word(code, { ...values, about, at, home }, null);
  return { ...finding, message, fix: hint ?? "" };
}
