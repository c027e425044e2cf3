import type { Diagnostic } from "../../core/source.ts";
import { languageNames, languageOf } from "../../syntax/language.ts";
import { checkContracts } from "../contracts/check.ts";
import type { FoundFinding, IntegrationArea } from "./finding.ts";
import { isImplementation, type SourceProject } from "./project.ts";
import { type CodeFamily, familyOf, readContractTypes } from "./read-code.ts";
import { type ApiOperation, operationsOf } from "./routes/operations.ts";
import type { TypesInput } from "./types/check-types.ts";

/** `path` is from the artefact folder, `file` from the root of the repository. */
export type ContractText = { readonly path: string; readonly file: string; readonly text: string };

/** What contracts say that can be compared. */
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
      findings.push(notCompared(contract, "the code is JavaScript, which declares no types"));
      continue;
    }
    const declared = family === null ? null : await readContractTypes(path, text);
    if (family !== null && declared !== null) types.push({ path: file, family, ...declared });
    else
      findings.push(notCompared(contract, `types in ${languageNames[language]} are not compared with code`));
  }
  return { contracts: { types, operations }, findings };
}

/** Of the data beside it, such as examples, nothing is asked. */
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
  return {
    ...{ area, code: "contract-unreadable", weight: "must", about: path },
    at: { file, line: at === null ? null : at.start.line },
    message: `it cannot be read, and nothing was compared with it: ${message}`,
  };
}

function notCompared({ path, file }: ContractText, message: string): FoundFinding {
  const about = { area: "types", about: path, at: { file, line: null } } as const;
  return { ...about, code: "type-unclear", weight: "cannot-tell", message };
}

/** Code of which nobody can say that a type is missing in it; a few types beside it (`env.d.ts`) do not change that. */
function isPlainScript({ paths }: SourceProject): boolean {
  const code = paths.filter((path) => isImplementation(path) && !/\.d\.[cm]?ts$/.test(path));
  const languages = new Set(code.map(languageOf));
  return languages.has("javascript") && !languages.has("typescript") && !languages.has("tsx");
}
