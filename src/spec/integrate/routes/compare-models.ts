import { quoted } from "../../../core/analyze/words.ts";
import type { ModelUse, Route } from "./route.ts";

/** What is otherwise than in the contract; null: nothing, or nothing is said. */
export type Difference = { readonly kind: "differs" | "unclear"; readonly text: string };

type Compared = {
  /** Any of these is right. */
  readonly contract: readonly ModelUse[];
  readonly code: ModelUse;
  readonly route: Route;
  /** All names that the contract has for models. */
  readonly known: ReadonlySet<string>;
};

/** Names of types are compared as they are; where only one side names one, nothing is said. */
export function compareModels({ contract, code, route, known }: Compared): Difference | null {
  const [first] = contract;
  const isSilent = contract.some(({ kind }) => kind === "undeclared") || first === undefined;
  if (isSilent || code.kind === "undeclared") return null;
  if (contract.some((one) => isSame(one, code))) return null;
  const wanted = contract.filter(({ kind }) => kind !== "unclear");
  const text = `${said(code)}, and the contract says ${said(first)}`;
  if (code.kind === "unclear" || wanted.length === 0) return { kind: "unclear", text };
  if (code.kind !== "declared" || !isSerializer(route, code.model)) return { kind: "differs", text };
  // A serializer is named after what it makes, or otherwise.
  const model = ofSerializer(code.model);
  if (wanted.some((one) => isSame(one, { ...code, model }))) return null;
  const isOther = known.has(model) && !wanted.some((one) => one.kind === "declared" && one.model === model);
  const isNothing = wanted.every(({ kind }) => kind === "none");
  return { kind: isOther || isNothing ? "differs" : "unclear", text };
}

function isSame(a: ModelUse, b: ModelUse): boolean {
  if (a.kind !== "declared" || b.kind !== "declared") return a.kind === b.kind && a.kind === "none";
  return a.model === b.model && a.isList === b.isList;
}

function isSerializer({ framework }: Route, model: string): boolean {
  return framework === "Django REST framework" && ofSerializer(model) !== "";
}

function ofSerializer(model: string): string {
  return model.replace(/Serializer$/, "");
}

function said(use: ModelUse): string {
  if (use.kind === "declared") return use.isList ? `a list of ${quoted(use.model)}` : quoted(use.model);
  return use.kind === "unclear" ? quoted(use.text) : "no body";
}
