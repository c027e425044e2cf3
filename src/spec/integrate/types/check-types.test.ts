import { describe, expect, test } from "vitest";
import { importsOf } from "../../../syntax/imports.ts";
import { parseSource } from "../../../syntax/parse.ts";
import { moduleResolver } from "../modules.ts";
import type { UnreadFile } from "../verdict.ts";
import { checkTypes } from "./check-types.ts";
import { pythonTypes } from "./python.ts";
import type { ModuleTypes, TypeShape } from "./shape.ts";
import { named, nullType, unionOf } from "./value-types.ts";

type Texts = Readonly<Record<string, string>>;
const HEAD =
  "from dataclasses import dataclass, field\nfrom enum import Enum, auto\nfrom typing import *\nfrom pydantic import BaseModel, Field\n";

/** What is found, one line each; `ok` for a type of which nothing is. */
async function checked(
  contract: string | Texts,
  code: string | Texts,
  unread: UnreadFile[] = [],
): Promise<string[]> {
  const contracts = typeof contract === "string" ? { "parallel/x/contracts/types.py": contract } : contract;
  const files = typeof code === "string" ? { "app/models.py": code } : code;
  const read = async ([path, text]: [string, string]) => {
    const tree = await parseSource("python", HEAD + text);
    const found = { types: pythonTypes(tree), imports: importsOf(tree) };
    tree.free();
    return [path, found] as const;
  };
  const modules = new Map(await Promise.all(Object.entries(files).map(read)));
  const wanted = await Promise.all(Object.entries(contracts).map(read));
  const verdicts = checkTypes({
    contracts: wanted.map(([path, found]) => ({ path, ...found })),
    ...{ modules, unread, resolve: moduleResolver(Object.keys(files)) },
  });
  const head = HEAD.split("\n").length - 1;
  return verdicts.flatMap(({ about, status, at, findings }) =>
    status === "ok"
      ? [`${about} ok${at === null ? "" : ` ${at.file}`}`]
      : findings.map(({ code, weight, at, message }) => {
          const place = at === null ? "" : ` ${at.file}:${(at.line ?? 0) - head}`;
          return `${about} ${status} ${weight} ${code}${place} ${message}`;
        }),
  );
}

const data = (...fields: string[]) => `@dataclass\nclass A:\n${fields.map((one) => `    ${one}\n`).join("")}`;
const model = (...fields: string[]) => `class A(BaseModel):\n${fields.map((one) => `    ${one}\n`).join("")}`;

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
      "A differs must field-type app/models.py:3 `x` is `str` here and `int` in the contract",
    ],
    [
      "whole numbers",
      data("x: int"),
      data("x: float"),
      "A differs must field-type app/models.py:3 `x` is `float` here and `int` in the contract",
    ],
    [
      "inside of a list",
      data("x: list[int]"),
      data("x: list[int | None]"),
      "A differs must field-type app/models.py:3 `x` is `list[int | None]` here and `list[int]` in the contract",
    ],
    [
      "null",
      data("x: int"),
      data("x: int | None"),
      "A differs must field-optional app/models.py:3 `x` is `int | None` here and `int` in the contract",
    ],
    [
      "a key of a dictionary that may be missing",
      "class A(TypedDict):\n    x: int\n",
      "class A(TypedDict):\n    x: NotRequired[int]\n",
      "A differs must field-optional app/models.py:2 `x` may be left out here and must be given in the contract",
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
      "A differs must field-type app/models.py:3 `x` is `str` here and `_K` in the contract",
    ],
    [
      "a dictionary where the contract has a class",
      `@dataclass\nclass _K:\n    y: int\n${data("x: _K")}`,
      data("x: dict[str, int]"),
      "A differs must field-type app/models.py:3 `x` is `dict[str, int]` here and `_K` in the contract",
    ],
    [
      "another name for another type",
      "A = NewType('A', str)\n",
      "A = NewType('A', int)\n",
      "A differs must type-kind app/models.py:1 it is `int` here and `str` in the contract",
    ],
    [
      "what it is called in data",
      model('x: int = Field(alias="ex")'),
      model('x: int = Field(alias="X")'),
      "A differs must field-missing app/models.py:2 `x` is called `X` in data here and `ex` in the contract",
    ],
    [
      "another name of a type that is not there",
      "A = NewType('A', str)\n",
      "",
      "A missing should type-missing no file declares `A`",
    ],
  ])("%s", async (_, contract, code, ...lines) => expect(await checked(contract, code)).toEqual(lines));
});

