import type { SyntaxNode } from "../../../../syntax/tree.ts";
import type { Field } from "../shape.ts";
import type { FieldClass } from "./fields.ts";
import { assignmentsIn, classIn } from "./source.ts";

/** What a serializer takes from its model: the fields that its `Meta` names. What they are is said in the model. */
export function serializedFields(
  body: readonly SyntaxNode[],
  { lineOf }: FieldClass,
): { readonly fields: readonly Field[]; readonly more: string | null } {
  const meta = body.map(classIn).find((one) => one?.node.childForFieldName("name")?.text === "Meta");
  const options = (meta?.node.childForFieldName("body")?.namedChildren ?? []).flatMap(assignmentsIn);
  const named = options.find(({ name }) => name === "fields");
  const model = options.find(({ name }) => name === "model")?.value?.text ?? null;
  if (named?.value?.kind !== "list")
    return { fields: [], more: model === null ? null : `it takes fields from \`${model}\`` };
  const fields = named.value.of.flatMap((one): Field[] =>
    one.kind === "literal" && one.value.startsWith('"')
      ? [
          {
            name: JSON.parse(one.value),
            type: { kind: "unknown", text: model === null ? one.text : `as in ${model}` },
            isOptional: false,
            leftOutUnclear: true,
            line: lineOf(named.start),
          },
        ]
      : [],
  );
  const isAll = fields.length === named.value.of.length;
  return { fields, more: isAll ? null : "not all of its fields are named in its text" };
}
