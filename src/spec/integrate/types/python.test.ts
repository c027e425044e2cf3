import { expect, test } from "vitest";
import { parseSource } from "../../../syntax/parse.ts";
import { pythonTypes } from "./python.ts";
import type { DeclaredShape, Field } from "./shape.ts";
import { typeInWords } from "./words.ts";

/** One line for a type: `dataclass Product(Base) { sku: str, note?: str | None }`. */
async function told(text: string): Promise<string[]> {
  const tree = await parseSource("python", text);
  try {
    return pythonTypes(tree).types.map(inWords);
  } finally {
    tree.free();
  }
}

function inWords({ name, shape, sort, bases }: DeclaredShape): string {
  const head = `${sort} ${name}${bases.length === 0 ? "" : `(${bases.join(", ")})`}`;
  if (shape.kind === "values") return `${head} = ${shape.values.join(" | ")}`;
  if (shape.kind === "alias") return `${head} = ${typeInWords(shape.type, "python")}`;
  if (shape.kind === "unknown") return `${head} ? ${shape.why}`;
  const more = shape.more === null ? [] : [`… ${shape.more}`];
  return `${head} { ${[...shape.fields.map(field), ...more].join(", ")} }`;
}

const field = ({ name, alias, type, isOptional, leftOutUnclear, isImplied }: Field) => {
  const marks = `${isImplied ? "~" : ""}${leftOutUnclear ? "" : isOptional ? "?" : "!"}`;
  return `${name}${alias === undefined ? "" : `(${alias})`}${marks}: ${typeInWords(type, "python")}`;
};