describe("what cannot be told is not said to differ", () => {
  test.each<[string, string, string, string]>([
    [
      "a type that is made",
      data("x: int"),
      "A = make_dataclass('A', ['x'])\n",
      "app/models.py:1 what it is here cannot be seen: it is made by a call of `make_dataclass`",
    ],
    [
      "a base of a package",
      data("x: int"),
      "from lib import Base\nclass A(Base):\n    pass\n",
      "app/models.py:2 `x: int` of the contract is not written here, and its base `Base` is in no file of the project",
    ],
    [
      "a type of a package",
      data("x: str"),
      `from bson import ObjectId\n${data("x: ObjectId")}`,
      "app/models.py:4 `x` is `ObjectId` here and `str` in the contract; whether that is the same cannot be seen",
    ],
    [
      "what the code leaves open",
      data("x: dict[str, int]"),
      data("x: dict"),
      "app/models.py:3 `x` is `dict` here and `dict[str, int]` in the contract; whether that is the same cannot be seen",
    ],
    [
      "a value that a program gives",
      'class A(Enum):\n    X = "x"\n',
      "class A(Enum):\n    X = auto()\n",
      "app/models.py:1 which value `X = auto()` stands for cannot be seen",
    ],
    [
      "a dictionary for a dictionary",
      `class _K(TypedDict):\n    y: int\n${data("x: _K")}`,
      data("x: dict[str, int]"),
      "app/models.py:3 `x` is `dict[str, int]` here and `_K` in the contract; whether that is the same cannot be seen",
    ],
    [
      "a protocol that nobody declares",
      "class A(Protocol):\n    x: int\n",
      "",
      " no file declares `A`; a protocol may be met by a class of any name, which plait does not look for",
    ],
  ])("%s", async (_, contract, code, line) =>
    expect(await checked(contract, code)).toEqual([
      `A cannot-tell cannot-tell type-unclear${line.startsWith(" ") ? "" : " "}${line}`,
    ]),
  );
});

describe("over files", () => {
  const contract = `class Kind(Enum):\n    X = "x"\n${data("kind: Kind")}`;
  const kind = 'class Kind(Enum):\n    X = "x"\n';
  const other = "@dataclass\nclass A:\n    kind: str\n";
  test.each<[string, Texts, ...string[]]>([
    [
      "a renamed import",
      { "app/kinds.py": kind, "app/models.py": `from .kinds import Kind as K\n${data("kind: K")}` },
      "Kind ok app/kinds.py",
      "A ok app/models.py",
    ],
    [
      "handed on by a package, as another name",
      {
        "app/k/own.py": kind,
        "app/k/__init__.py": "from .own import Kind as Sort\n",
        "app/models.py": `from app import k\n${data("kind: k.Sort")}`,
      },
      "Kind ok app/k/own.py",
      "A ok app/models.py",
    ],
    [
      "with a star",
      {
        "app/kinds.py": kind,
        "app/all.py": "from .kinds import *\n",
        "app/models.py": `from app.all import Kind\n${data("kind: Kind")}`,
      },
      "Kind ok app/kinds.py",
      "A ok app/models.py",
    ],
    [
      "the module of a package",
      {
        "app/__init__.py": "",
        "app/kinds.py": kind,
        "app/models.py": `import app.kinds\n${data("kind: app.kinds.Kind")}`,
      },
      "Kind ok app/kinds.py",
      "A ok app/models.py",
    ],
    [
      "a base in another file",
      {
        "app/kinds.py": `${kind}@dataclass\nclass B:\n    kind: Kind\n`,
        "app/models.py": "import app.kinds as k\nclass A(k.B): pass\n",
      },
      "Kind ok app/kinds.py",
      "A ok app/models.py",
    ],
    [
      "imports in a circle",
      {
        "app/kinds.py": `from app.models import Q\n${kind}`,
        "app/models.py": `from app.kinds import Q\n${data("kind: Q")}`,
      },
      "Kind ok app/kinds.py",
      "A cannot-tell cannot-tell type-unclear app/models.py:4 `kind` is `Q` here and `Kind` in the contract; whether that is the same cannot be seen",
    ],
    [
      "known under this name elsewhere only",
      {
        "app/kinds.py": kind,
        "app/inner.py": `from .kinds import Kind\n@dataclass\nclass Inner:\n    kind: Kind\n`,
        "app/models.py": "from .inner import Inner as A\n",
      },
      "Kind ok app/kinds.py",
      "A ok app/inner.py",
    ],
    [
      "another name of it",
      { "app/models.py": `${kind}@dataclass\nclass _A:\n    kind: Kind\nA = _A\n` },
      "Kind ok app/models.py",
      "A ok app/models.py",
    ],
    [
      "one of several is right",
      { "app/kinds.py": kind, "app/models.py": contract, "app/wrong.py": other },
      "Kind ok app/kinds.py",
      "A ok app/models.py",
    ],
    [
      "tests do not count",
      { "app/models.py": kind, "tests/models.py": data("kind: str"), "test_a.py": data("kind: str") },
      "Kind ok app/models.py",
      "A missing must type-missing no file declares `A`",
    ],
    [
      "none of several is right",
      { "app/kinds.py": kind, "app/a.py": other, "app/b.py": other },
      "Kind ok app/kinds.py",
      "A cannot-tell cannot-tell type-unclear app/a.py:2 several types have this name and none is as the contract says: `A` in app/a.py:6, `A` in app/b.py:6",
    ],
    [
      "none is right, and one is of its sort",
      { "app/kinds.py": kind, "app/a.py": other, "app/b.py": model("kind: str") },
      "Kind ok app/kinds.py",
      "A differs must field-type app/a.py:3 `kind` is `str` here and `Kind` in the contract",
    ],
    [
      "nested",
      { "app/models.py": `@dataclass\nclass A:\n    class Kind(Enum):\n        X = "x"\n    kind: Kind\n` },
      "Kind ok app/models.py",
      "A ok app/models.py",
    ],
  ])("%s", async (_, files, ...lines) => expect(await checked(contract, files)).toEqual(lines));

  test("the file that a comment in the contract names is meant", async () => {
    const files = { "app/a.py": other, "svc/app/b.py": other };
    expect(await checked(`# app/b.py: what is sold\n${data("kind: int")}`, files)).toEqual([
      "A differs must field-type svc/app/b.py:3 `kind` is `str` here and `int` in the contract",
    ]);
  });

  test("a file that cannot be read may hold what is missing; a test cannot", async () => {
    const unread = [
      { path: "tests/a.py", why: "line 2" },
      { path: "app/b.py", why: "line 3 is not indented" },
    ];
    expect(await checked(data("x: int"), {}, unread)).toEqual([
      "A cannot-tell cannot-tell type-unclear no file declares `A`, but app/b.py cannot be read (line 3 is not indented)",
    ]);
    expect(await checked(data("x: int"), {}, unread.slice(0, 1))).toEqual([
      "A missing must type-missing no file declares `A`",
    ]);
  });

  test("contracts take names from each other", async () => {
    const contracts = { "c/types.py": data("x: Kind"), "c/more.py": kind };
    expect(await checked(contracts, `${kind}${data("x: str")}`)).toEqual([
      "A differs must field-type app/models.py:5 `x` is `str` here and `Kind` in the contract",
      "Kind ok app/models.py",
    ]);
  });
});

