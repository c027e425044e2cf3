import { describe, expect, test } from "vitest";
import { checked, data, model } from "../../../../test/support/check-python-types.ts";
import { moduleResolver } from "../modules.ts";
import { checkTypes } from "./check-types.ts";
import type { ModuleTypes, TypeShape } from "./shape.ts";
import { named, nullType, unionOf } from "./value-types.ts";

describe("the same, however it is written", () => {
  test.each<[string, string, string]>([
    ["null", data("x: Optional[str]"), data("x: Union[None, 'str']")],
    [
      "lists and maps",
      data("x: List[int]", "y: Dict[str, int]"),
      data("x: Sequence[int]", "y: Mapping[str, int]"),
    ],
    ["another sort of class", data("x: int"), model("x: int = Field(gt=0)")],
    ["the order of fields", data("x: int", "y: int"), data("y: int", "x: int")],
    [
      "what is left open",
      data("x: Any", "y: dict", "z: list"),
      data("x: int | None", "y: dict[str, int]", "z: list[str]"),
    ],
    ["another name of a type", data("x: str"), `Sku = NewType("Sku", str)\n${data("x: Sku")}`],
    [
      "another name in the contract",
      `_Id = int | str\n${data("x: _Id | None")}`,
      data("x: str | int | None"),
    ],
    [
      "literals and an enum",
      data('x: Literal["a", "b"]'),
      `class K(str, Enum):\n    A = "a"\n    B = "b"\n${data("x: K")}`,
    ],
    [
      "types of other names with the same fields",
      `@dataclass\nclass _P:\n    q: int\n${data("x: list[_P]")}`,
      `@dataclass\nclass Part:\n    q: int\n${data("x: list[Part]")}`,
    ],
    [
      "what is no field",
      data("x: int"),
      `${data("x: int", "_y: int = 0", "z: ClassVar[int] = 3")}    @property\n    def w(self) -> int: ...\n`,
    ],
    [
      "an error says nothing about its fields",
      "class A(Exception): ...\n",
      "class A(Exception):\n    def __init__(self, sku: str):\n        self.sku = sku\n",
    ],
    [
      "a base",
      data("x: int", "y: str"),
      `@dataclass\nclass B:\n    x: int\n@dataclass\nclass A(B):\n    y: str\n`,
    ],
    [
      "a field of a base, made anew",
      data("x: int"),
      `class B(BaseModel):\n    x: str | None = None\nclass A(B):\n    x: int\n`,
    ],
    [
      "an enum whose base is an enum",
      'class A(Enum):\n    X = "x"\n',
      'class B(str, Enum):\n    pass\nclass A(B):\n    X = "x"\n',
    ],
    ["values that a program gives", "class A(Enum):\n    X = auto()\n", "class A(Enum):\n    X = auto()\n"],
    ["an enum and literals", 'A = Literal["x", "y"]\n', 'class A(str, Enum):\n    Y = "y"\n    X = "x"\n'],
    ["what it is called in data", data("orderId: str"), model('order_id: str = Field(alias="orderId")')],
    [
      "a name in a circle",
      'A: TypeAlias = "_B"\n_B: TypeAlias = "A"\n',
      'A: TypeAlias = "_B"\n_B: TypeAlias = "A"\n',
    ],
    ["itself", data("x: 'A | None'", "y: list['A']"), data("x: Optional['A']", "y: list['A']")],
    [
      "a type nobody sees, of one name",
      `from bson import ObjectId\n${data("x: ObjectId")}`,
      `import bson as b\n${data("x: b.ObjectId")}`,
    ],
  ])("%s", async (_, contract, code) =>
    expect(await checked(contract, code)).toEqual(["A ok app/models.py"]),
  );
});

describe("what differs", () => {
  test.each<[string, string, string, ...string[]]>([
    [
      "a type",
      data("x: int"),
      data("x: str"),
      "A differs must field-type app/models.py:3 `x` is `str` in the code, `int` in the contract",
    ],
    [
      "whole numbers",
      data("x: int"),
      data("x: float"),
      "A differs must field-type app/models.py:3 `x` is `float` in the code, `int` in the contract",
    ],
    [
      "inside of a list",
      data("x: list[int]"),
      data("x: list[int | None]"),
      "A differs must field-type app/models.py:3 `x` is `list[int | None]` in the code, `list[int]` in the contract",
    ],
    [
      "null",
      data("x: int"),
      data("x: int | None"),
      "A differs must field-optional app/models.py:3 `x` is `int | None` in the code, `int` in the contract",
    ],
    [
      "a key of a dictionary that may be missing",
      "class A(TypedDict):\n    x: int\n",
      "class A(TypedDict):\n    x: NotRequired[int]\n",
      "A differs must field-optional app/models.py:2 `x` is optional in the code, required in the contract",
    ],
    [
      "a field of a base",
      data("x: int"),
      "class B(BaseModel):\n    y: int\nclass A(B):\n    x: int\n",
      "A differs must field-extra app/models.py:2 `y` is not in the contract",
    ],
    [
      "text where the contract has an enum",
      `class _K(str, Enum):\n    A = "a"\n${data("x: _K")}`,
      data("x: str"),
      "A differs must field-type app/models.py:3 `x` is `str` in the code, `_K` in the contract",
    ],
    [
      "a dictionary where the contract has a class",
      `@dataclass\nclass _K:\n    y: int\n${data("x: _K")}`,
      data("x: dict[str, int]"),
      "A differs must field-type app/models.py:3 `x` is `dict[str, int]` in the code, `_K` in the contract",
    ],
    [
      "another name for another type",
      "A = NewType('A', str)\n",
      "A = NewType('A', int)\n",
      "A differs must type-kind app/models.py:1 the type is `int` in the code, `str` in the contract",
    ],
    [
      "what it is called in data",
      model('x: int = Field(alias="ex")'),
      model('x: int = Field(alias="X")'),
      "A differs must field-missing app/models.py:2 `x` is called `X` in data, `ex` in the contract",
    ],
    [
      "another name of a type that is not there",
      "A = NewType('A', str)\n",
      "",
      "A missing should type-missing not declared in any file",
    ],
  ])("%s", async (_, contract, code, ...lines) => expect(await checked(contract, code)).toEqual(lines));
});

