import type { Expression } from "./expression.ts";
import { forwardReference } from "./forward-reference.ts";
import type { Names } from "./names.ts";

/** An annotation without what is only said about the field. */
export type Annotation = {
  readonly type: Expression;
  /** `Required[…]`, `NotRequired[…]`; null: it does not say. */
  readonly isRequired: boolean | null;
  /** `ClassVar[…]`, `InitVar[…]`: nothing that an object has. */
  readonly isNoField: boolean;
  readonly isMapped: boolean;
  /** A relation that is loaded in parts. */
  readonly isRelation: boolean;
  /** What stands behind the type in `Annotated[…]`. */
  readonly about: readonly Expression[];
};

type Said = Omit<Annotation, "type">;

const NOTHING: Said = {
  isRequired: null,
  isNoField: false,
  isMapped: false,
  isRelation: false,
  about: [],
};

/** What a form around the type says, by what it means. */
const FORMS: { readonly [meaning: string]: Partial<Said> } = {
  "typing.Annotated": {},
  "typing.Final": {},
  "typing.ReadOnly": {},
  "typing.Required": { isRequired: true },
  "typing.NotRequired": { isRequired: false },
  "sqlalchemy.Mapped": { isMapped: true },
  "sqlalchemy.WriteOnlyMapped": { isRelation: true },
  "sqlalchemy.DynamicMapped": { isRelation: true },
};
const NO_FIELD = /^(?:typing\.ClassVar|dataclasses\.(?:InitVar|KW_ONLY))$/;
const DEEPEST = 12;

export function annotationOf(annotation: Expression, names: Names): Annotation {
  let type = annotation;
  let said = NOTHING;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    if (type.kind === "literal" && type.value.startsWith('"'))
      type = forwardReference(JSON.parse(type.value));
    const named = type.kind === "subscript" ? type.of : type;
    const meaning = named.kind === "name" ? names.meaning(named.name) : "";
    if (NO_FIELD.test(meaning)) return { ...said, type, isNoField: true };
    if (type.kind !== "subscript" || !Object.hasOwn(FORMS, meaning)) break;
    const [inner, ...about] = type.args;
    if (inner === undefined) break;
    said = { ...said, ...FORMS[meaning], about: [...said.about, ...about] };
    type = inner;
  }
  return { ...said, type };
}
