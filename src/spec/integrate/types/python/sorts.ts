import type { Expression } from "./expression.ts";
import { byName } from "./known-types.ts";
import type { Names } from "./names.ts";

/** What a class is for, and which of its bases are of the project. */
export type ClassSort = {
  /** As in types/shape.ts; `class` where nothing says more. */
  readonly sort: string;
  /** The class gets its values from its members. */
  readonly isEnum: boolean;
  /** Bases that may bring fields along, by their names in the file. */
  readonly bases: readonly string[];
  /** What each of these takes: `Page[Order]`. */
  readonly baseArguments: readonly (readonly Expression[])[];
  /** A base that is a value itself, such as `str` or `list[Line]`. */
  readonly valueBase: Expression | null;
};

const BY_BASE = byName({
  BaseModel: "pydantic.BaseModel pydantic.BaseSettings pydantic.GenericModel ninja.Schema",
  ...{ RootModel: "pydantic.RootModel", SQLModel: "sqlmodel.SQLModel", "msgspec.Struct": "msgspec.Struct" },
  ...{ TypedDict: "typing.TypedDict", NamedTuple: "typing.NamedTuple", Protocol: "typing.Protocol" },
  "django model": "django.Model",
  "sqlalchemy model":
    "sqlalchemy.DeclarativeBase sqlalchemy.DeclarativeBaseNoMeta sqlalchemy.MappedAsDataclass sqlalchemy.Model",
  serializer:
    "rest_framework.Serializer rest_framework.ModelSerializer rest_framework.HyperlinkedModelSerializer",
});

const ENUMS =
  /^(?:enum\.(?:Enum|StrEnum|IntEnum|Flag|IntFlag|ReprEnum)|django\.(?:TextChoices|IntegerChoices|Choices))$/;
/** They bring no data along. */
const EMPTY =
  /^(?:typing\.(?:Generic|Hashable|Sized)|abc\.ABC|builtins\.(?:object|\w*(?:Exception|Error|Warning|Exit|Interrupt|Iteration)))$/;
const VALUES = /^builtins\.(?:str|int|float|bool|bytes|list|dict|set|frozenset|tuple)$/;
const DECORATORS = byName({
  dataclass: "dataclasses.dataclass pydantic.dataclass",
  attrs: "attr.define attr.frozen attr.mutable attr.s attr.attrs attr.dataclass",
});

export function classSort(
  bases: readonly Expression[],
  decorators: readonly Expression[],
  names: Names,
): ClassSort {
  const meant = bases.map((base) => {
    const named = base.kind === "subscript" || base.kind === "call" ? base.of : base;
    const name = named.kind === "name" ? named.name : null;
    return { base, name, meaning: name === null ? "" : (KNOWN_OBJECTS.get(name) ?? names.meaning(name)) };
  });
  const isEnum = meant.some(({ meaning }) => ENUMS.test(meaning));
  const decorated = decorators.flatMap((one) => {
    const named = one.kind === "call" ? one.of : one;
    const meaning = named.kind === "name" ? names.meaning(named.name) : "";
    return DECORATORS.get(meaning) ?? [];
  });
  const byBase = meant.flatMap(({ meaning }) => BY_BASE.get(meaning) ?? []);
  const own = meant.filter(
    ({ meaning }) =>
      !BY_BASE.has(meaning) && !ENUMS.test(meaning) && !EMPTY.test(meaning) && !VALUES.test(meaning),
  );
  return {
    sort: isEnum ? "Enum" : (decorated[0] ?? byBase[0] ?? (meant.some(isError) ? "error" : "class")),
    isEnum,
    bases: own.map(({ name, base }) => name ?? base.text),
    baseArguments: own.map(({ base }) => (base.kind === "subscript" ? base.args : [])),
    valueBase: rootIn(meant) ?? meant.find(({ meaning }) => VALUES.test(meaning))?.base ?? null,
  };
}

/** Also one of a framework, such as `APIException`. */
const isError = ({ meaning }: Meant) => /(?:Exception|Error)$/.test(meaning);

type Meant = { readonly base: Expression; readonly meaning: string };

/** `RootModel[list[Line]]` is a list. */
function rootIn(meant: readonly Meant[]): Expression | null {
  const root = meant.find(({ meaning }) => meaning === "pydantic.RootModel")?.base;
  return root?.kind === "subscript" ? (root.args[0] ?? null) : null;
}

/** `db` is what everybody calls the object of Flask-SQLAlchemy; it is made in one file and used in others. */
const KNOWN_OBJECTS = new Map([["db.Model", "sqlalchemy.Model"]]);
