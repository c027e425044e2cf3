import type { Diagnostic } from "../../core/source.ts";
import { languageNames, languageOf } from "../../syntax/language.ts";
import { checkContracts } from "../contracts/check.ts";
import { buildFinding } from "./catalog/catalog.ts";
import type { FoundFinding, IntegrationArea } from "./finding.ts";
import { isImplementation, type SourceProject } from "./project.ts";
import { type CodeFamily, familyOf, readContractTypes } from "./read-code.ts";
import { type ApiOperation, operationsOf } from "./routes/operations.ts";
import type { TypesInput } from "./types/check-types.ts";

/** `path` is from the artifact folder, `file` from the root of the repository. */
export type ContractText = { readonly path: string; readonly file: string; readonly text: string };

/** The parts of contracts that can be compared. */
export type ReadContracts = {
  readonly types: readonly (TypesInput["contracts"][number] & { readonly family: CodeFamily })[];
  /** Null: there is no API contract. */
  readonly operations: readonly ApiOperation[] | null;
};

export async function readContracts(
  files: readonly ContractText[],
  project: SourceProject,
): Promise<{ contracts: ReadContracts; findings: FoundFinding[] }> {
  const types: ReadContracts["types"][number][] = [];
  const findings: FoundFinding[] = [];
  let operations: ApiOperation[] | null = null;
  for (const contract of files) {
    const { path, file, text } = contract;
    const place = { about: path, at: { file, line: null } };
    const language = languageOf(path);
    if (language === null) {
      if (!isApi(contract)) continue;
      const read = operationsOf(contract);
      if (read.problem !== null) findings.push(unreadable(contract, "endpoints", read.problem));
      else operations = [...(operations ?? []), ...read.operations];
      continue;
    }
    const wrong = (await checkContracts([contract])).find(({ severity }) => severity === "error");
    if (wrong !== undefined) {
      findings.push(unreadable(contract, "types", wrong));
      continue;
    }
    const family = familyOf(language);
    if (family === "script" && isPlainScript(project)) {
      findings.push(buildFinding("type-unclear", { kind: "javascript" }, place));
      continue;
    }
    const declared = family === null ? null : await readContractTypes(path, text);
    if (family !== null && declared !== null) types.push({ path: file, family, ...declared });
    else {
      const values = { kind: "language", language: languageNames[language] } as const;
      findings.push(buildFinding("type-unclear", values, place));
    }
  }
  return { contracts: { types, operations }, findings };
}

/** Other data, such as examples, is not compared. */
function isApi({ path, text }: ContractText): boolean {
  return (
    /(?:^|\/)api-schema\.(?:ya?ml|json)$/.test(path) ||
    /^\s*\{?\s*["']?(?:openapi|swagger)["']?\s*:/m.test(text)
  );
}

function unreadable(
  { path, file }: ContractText,
  area: IntegrationArea,
  { message, at }: Diagnostic,
): FoundFinding {
  const line = at === null ? null : at.start.line;
  return buildFinding("contract-unreadable", { problem: message }, { area, about: path, at: { file, line } });
}

/** Code that declares no types; declaration files such as `env.d.ts` do not count. */
function isPlainScript({ paths }: SourceProject): boolean {
  const code = paths.filter((path) => isImplementation(path) && !/\.d\.[cm]?ts$/.test(path));
  const languages = new Set(code.map(languageOf));
  return languages.has("javascript") && !languages.has("typescript") && !languages.has("tsx");
}
