import type { Diagnostic, SourceRange } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { type Doc, textAt } from "../../formats/cpo/fields.ts";
import { find, rangeAt } from "../../formats/yaml/tree.ts";
import type { ContractFile } from "../contracts/check.ts";
import { API_SCHEMA, typesPath } from "../contracts.ts";
import { type Technology, technologies } from "../spec-contents.ts";
import { buildDesignFinding } from "./catalog.ts";
import { keyAt, type LocatedTask } from "./located.ts";

export type CheckContracts = (files: readonly ContractFile[]) => Promise<readonly Diagnostic[]>;

type Given = ContractFile & { readonly key: string; readonly at: SourceRange };

/** The contracts of a design, each as a file of its own; places in them are those of their own text. */
export function givenContracts(doc: Doc, said: Technology | null): Given[] {
  return keys.flatMap((key) => {
    const text = textAt(doc, "contracts", key);
    if (text === null) return [];
    const path = pathOf(key, doc, said);
    const at = rangeAt(doc.index, doc.tree, ["contracts", key]);
    return [{ key, path, file: `${doc.index.file}#${path}`, text: text.value, at }];
  });
}

const keys = ["types", "api_schema"] as const;

function pathOf(key: (typeof keys)[number], doc: Doc, said: Technology | null): string {
  const own = textAt(doc, "manifest", "technology")?.value;
  const technology = said ?? technologies.find((one) => one === own) ?? "python";
  return key === "types" ? typesPath(technology) : API_SCHEMA;
}

/** Also of what is there and is no text: the schema has told of that. */
function givenPaths(doc: Doc, said: Technology | null): string[] {
  const isGiven = (key: string) => {
    const node = find(doc.tree, ["contracts", key]);
    return node !== null && !(node.kind === "scalar" && node.value === null);
  };
  return keys.filter(isGiven).map((key) => pathOf(key, doc, said));
}

export function checkNamedContracts(
  doc: Doc,
  tasks: readonly LocatedTask[],
  said: Technology | null,
): Diagnostic[] {
  const paths = givenPaths(doc, said);
  const wrong = tasks.flatMap(({ id, contracts }) =>
    contracts
      .filter(({ value }) => !paths.includes(value))
      .map(({ value, at }) => {
        const suggestion = paths.find((path) => path.endsWith(`/${value}`)) ?? nearest(value, paths);
        const about = { task: id.value, contract: value, suggestion, given: paths };
        const params = { kind: "unknown", ...about } as const;
        return buildDesignFinding("design-contract", params, at);
      }),
  );
  if (paths.length > 0 || tasks.length < 2) return wrong;
  const none = buildDesignFinding("design-contract", { kind: "none" }, keyAt(doc, "contracts"), {
    severity: "warning",
  });
  return [...wrong, none];
}

/** What is wrong inside of them, with the place of each in the design. */
export async function checkGivenContracts(
  doc: Doc,
  { checkContracts, technology }: { checkContracts: CheckContracts; technology: Technology | null },
): Promise<Diagnostic[]> {
  const given = givenContracts(doc, technology);
  const found = await checkContracts(given.map(({ path, file, text }) => ({ path, file, text })));
  return found.map((one) => {
    const whole = given.find(({ file }) => file === one.at?.file);
    if (whole === undefined) return one;
    const path = `contracts.${whole.key}`;
    const here = { at: whole.at, message: "the contract is here", path };
    return { ...one, path, related: [...one.related, here] };
  });
}
