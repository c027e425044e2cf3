import { createFindingBuilder, type FindingBuilder } from "../catalog.ts";
import { eachCatalog } from "../each/catalog.ts";
import { ownershipCatalog } from "./catalog-ownership.ts";
import { settingsCatalog } from "./catalog-settings.ts";
import { taskCatalog } from "./catalog-tasks.ts";

/** Everything the core can find in a plan. Severities are those without `--strict`. */
export const planCatalog = {
  ...taskCatalog,
  ...ownershipCatalog,
  ...settingsCatalog,
  ...eachCatalog,
} as const;

export const buildPlanFinding: FindingBuilder<typeof planCatalog> = createFindingBuilder(planCatalog);

export type AnalyzeCode = keyof typeof planCatalog & string;