test.each<[string, string, ...string[]]>([
  [
    "dataclasses, by any way to the decorator",
    `
import dataclasses
from dataclasses import dataclass as data, field, InitVar, KW_ONLY
from typing import ClassVar
@data(frozen=True)
class A:
    """Not a field."""
    x: int
    y: str = ""
    z: list[int] = field(default_factory=list)
    w: int = field(compare=False)
    _: KW_ONLY
    seed: InitVar[int] = 3
    limit: ClassVar[int] = 9
    _hidden: int = 0
    size = 4
    @property
    def area(self) -> int: ...
    def total(self) -> int: ...
@dataclasses.dataclass
class B(A, Other["x"]):
    q: "A | None" = None; r: A
`,
    "dataclass A { area~: @property int, x!: int, y?: str, z?: list[int], w!: int }",
    "dataclass B(A, Other) { q?: A | None, r!: A }",
  ],
  [
    "models of pydantic",
    `
from typing import Annotated, Optional
import pydantic
from pydantic import BaseModel as Base, ConfigDict, Field, PrivateAttr, conint, EmailStr, RootModel
class A(Base):
    model_config = ConfigDict(extra="forbid")
    a: int = Field(gt=0)
    b: int = Field(..., gt=0)
    c: int = Field(3)
    d: int = Field(default=3, alias="dee")
    e: Optional[str]
    f: int = ...
    g: list[str] = pydantic.Field(default_factory=list)
    h: Annotated[int, Field(ge=1), Field(default=2)]
    i: Annotated[str | None, Field(alias="eye")] = None
    j: conint(gt=0)
    k: EmailStr
    l: int = None
    m: int = strawberry.field(3)
    _secret: str = PrivateAttr()
    @computed_field
    @property
    def total(self) -> int: ...
    @property
    def half(self) -> int: ...
    class Config:
        frozen = True
class Tags(RootModel[list[str]]):
    pass
`,
    "BaseModel A { total~: int, a!: int, b!: int, c?: int, d(dee)?: int, e!: str | None, f!: int, g?: list[str], h?: int, i(eye)?: str | None, j!: int, k!: str, l?: int | None, m: int }",
    "RootModel Tags = list[str]",
  ],
  [
    "TypedDict, NamedTuple, Protocol, attrs, msgspec and plain classes",
    `
import attr, msgspec, attrs
from attrs import define
from typing import *
from typing_extensions import NotRequired, ReadOnly
class D(TypedDict, total=False):
    a: int
    b: Required[ReadOnly[str]]
class E(TypedDict):
    a: NotRequired["list[D]"]
class F(E, total=False):
    b: int
class N(NamedTuple):
    a: int
    b: int = 0
class P(Protocol):
    a: int
    def run(self) -> None: ...
@define
class R:
    a: int
    b: list[int] = attrs.field(factory=list)
@attr.s
class S:
    a = attr.ib(type=int)
    b = attr.ib(default=1)
class M(msgspec.Struct, frozen=True):
    a: int = msgspec.field(name="A")
class NotFound(Exception):
    code: int = 404
    def __init__(self, sku: str, note: str | None = None) -> None:
        super().__init__(sku)
        self.sku = sku
        self.note = note
        self.seen: dict[str, int] = {}
        self._own = 1
`,
    "TypedDict D { a?: int, b!: str }",
    "TypedDict E { a?: list[D] }",
    "TypedDict F(E) { b?: int }",
    "NamedTuple N { a!: int, b?: int }",
    "Protocol P { a!: int }",
    "attrs R { a!: int, b?: list[int] }",
    "attrs S { a!: int, b?: attr.ib(default=1) }",
    "msgspec.Struct M { a(A)!: int }",
    "error NotFound { sku!: str, note?: str | None, seen~: dict[str, int], code?: int }",
  ],
  [
    "enums",
    `
import enum
from enum import Enum, StrEnum, auto, nonmember
from django.db import models
class A(str, Enum):
    X = "x"
    Y = 'y'
    Z = "x"
    _ignore_ = ["t"]
    def label(self) -> str: ...
class B(enum.IntEnum):
    ONE = 1
    TWO = 0x02
    MINUS = -1
class C(StrEnum):
    NEW_ONE = auto()
    OLD = "o" "ld"
class D(Enum):
    RED = auto()
    READ = 1 << 2
    PAIR = 1, 2
    NONE = nonmember(3)
class E(models.TextChoices):
    ACTIVE = "active", "Active"
class F(StrEnum):
    A = auto()
    def _generate_next_value_(name, *_): return name
`,
    'Enum A = "x" | "y"',
    "Enum B = 1 | 2 | -1",
    'Enum C = "new_one" | "old"',
    "Enum D = RED = auto() | READ = 1 << 2 | PAIR = 1, 2",
    'Enum E = "active"',
    "Enum F = A = auto()",
  ],
  [
    "other names of types; constants, objects and type variables are none",
    `
import typing as t
from enum import Enum
from typing import NewType, TypeAlias, Union, Literal, TypeVar
type Pair[T] = tuple[T, T]
Sku = NewType("Sku", str)
Id: TypeAlias = "int | str"
Either = Union[int, t.List["Sku"], None]
Status = Literal["a", "b", 3]
Short = Either
Maybe = t.Optional[Literal["a"]]
T = TypeVar("T")
LIMIT = MAX
FLAGS = A | B
NONE = None
ID = str
limits: dict[str, int] = {}
name = str
Color = Enum("Color", "RED GREEN")
App = FastAPI()
class Text(str):
    def upper(self): ...
class Lines(list[Sku]): ...
`,
    "type Pair = tuple[T, T]",
    "NewType Sku = str",
    "alias Id = int | str",
    "alias Either = int | list[Sku] | None",
    'Literal Status = "a" | "b" | 3',
    "alias Short = Either",
    'alias Maybe = Literal["a"] | None',
    "alias ID = str",
    "Enum Color ? it is created by calling `Enum`",
    "call App ? it is created by calling `FastAPI`",
    "class Text = str",
    "class Lines = list[Sku]",
  ],
  [
    "the ways in which one type is written",
    `
import datetime as dt, uuid, decimal
import collections.abc
from collections.abc import Sequence, Mapping as Map
from datetime import date
from typing import Any, Callable, Dict, Iterable, Optional, Self, Set, Tuple, Union
class A:
    a: Optional["dt.datetime"]
    b: Union[None, str]
    c: None | "A"
    d: "Dict[str, 'A'] | None"
    e: Map[str, Sequence[int]]
    f: collections.abc.Iterable[date]
    g: dict
    h: Tuple[int, ...]
    i: uuid.UUID | decimal.Decimal
    j: Self | None
    k: Callable[[int], str]
    l: (
        int  # the number
        | None
    )
    m: frozenset[bytes]
    n: models.Category
    o: Page["A", object]
    p: float | dt.timedelta | dt.date
`,
    "class A { a!: datetime | None, b!: str | None, c!: A | None, d!: dict[str, A] | None, e!: dict[str, list[int]], f!: list[date], g!: dict, h!: tuple[int, ...], i!: UUID | Decimal, j!: A | None, k!: Callable[[int], str], l!: int | None, m!: set[bytes], n!: models.Category, o!: Page[A, Any], p!: float | timedelta | date }",
  ],
  [
    "nested classes, and classes below conditions",
    `
from enum import Enum
if TYPE_CHECKING:
    class A:
        x: int
else:
    A = object
class Order:
    class Status(Enum):
        NEW = "new"
    class Line:
        status: Status
        class Meta:
            verbose = "x"
    status: Status
    line: "Line"
    kind: Kind
def f():
    class Hidden:
        x: int
`,
    "class A { x!: int }",
    "alias A = Any",
    "class Order { status!: Order.Status, line!: Order.Line, kind!: Kind }",
    'Enum Order.Status = "new"',
    "class Order.Line { status!: Order.Status }",
  ],
  [
    "tables of SQLAlchemy, in three ways",
    `
from sqlalchemy import Column, Integer, String, Enum as SaEnum, ForeignKey, DateTime
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from sqlmodel import SQLModel, Field, Relationship
class Base(DeclarativeBase):
    pass
class A(Base):
    __tablename__ = "a"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str | None]
    note: Mapped[str] = mapped_column(nullable=True)
    lines: Mapped[list["Line"]] = relationship(back_populates="a")
class B(db.Model):
    id = Column(Integer, primary_key=True)
    name = db.Column(db.String(80), nullable=False)
    status = Column(SaEnum(Status), nullable=False)
    at = Column(DateTime)
    a_id = Column(ForeignKey("a.id"), nullable=False)
    a = relationship("A")
class C(SQLModel, table=True):
    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(index=True)
    lines: list["Line"] = Relationship(back_populates="c")
`,
    "sqlalchemy model Base {  }",
    "sqlalchemy model A(Base) { id: int, name: str | None, note: str | None, lines~: list[Line] }",
    'sqlalchemy model B { id: int, name: str, status: Status, at: datetime | None, a_id: Column(ForeignKey("a.id"), nullable=False), a~: relationship("A") }',
    "SQLModel C { id~: int | None, name!: str, lines~: list[Line] }",
  ],
  [
    "models of Django and serializers of its REST framework",
    `
from django.db import models
from rest_framework import serializers
from .base import Stamped, MoneyField
class A(Stamped):
    class Kind(models.TextChoices):
        NEW = "new", "New"
    name = models.CharField(max_length=80, null=True)
    kind = models.CharField(choices=Kind.choices)
    old = models.CharField(choices=[("a", "A")])
    price = MoneyField()
    owner = models.ForeignKey("auth.User", on_delete=models.CASCADE, null=True)
    objects = Manager()
class B(models.Model):
    key = models.UUIDField(primary_key=True)
class ASerializer(serializers.ModelSerializer):
    total = serializers.IntegerField(read_only=True)
    note = serializers.CharField(required=False, allow_null=True)
    lines = LineSerializer(many=True)
    class Meta:
        model = A
        fields = ["name", "total"]
class BSerializer(serializers.ModelSerializer):
    class Meta:
        model = B
        fields = "__all__"
`,
    'django model A(Stamped) { name: str | None, kind: A.Kind, old: models.CharField(choices=[("a", "A")]), price: MoneyField(), owner~: User | None, id~: int, owner_id~: the key of owner }',
    'Enum A.Kind = "new"',
    "django model B { key: UUID }",
    "serializer ASerializer { name: as in A, total: int, note?: str | None, lines!: list[LineSerializer] }",
    "serializer BSerializer(B) {  }",
  ],
])("%s", async (_, text, ...lines) => expect(await told(text)).toEqual(lines));

test("lines are those of the fields, also below a text of several lines, and a comment names the file", async () => {
  const text = '"""Two\nlines."""\n\n# app/models.py\n\nclass A:\n    x: (\n        int\n    )\n    y: int\n';
  const tree = await parseSource("python", text);
  const [type] = pythonTypes(tree).types;
  tree.free();
  const lines = type?.shape.kind === "fields" ? type.shape.fields.map(({ line }) => line) : [];
  expect([type?.line, type?.home, ...lines]).toEqual([6, "app/models.py", 7, 10]);
});

test("what is nested thousands of times is read without an end of the stack", async () => {
  const deep = 20_000;
  const text = `class A:\n    x: ${"list[".repeat(deep)}int${"]".repeat(deep)}\n    y: "${"list[".repeat(deep)}int${"]".repeat(deep)}"\n${"a = ".repeat(deep)}3\n`;
  const tree = await parseSource("python", text);
  expect(pythonTypes(tree).types.map(({ name }) => name)).toEqual(["A"]);
  tree.free();
});
