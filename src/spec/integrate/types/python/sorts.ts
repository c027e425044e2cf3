import type { Expression } from "./expression.ts";
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

const BY_BASE: { readonly [meaning: string]: string } = {
  "pydantic.BaseModel": "BaseModel",
  "pydantic.RootModel": "RootModel",
  "pydantic.BaseSettings": "BaseModel",
  "pydantic.GenericModel": "BaseModel",
  "ninja.Schema": "BaseModel",
  "sqlmodel.SQLModel": "SQLModel",
  "typing.TypedDict": "TypedDict",
  "typing.NamedTuple": "NamedTuple",
  "typing.Protocol": "Protocol",
  "msgspec.Struct": "msgspec.Struct",
  "django.Model": "django model",
  "sqlalchemy.DeclarativeBase": "sqlalchemy model",
  "sqlalchemy.DeclarativeBaseNoMeta": "sqlalchemy model",
  "sqlalchemy.MappedAsDataclass": "sqlalchemy model",
  "sqlalchemy.Model": "sqlalchemy model",
  "rest_framework.Serializer": "serializer",
  "rest_framework.ModelSerializer": "serializer",
  "rest_framework.HyperlinkedModelSerializer": "serializer",
};

const ENUMS =
  /^(?:enum\.(?:Enum|StrEnum|IntEnum|Flag|IntFlag|ReprEnum)|django\.(?:TextChoices|IntegerChoices|Choices))$/;
/** They bring no data along. */
const EMPTY =
  /^(?:typing\.(?:Generic|Hashable|Sized)|abc\.ABC|builtins\.(?:object|\w*(?:Exception|Error|Warning|Exit|Interrupt|Iteration)))$/;
const VALUES = /^builtins\.(?:str|int|float|bool|bytes|list|dict|set|frozenset|tuple)$/;
const DECORATORS: { readonly [meaning: string]: string } = {
  "dataclasses.dataclass": "dataclass",
  "pydantic.dataclass": "dataclass",
  "attr.define": "attrs",
  "attr.frozen": "attrs",
  "attr.mutable": "attrs",
  "attr.s": "attrs",
  "attr.attrs": "attrs",
  "attr.dataclass": "attrs",
};

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
    return Object.hasOwn(DECORATORS, meaning) ? [DECORATORS[meaning] as string] : [];
  });
  const byBase = meant.flatMap(({ meaning }) =>
    Object.hasOwn(BY_BASE, meaning) ? [BY_BASE[meaning] as string] : [],
  );
  const own = meant.filter(
    ({ meaning }) =>
      !Object.hasOwn(BY_BASE, meaning) &&
      !ENUMS.test(meaning) &&
      !EMPTY.test(meaning) &&
      !VALUES.test(meaning),
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
