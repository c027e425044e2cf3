import { describe, expect, test } from "vitest";
import { checked, data, model, type Texts } from "../../../../test/support/check-python-types.ts";

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
      "A unclear unclear type-unclear app/models.py:4 `kind` is `Q` in the code, `Kind` in the contract; unclear whether they are the same",
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
      "A missing must type-missing not declared in any file",
    ],
    [
      "none of several is right",
      { "app/kinds.py": kind, "app/a.py": other, "app/b.py": other },
      "Kind ok app/kinds.py",
      "A differs must type-missing app/a.py:2 several types have this name, and none matches the contract: `A` in app/a.py:6 (`kind` is `str` in the code, `Kind` in the contract), `A` in app/b.py:6 (`kind` is `str` in the code, `Kind` in the contract)",
    ],
    [
      "none is right, and one is of its sort",
      { "app/kinds.py": kind, "app/a.py": other, "app/b.py": model("kind: str") },
      "Kind ok app/kinds.py",
      "A differs must field-type app/a.py:3 `kind` is `str` in the code, `Kind` in the contract",
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
      "A differs must field-type svc/app/b.py:3 `kind` is `str` in the code, `int` in the contract",
    ]);
  });

  test("a file that cannot be read may hold what is missing; a test cannot", async () => {
    const unread = [
      { path: "tests/a.py", why: "line 2" },
      { path: "app/b.py", why: "line 3 is not indented" },
    ];
    expect(await checked(data("x: int"), {}, unread)).toEqual([
      "A unclear unclear type-unclear not declared in any file, but app/b.py cannot be read (line 3 is not indented)",
    ]);
    expect(await checked(data("x: int"), {}, unread.slice(0, 1))).toEqual([
      "A missing must type-missing not declared in any file",
    ]);
  });

  test("contracts take names from each other", async () => {
    const contracts = { "c/types.py": data("x: Kind"), "c/more.py": kind };
    expect(await checked(contracts, `${kind}${data("x: str")}`)).toEqual([
      "A differs must field-type app/models.py:5 `x` is `str` in the code, `Kind` in the contract",
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
      "a key that a base has is not hidden by the one that Django adds",
      `import uuid\n${data("id: uuid.UUID", "name: str")}`,
      "from django.db import models\nclass Keyed(models.Model):\n    id = models.UUIDField(primary_key=True)\nclass A(Keyed):\n    name = models.CharField()\n",
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
      "A differs must field-optional app/models.py:5 `x` is `int | None` in the code, `int` in the contract",
      "A differs must field-missing app/models.py:4 `y: int` is missing",
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
      "A unclear unclear type-unclear not declared in any file; unclear whether `ASerializer` in app/models.py:6 is meant: `x: int` is missing in `ASerializer`, and 1 more",
    ],
  ])("%s", async (_, contract, code, ...lines) => expect(await checked(contract, code)).toEqual(lines));
});
