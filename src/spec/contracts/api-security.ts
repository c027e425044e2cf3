import { quoted } from "../../core/analyze/words.ts";
import { type Diagnostic, diagnostic } from "../../core/source.ts";
import { nearest } from "../../core/suggest.ts";
import { countAt, type Doc, has, textAt } from "../../formats/cpo/fields.ts";
import { keyRangeAt, type Path } from "../../formats/yaml/tree.ts";
import { keysAt, operationsOf } from "./api-operations.ts";
import type { ContractCode } from "./codes.ts";

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
    .map((key) => {
      const message = `the security scheme ${quoted(name)} has no ${quoted(key)}`;
      const at = keyRangeAt(doc.index, doc.tree, path);
      return diagnostic({ code: "api-security" satisfies ContractCode, message, at, hint: `add ${key}` });
    });
}

function unknown(doc: Doc, path: Path): Diagnostic[] {
  const known = keysAt(doc, SCHEMES);
  return countAt(doc, ...path).flatMap((i) =>
    keysAt(doc, [...path, i])
      .filter((name) => !known.includes(name))
      .map((name) => {
        const near = nearest(name, known);
        const message = `there is no security scheme ${quoted(name)} in this document`;
        const hint = near === null ? "add it to components.securitySchemes" : `did you mean ${quoted(near)}?`;
        const at = keyRangeAt(doc.index, doc.tree, [...path, i, name]);
        return diagnostic({ code: "api-security" satisfies ContractCode, message, at, hint });
      }),
  );
}
