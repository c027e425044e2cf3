import { type Catalog, type CodeParams, createFindingBuilder } from "../../../core/catalog.ts";
import type { FindingPlace, FoundFinding } from "../finding.ts";
import { boundaryCatalog } from "./boundaries.ts";
import { checkCatalog } from "./checks.ts";
import { endpointCatalog } from "./endpoints.ts";
import { taskCatalog } from "./tasks.ts";
import { typeCatalog } from "./types.ts";

/** Everything `plait integrate` can find: the only place where its findings are worded. */
export const integrationCatalog = {
  ...taskCatalog,
  ...boundaryCatalog,
  ...typeCatalog,
  ...endpointCatalog,
  ...checkCatalog,
} as const;

export type IntegrationCode = keyof typeof integrationCatalog & string;

type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;
type FindingValues<Code extends IntegrationCode> = Without<
  CodeParams<typeof integrationCatalog, Code>,
  keyof FindingPlace
>;
/** If they differ from the catalog. */
type Overrides = Partial<Pick<FoundFinding, "area" | "weight">>;

const WEIGHTS = { error: "must", warning: "should", note: "unclear" } as const;

export function buildFinding<Code extends IntegrationCode>(
  code: Code,
  values: FindingValues<Code>,
  place: FindingPlace & Overrides,
): FoundFinding {
  const { area, severity } = integrationCatalog[code];
  return wordFinding({ area, code, weight: WEIGHTS[severity], ...place, values });
}

/** The same finding with more values. */
export function rebuildFinding(
  finding: FoundFinding,
  values: object,
  overrides: Overrides = {},
): FoundFinding {
  return wordFinding({ ...finding, ...overrides, values: { ...finding.values, ...values } });
}

const word = createFindingBuilder<Catalog>(integrationCatalog);

function wordFinding(finding: Omit<FoundFinding, "message" | "fix">): FoundFinding {
  const { code, values, about, at, home } = finding;
  const { message, hint } = word(code, { ...values, about, at, home }, null);
  return { ...finding, message, fix: hint ?? "" };
}
