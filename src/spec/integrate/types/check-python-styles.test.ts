import { describe, expect, test } from "vitest";
import { checked, data, model, type Texts } from "../../../../test/support/check-python-types.ts";

const T = 'T = TypeVar("T")\n';
const PAGE = `${T}@dataclass\nclass Page(Generic[T]):\n    items: list[T]\n    total: int\n`;
const CAMEL = "from pydantic import ConfigDict\nfrom pydantic.alias_generators import to_camel\n";
const DRF = "from rest_framework import serializers\nfrom .models import *\n";
const DJANGO = `from django.db import models
class Stamped(models.Model):
    created_at = models.DateTimeField(auto_now_add=True)
class Kind(models.TextChoices):
    X = "x", "X"
class A(Stamped):
    name = models.CharField(max_length=10)
    kind = models.CharField(choices=Kind.choices)
    note = models.TextField(null=True)
    part = models.ForeignKey("Part")
`;
const SERIALIZED = `from uuid import UUID\nclass _Kind(Enum):\n    X = "x"\n${data("id: int", "name: str", "kind: _Kind", "note: str | None")}`;

describe("as people write it", () => {
  test.each<[string, string, string | Texts, ...string[]]>([
    [
      "type variables of other names",
      PAGE,
      'ItemT = TypeVar("ItemT")\nclass Page(BaseModel, Generic[ItemT]):\n    items: list[ItemT]\n    total: int\n',
      "Page ok app/models.py",
    ],
    [
      "type variables in brackets of the class",
      PAGE,
      "class Page[X: object](BaseModel):\n    items: list[X]\n    total: int\n",
      "Page ok app/models.py",
    ],
    [
      "a page of something, written out in the contract",
      data("items: list[str]", "total: int"),
      { "app/page.py": PAGE, "app/models.py": "from .page import Page\nclass A(Page[str]): ...\n" },
      "A ok app/models.py",
    ],
    [
      "a page of something else",
      data("items: list[str]", "total: int"),
      { "app/page.py": PAGE, "app/models.py": "from .page import Page\nA = Page[int]\n" },
      "A differs must field-type app/page.py:4 `items` is `list[int]` in the code, `list[str]` in the contract",
    ],
    [
      "names in data by a rule of a base",
      data("orderId: str", "at: str"),
      {
        "app/base.py": `${CAMEL}class Camel(BaseModel):\n    model_config = ConfigDict(alias_generator=to_camel)\n`,
        "app/models.py": "from .base import Camel\nclass A(Camel):\n    order_id: str\n    at: int\n",
      },
      "A differs must field-type app/models.py:4 `at` is `int` in the code, `str` in the contract",
    ],
    [
      "names in data by a rule of its own, as in version 1",
      data("orderId: str"),
      `${model("order_id: str")}    class Config:\n        alias_generator = camelize\n`,
      "A ok app/models.py",
    ],
    [
      "names in data one by one, as in version 1",
      data("orderId: str"),
      `${model("order_id: str")}    class Config:\n        fields = {"order_id": "orderId"}\n`,
      "A ok app/models.py",
    ],
    [
      "a model that is nothing but its value, in both versions",
      "A = list[str]\nB = list[str]\nC = list[int]\n",
      "from pydantic import RootModel\nclass A(RootModel):\n    root: list[str]\nclass B(BaseModel):\n    __root__: list[str]\nclass C(RootModel):\n    root: list[str]\n",
      "A ok app/models.py",
      "B ok app/models.py",
      "C differs must type-kind app/models.py:6 the type is `list[str]` in the code, `list[int]` in the contract",
    ],
    [
      "names without a rule",
      data("orderId: str"),
      model("order_id: str"),
      "A differs must field-missing app/models.py:1 `orderId: str` is missing",
      "A differs must field-extra app/models.py:2 `order_id` is not in the contract",
    ],
    [
      "errors: what they have in common is there without a type, and what they tell is theirs",
      'class A(Exception):\n    code: str = "a"\nclass B(A):\n    code = "b"\nclass C(A):\n    sku: str\n',
      'class A(Exception):\n    code = "a"\n    def __init__(self, text: str):\n        self.text = text\nclass B(A):\n    code = 3\nclass C(A): ...\n',
      "A ok app/models.py",
      "B unclear unclear type-unclear app/models.py:6 `code` is `int` in the code, `str` in the contract; unclear whether they are the same",
      "C differs must field-missing app/models.py:7 `sku: str` is missing",
    ],
    [
      "what can be one value only has it by default",
      model('type: Literal["cat"]', "lives: int"),
      model('type: Literal["cat"] = "cat"', "lives: int = 9"),
      "A differs should field-optional app/models.py:3 `lives` is optional in the code, required in the contract",
    ],
    [
      "a column of JSON",
      data("x: dict[str, int]"),
      "from app.db import Base\nfrom sqlalchemy import Column, JSON\nclass A(Base):\n    x = Column(JSON)\n",
      "A ok app/models.py",
    ],
    [
      "null, said once where the rest cannot be seen",
      data("x: dict[str, int] | None"),
      data("x: dict"),
      "A differs must field-optional app/models.py:3 `x` is `dict` in the code, `dict[str, int] | None` in the contract",
    ],
    [
      "a key that the database gives",
      data("id: int", "name: str"),
      "from sqlmodel import SQLModel, Field as F\nclass A(SQLModel, table=True):\n    id: int | None = F(default=None, primary_key=True)\n    name: str\n",
      "A ok app/models.py",
    ],
    [
      "what may be left out in version 1 of pydantic",
      model("x: Optional[str] = None", "y: str = 'a'"),
      `${model("x: Optional[str]", "y: str")}    class Config:\n        orm_mode = True\n`,
      "A differs must field-optional app/models.py:3 `y` is required in the code, optional in the contract",
    ],
    [
      "the serializer, where the table has more columns",
      SERIALIZED,
      {
        "app/models.py": DJANGO,
        "app/serializers.py": `${DRF}class ASerializer(serializers.ModelSerializer):\n    class Meta:\n        model = A\n        fields = ["id", "name", "kind", "note"]\n`,
      },
      "A ok app/serializers.py",
    ],
    [
      "all that the model has",
      `import datetime\n${SERIALIZED.replace("class A:", "class Read:")}    created_at: datetime.datetime\n`,
      {
        "app/models.py": DJANGO,
        "app/serializers.py": `${DRF}class ReadSerializer(serializers.ModelSerializer):\n    class Meta:\n        model = A\n        fields = "__all__"\n`,
      },
      "Read ok app/serializers.py",
    ],
    [
      "a table that is otherwise, and its serializer too",
      data("name: int"),
      {
        "app/models.py": DJANGO,
        "app/serializers.py": `${DRF}class ASerializer(serializers.ModelSerializer):\n    class Meta:\n        model = A\n        fields = ["name"]\n`,
      },
      "A differs must field-type app/models.py:7 `name` is `str` in the code, `int` in the contract",
      "A differs should field-extra app/models.py:3 column `created_at` is not in the contract",
      "A differs should field-extra app/models.py:8 column `kind` is not in the contract",
      "A differs should field-extra app/models.py:9 column `note` is not in the contract",
    ],
  ])("%s", async (_, contract, code, ...lines) => expect(await checked(contract, code)).toEqual(lines));
});