describe("tables", () => {
  const django = (...fields: string[]) =>
    `from django.db import models\nclass Kind(models.TextChoices):\n    X = "x", "X"\nclass A(models.Model):\n${fields.map((one) => `    ${one}\n`).join("")}`;
  test.each<[string, string, string, ...string[]]>([
    [
      "what Django adds may be named or not",
      data("id: int", "name: str"),
      django("name = models.CharField()", "owner = models.ForeignKey('User')"),
      "A ok app/models.py",
    ],
    [
      "choices are text, and an enum",
      data("x: str", "y: str | None"),
      django("x = models.CharField(choices=Kind.choices)", "y = models.TextField(null=True)"),
      "A ok app/models.py",
    ],
    [
      "a column that is missing, and one that takes null",
      data("x: int", "y: int"),
      django("x = models.IntegerField(null=True)"),
      "A differs must field-optional app/models.py:5 `x` is `int | None` here and `int` in the contract",
      "A differs must field-missing app/models.py:4 `y: int` of the contract is missing",
    ],
    [
      "a serializer of the name",
      data("x: int"),
      "from rest_framework import serializers\nclass ASerializer(serializers.Serializer):\n    x = serializers.IntegerField()\n",
      "A ok app/models.py",
    ],
    [
      "a serializer of the name that is otherwise",
      data("x: int"),
      "from rest_framework import serializers\nclass ASerializer(serializers.Serializer):\n    y = serializers.IntegerField()\n",
      "A cannot-tell cannot-tell type-unclear no file declares `A`; whether it is `ASerializer` in app/models.py:6 cannot be told",
    ],
  ])("%s", async (_, contract, code, ...lines) => expect(await checked(contract, code)).toEqual(lines));
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
      ["lines", named("list", [named("Line")])],
    ),
  );
  const { types } = one(
    "",
    fields(
      ["id", named("string"), true],
      ["at", named("string")],
      ["note", named("string")],
      ["lines", named("list", [named("L")])],
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
    "4 `id` may be left out here and must be given in the contract",
    "5 `at` is `string` here and `Date` in the contract",
    "6 `note` is `string` here and `string | null` in the contract",
  ]);
  expect(verdicts[0]?.findings.map(({ weight }) => weight)).toEqual(["must", "must", "must"]);
});
