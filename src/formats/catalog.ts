import { planCatalog } from "../core/analyze/catalog.ts";
import { createFindingBuilder, type FindingBuilder } from "../core/catalog.ts";
import { admCatalog } from "./adm/catalog.ts";
import { syntaxCatalog } from "./catalog-syntax.ts";
import { valueCatalog } from "./catalog-values.ts";
import { cpoCatalog } from "./cpo/catalog.ts";
import { poCatalog } from "./po/catalog.ts";

/** Everything that can be found in a plan file, in the order in which a file is read. */
export const formatCatalog = {
  ...syntaxCatalog,
  ...valueCatalog,
  ...poCatalog,
  ...admCatalog,
  ...cpoCatalog,
} as const;

export type FormatCode = keyof typeof formatCatalog & string;

const all = { ...formatCatalog, ...planCatalog } as const;

/** Formats report findings of the core too, where they know more than the core. */
export const buildFormatFinding: FindingBuilder<typeof all> = createFindingBuilder(all);
export type ReportFormatFinding = FindingBuilder<typeof all, void>;