describe("what cannot be told is not said to differ", () => {
  test.each<[string, string, string, string]>([
    [
      "a type that is made",
      data("x: int"),
      "A = make_dataclass('A', ['x'])\n",
      "app/models.py:1 the type in the code cannot be read: it is created by calling `make_dataclass`",
    ],
    [
      "what is computed where the contract has a field",
      data("x: int"),
      "@dataclass\nclass A:\n    @property\n    def x(self) -> int: ...\n",
      "app/models.py:4 `x` is `@property int` in the code, `int` in the contract; unclear whether they are the same",
    ],
    [
      "a base of a package",
      data("x: int"),
      "from lib import Base\nclass A(Base):\n    pass\n",
      "app/models.py:2 `x: int` not found in the code, but its base `Base` is not in the project",
    ],
    [
      "a type of a package",
      data("x: str"),
      `from bson import ObjectId\n${data("x: ObjectId")}`,
      "app/models.py:4 `x` is `ObjectId` in the code, `str` in the contract; unclear whether they are the same",
    ],
    [
      "what the code leaves open",
      data("x: dict[str, int]"),
      data("x: dict"),
      "app/models.py:3 `x` is `dict` in the code, `dict[str, int]` in the contract; unclear whether they are the same",
    ],
    [
      "a value that a program gives",
      'class A(Enum):\n    X = "x"\n',
      "class A(Enum):\n    X = auto()\n",
      "app/models.py:1 the value of `X = auto()` is unclear",
    ],
    [
      "a dictionary for a dictionary",
      `class _K(TypedDict):\n    y: int\n${data("x: _K")}`,
      data("x: dict[str, int]"),
      "app/models.py:3 `x` is `dict[str, int]` in the code, `_K` in the contract; unclear whether they are the same",
    ],
    [
      "a protocol that nobody declares",
      "class A(Protocol):\n    x: int\n",
      "",
      " not declared in any file; any class may implement a protocol",
    ],
  ])("%s", async (_, contract, code, line) =>
    expect(await checked(contract, code)).toEqual([
      `A unclear unclear type-unclear${line.startsWith(" ") ? "" : " "}${line}`,
    ]),
  );
});

test("shapes of TypeScript are told in its words", () => {
  const one = (path: string, shape: TypeShape): { path: string; types: ModuleTypes } => ({
    path,
    types: { types: [{ name: "Order", line: 3, shape, bases: [], sort: "interface" }] },
  });
  const fields = (...all: [string, ReturnType<typeof named>, boolean?][]): TypeShape => ({
    kind: "fields",
    more: null,
    fields: all.map(([name, type, isOptional = false], i) => ({ name, type, isOptional, line: 4 + i })),
  });
  const contract = one(
    "c/types.ts",
    fields(
      ["id", named("string")],
      ["at", named("datetime")],
      ["note", unionOf([named("string"), nullType])],
      ["lines", named("list", named("Line"))],
    ),
  );
  const { types } = one(
    "",
    fields(
      ["id", named("string"), true],
      ["at", named("string")],
      ["note", named("string")],
      ["lines", named("list", named("L"))],
    ),
  );
  const imports = [{ local: "L", imported: "Line", from: "./line.js", isExported: false, start: 0 }];
  const verdicts = checkTypes({
    contracts: [contract],
    modules: new Map([["src/order.ts", { types, imports }]]),
    resolve: moduleResolver(["src/order.ts"]),
    unread: [],
  });
  expect(
    verdicts.flatMap(({ findings }) => findings.map(({ at, message }) => `${at?.line} ${message}`)),
  ).toEqual([
    "4 `id` is optional in the code, required in the contract",
    "5 `at` is `string` in the code, `Date` in the contract",
    "6 `note` is `string` in the code, `string | null` in the contract",
  ]);
  expect(verdicts[0]?.findings.map(({ weight }) => weight)).toEqual(["must", "must", "must"]);
});

test.each([
  [
    "k: Literal['a', 'b', 'archived']",
    "k: Literal['a', 'b', 'deleted']",
    '`k` lacks `"archived"` and has extra `"deleted"`',
  ],
  ["k: Literal['a', 'b']", "k: Literal['a', 'b', 'c']", '`k` has extra `"c"`'],
  ["k: int | str | bytes | None", "k: int | str | None", "`k` lacks `bytes`"],
  ["k: int", "k: str", "`k` is `str` in the code, `int` in the contract"],
])("a difference is named where both types are long: %s, %s", async (contract, code, message) => {
  const [line] = await checked(data(contract), data(code));
  expect(line).toBe(`A differs must field-type app/models.py:3 ${message}`);
});
