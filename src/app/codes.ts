import { planCatalog } from "../core/analyze/catalog.ts";
import { type CodeEntry, listCodes } from "../core/catalog.ts";
import { formatCatalog } from "../formats/catalog.ts";
import { alignCatalog } from "../spec/align/catalog.ts";
import { contractCatalog } from "../spec/contracts/catalog.ts";
import { coverageCatalog } from "../spec/coverage/catalog.ts";
import { designCatalog } from "../spec/design/catalog.ts";
import { folderCatalog } from "../spec/folder/catalog.ts";
import { integrationCatalog } from "../spec/integrate/catalog/catalog.ts";
import { promptCatalog } from "../spec/prompt-catalog.ts";
import { techSpecCatalog } from "../spec/tech-spec/catalog.ts";
import { fileCatalog } from "./file-catalog.ts";

export function findCode(code: string): CodeEntry | null {
  return allCodes.find((known) => known.code === code.toLowerCase()) ?? null;
}

/** Everything that `plait explain` can explain. */
export const allCodes: readonly CodeEntry[] = [
  ...[fileCatalog, formatCatalog, contractCatalog, folderCatalog].flatMap(listCodes),
  ...[promptCatalog, techSpecCatalog, alignCatalog].flatMap(listCodes),
  ...[planCatalog, designCatalog, coverageCatalog, integrationCatalog].flatMap(listCodes),
];
