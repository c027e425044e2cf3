/**
 * What common names mean in the words of types/shape.ts. A constrained form of a type is that type: what a contract calls `int` may be
 * `PositiveInt` in the code, and an address or a link is text in data.
 */
const TYPES: { readonly [root: string]: { readonly [neutral: string]: string } } = {
  builtins: {
    string: "str",
    integer: "int",
    number: "float",
    boolean: "bool",
    bytes: "bytes bytearray",
    any: "object",
    list: "list",
    map: "dict",
    set: "set frozenset",
    tuple: "tuple",
    type: "type",
  },
  typing: {
    any: "Any",
    string: "Text LiteralString",
    bytes: "ByteString",
    list: "List Sequence MutableSequence Iterable Collection",
    map: "Dict Mapping MutableMapping OrderedDict DefaultDict defaultdict",
    set: "Set FrozenSet AbstractSet MutableSet",
    tuple: "Tuple",
    type: "Type",
  },
  datetime: { datetime: "datetime", date: "date", time: "time", duration: "timedelta" },
  decimal: { decimal: "Decimal" },
  uuid: { uuid: "UUID" },
  pydantic: {
    integer: "conint PositiveInt NegativeInt NonNegativeInt NonPositiveInt StrictInt",
    number: "confloat PositiveFloat NegativeFloat NonNegativeFloat NonPositiveFloat FiniteFloat StrictFloat",
    string:
      "constr StrictStr SecretStr EmailStr HttpUrl AnyUrl AnyHttpUrl FileUrl FtpUrl WebsocketUrl AnyWebsocketUrl PostgresDsn RedisDsn Base64Str",
    boolean: "StrictBool",
    bytes: "conbytes StrictBytes SecretBytes",
    decimal: "condecimal",
    uuid: "UUID1 UUID3 UUID4 UUID5 UUID6 UUID7",
    datetime: "AwareDatetime NaiveDatetime PastDatetime FutureDatetime",
    date: "condate PastDate FutureDate",
    list: "conlist",
    set: "conset confrozenset",
    any: "Json JsonValue",
  },
};

const FORMS: readonly string[] = [
  ..."Optional Union Literal Annotated Final ClassVar Required NotRequired ReadOnly Self TypedDict NamedTuple Protocol TypeAlias Generic NewType TypeVar ParamSpec Callable"
    .split(" ")
    .map((form) => `typing.${form}`),
  ..."dataclasses.dataclass dataclasses.field dataclasses.InitVar pydantic.BaseModel pydantic.Field".split(
    " ",
  ),
  ..."enum.Enum enum.StrEnum enum.IntEnum enum.auto sqlalchemy.Column sqlalchemy.Mapped".split(" "),
];

/** By what the name means: see `Names`. Null where it is none that everybody knows. */
export const neutralName = (meaning: string): string | null => NEUTRAL.get(meaning) ?? null;

const formNames = new Set(FORMS);

/** Whether `from typing import *` may have brought this. */
export const isKnownType = (meaning: string): boolean => NEUTRAL.has(meaning) || formNames.has(meaning);

/** A table by name, of one that lists the names for each: `{ string: "Char Text" }`. */
export const byName = (table: { readonly [meaning: string]: string }): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(table).flatMap(([meaning, names]) => names.split(" ").map((name) => [name, meaning])),
  );

const NEUTRAL: ReadonlyMap<string, string> = new Map(
  Object.entries(TYPES).flatMap(([root, types]) =>
    [...byName(types)].map(([name, neutral]) => [`${root}.${name}`, neutral] as const),
  ),
);
