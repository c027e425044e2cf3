import type { SyntaxNode } from "../../../../syntax/tree.ts";
import { reasons } from "../../reasons.ts";
import type { Field } from "../shape.ts";
import { named as typeNamed } from "../value-types.ts";
import type { FieldClass } from "./fields.ts";
import { assignmentsIn, classIn } from "./source.ts";

export type Serialized = {
  readonly fields: readonly Field[];
  readonly more: string | null;
  /** The model, where it takes all of its fields. */
  readonly base?: string;
};

/**
 * What a serializer takes from its model: the fields that its `Meta` names. What they are is said in the model, which may be in
 * another file: so it is looked up there, as in `Product["name"]`, or taken as a base where it takes all of them.
 */
export function serializedFields(body: readonly SyntaxNode[], { lineOf }: FieldClass): Serialized {
  const meta = body.map(classIn).find((one) => one?.node.childForFieldName("name")?.text === "Meta");
  const options = (meta?.node.childForFieldName("body")?.namedChildren ?? []).flatMap(assignmentsIn);
  const named = options.find(({ name }) => name === "fields");
  const given = options.find(({ name }) => name === "model")?.value;
  const model = given?.text ?? null;
  if (named?.value?.kind === "literal" && named.value.value === '"__all__"' && given?.kind === "name")
    return { fields: [], more: null, base: given.name };
  if (named?.value?.kind !== "list")
    return { fields: [], more: model === null ? null : reasons.fieldsFrom(model) };
  const fields = named.value.of.flatMap((one): Field[] =>
    one.kind === "literal" && one.value.startsWith('"')
      ? [
          {
            name: JSON.parse(one.value),
            type:
              given?.kind === "name"
                ? typeNamed("lookup", [typeNamed(given.name), { kind: "literal", value: one.value }])
                : { kind: "unknown", text: model === null ? one.text : `as in ${model}` },
            isOptional: false,
            leftOutUnclear: true,
            line: lineOf(named.start),
          },
        ]
      : [],
  );
  const isAll = fields.length === named.value.of.length;
  return { fields, more: isAll ? null : reasons.unlistedFields };
}
