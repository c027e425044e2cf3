import type { Diagnostic } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { countAt, type Doc, has, textAt } from "../../formats/cpo/fields.ts";
import { keyRangeAt, type Path } from "../../formats/yaml/tree.ts";
import { keysAt, operationsOf } from "./api-operations.ts";
import { buildContractFinding } from "./catalog.ts";

const SCHEMES = ["components", "securitySchemes"];

/** What each type of scheme cannot do without. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  apiKey: ["name", "in"],
  http: ["scheme"],
  oauth2: ["flows"],
  openIdConnect: ["openIdConnectUrl"],
};

/** Schemes are complete, and those that are asked for exist. */
export function checkSecurity(doc: Doc): Diagnostic[] {
  const places: Path[] = [["security"], ...operationsOf(doc).map(({ path }) => [...path, "security"])];
  return [
    ...keysAt(doc, SCHEMES).flatMap((name) => incomplete(doc, name)),
    ...places.flatMap((at) => unknown(doc, at)),
  ];
}

function incomplete(doc: Doc, name: string): Diagnostic[] {
  const path = [...SCHEMES, name];
  if (has(doc, ...path, "$ref")) return [];
  const type = textAt(doc, ...path, "type")?.value ?? null;
  const needed =
    type === null ? ["type"] : Object.hasOwn(NEEDS, type) ? (NEEDS[type] as readonly string[]) : [];
  return needed
    .filter((key) => !has(doc, ...path, key))
    .map((key) =>
      buildContractFinding(
        "api-security",
        { kind: "incomplete", scheme: name, key },
        keyRangeAt(doc.index, doc.tree, path),
      ),
    );
}

function unknown(doc: Doc, path: Path): Diagnostic[] {
  const known = keysAt(doc, SCHEMES);
  return countAt(doc, ...path).flatMap((i) =>
    keysAt(doc, [...path, i])
      .filter((name) => !known.includes(name))
      .map((name) => {
        const at = keyRangeAt(doc.index, doc.tree, [...path, i, name]);
        const params = { kind: "unknown", scheme: name, suggestion: nearest(name, known) } as const;
        return buildContractFinding("api-security", params, at);
      }),
  );
}
