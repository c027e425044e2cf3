import { expect, test } from "vitest";
import { type Case, judged } from "../../../test/support/ownership-cases.ts";

const CART = `"""Carts."""
from app.items import Item

LIMIT = 10


class Cart:
    """What somebody wants."""

    items: list[Item] = []

    def total(self):
        # all of it
        return sum(self.items)

    @property
    def size(self):
        return len(self.items)

    @size.setter
    def size(self, value):
        pass


class Order:
    class Meta:
        ordering = ["id"]

    def total(self):
        return 2


def helper():
    return LIMIT
`;

const inCart = (owns: string, from: string | RegExp, to: string, ...said: string[]): Case => ({
  owns,
  before: CART,
  after: CART.replace(from, to),
  said,
});

const CASES: Readonly<Record<string, Case>> = {
  "the owned method": inCart("Cart.total", "sum(self", "max(self"),
  "a method of an owned class": inCart("Cart", "sum(self", "max(self"),
  "another method of the class": inCart("Cart.total", "len(self", "abs(self", "17 Cart.size changed"),
  "a method of the same name elsewhere": inCart(
    "Cart.total",
    "return 2",
    "return 3",
    "29 Order.total changed",
  ),
  "a new method beside the owned one": inCart(
    "Cart.total",
    "    @property",
    "    def more(self):\n        pass\n\n    @property",
    "16 Cart.more added",
  ),
  "a method that is gone": inCart(
    "Cart",
    "\n    def total(self):\n        return 2\n",
    "",
    "29 Order.total removed",
  ),
  "the bases of a class of which only a method is owned": inCart(
    "Cart.total",
    "class Cart:",
    "class Cart(Base):",
    "7 the head of Cart changed",
  ),
  "the docstring of such a class": inCart("Cart.total", "somebody", "nobody", "7 the head of Cart changed"),
  "a decorator on such a class": inCart(
    "Cart.total",
    "class Cart:",
    "@dataclass\nclass Cart:",
    "8 the head of Cart changed",
  ),
  "a decorator on a method": inCart(
    "Cart.total",
    "    def total(self):\n        return 2",
    "    @cached\n    def total(self):\n        return 2",
    "30 Order.total changed",
  ),
  "an attribute of a nested class": inCart("Order.total", '"id"', '"name"', "27 Order.Meta.ordering changed"),
  "a nested class that is owned": inCart("Order.Meta", '"id"', '"name"'),
  "a class attribute": inCart("Cart.total", "= []", "= ()", "10 Cart.items changed"),
  "a property setter": inCart(
    "Cart.total",
    "        pass\n",
    "        self.x = value\n",
    "21 Cart.size changed",
  ),
  "a property setter that is owned": inCart("Cart.size", "        pass\n", "        self.x = value\n"),
  "a module-level name": inCart("Cart", "LIMIT = 10", "LIMIT = 11", "4 LIMIT changed"),
  "a new helper beside": inCart(
    "Cart",
    "def helper",
    "def other():\n    pass\n\n\ndef helper",
    "33 other added",
  ),
  "the docstring of the file": inCart(
    "Cart",
    '"""Carts."""',
    '"""All."""',
    "1 the beginning of the file changed",
  ),
  "a statement without a name": inCart(
    "Cart",
    "def helper",
    "print(1)\n\n\ndef helper",
    "33 an unnamed part added",
  ),
  "a statement about an owned name": inCart("Cart", "def helper", "Cart.register(int)\n\n\ndef helper"),
  "imports, also renamed": inCart(
    "Cart",
    "from app.items import Item",
    "from app.items import Item as Thing, other\nimport json as j",
  ),
  "conditional imports": inCart(
    "Cart",
    "\nLIMIT",
    "\nif TYPE_CHECKING:\n    from a import b\nelse:\n    b = None\ntry:\n    import yaml\nexcept ImportError:\n    yaml = None\n\nLIMIT",
  ),
  "a name that is made beside a conditional import": inCart(
    "Cart",
    "\nLIMIT",
    "\ntry:\n    import yaml\nexcept ImportError:\n    HAS = False\n\nLIMIT",
    "4 an unnamed part added",
    "7 HAS added",
  ),
  "a comment in the owned method": inCart("Cart.total", "all of it", "everything"),
  "a comment in another method": inCart("Order", "all of it", "everything", "12 Cart.total changed"),
  "a comment before an owned class": inCart("Order", "class Order:", "# more\nclass Order:"),
  "a comment before another": inCart(
    "Cart",
    "class Order:",
    "# more\nclass Order:",
    "25 a comment of Order added",
  ),
  "a comment at the end of a line": inCart(
    "Cart",
    "LIMIT = 10",
    "LIMIT = 10  # ten",
    "4 a comment of LIMIT added",
  ),
  "a comment below an owned name": {
    owns: "a f",
    before: "a = 1\nb = 2\ndef f():\n    x()\n\nc = 3\n",
    after: "a = 1\n# one\nb = 2\ndef f():\n    x()\n# all\n\nc = 3\n",
  },
  "a comment below another": {
    owns: "c",
    before: "a = 1\nb = 2\n\nc = 3\n",
    after: "a = 1\n# one\nb = 2\n# two\n\nc = 3\n",
    said: ["2 a comment of b added"],
  },
  "a comment of an import that gets a blank line": {
    owns: "c",
    before: "import a\n# why\nimport b\n",
    after: "import a\n\n# why\n\nimport b\n",
  },
  "one of two comments alike": {
    owns: "f",
    before: "def f(): ...  # a b\ndef g(): ...  # a b\n",
    after: "def f(): ...\ndef g(): ...  #  a  b\n",
  },
  "a comment of an import": { owns: "c", before: "import a\n", after: "import a\nimport b  # why\n" },
  "a comment of the file": inCart(
    "Cart",
    '"""Carts."""',
    '# Mine.\n"""Carts."""',
    "1 a comment of the file added",
  ),
  "a moved class": { owns: "helper", before: CART, after: moved(CART) },
  "a moved method": inCart("helper", /( {4}def total\(self\):\n {8}#.*\n.*\n\n)([\s\S]*?pass\n)/, "$2\n$1"),
  "a method that moves to another class": inCart(
    "Cart.total",
    /( {4}@property[\s\S]*?pass\n)([\s\S]*)( {4}def total\(self\):\n {8}return 2\n)/,
    "$2$3\n$1",
    "17 Cart.size removed",
    "26 Order.size added",
  ),
  "blank lines and spaces": inCart("helper", /\n\n/g, "\n\n\n\n"),
  "other indentation": inCart("helper", /^ +/gm, "$&$&"),
  "lines that end otherwise": inCart("helper", /\n/g, "\r\n"),
  "a mark in front of the text": inCart("helper", /^/, "\uFEFF"),
  "a comment that moves by a blank line": inCart("helper", "        # all", "\n\n        #   all"),
  "a formatter's quotes, commas and lines": {
    owns: "other",
    before: "X = {'a': 1, 'b': [1, 2]}\ndef f(a, b): return g(a,\n  b)\n#note\ny = 1;z = 2\n",
    after:
      'X = {\n    "a": 1,\n    "b": [\n        1,\n        2,\n    ],\n}\n\n\ndef f(\n    a,\n    b,\n):\n    return g(a, b)\n\n\n# note\ny = 1\nz = 2\n',
  },
  "brackets around all of an expression": {
    owns: "other",
    before: "def f(a):\n    x = a or b\n    if a and b: return x\n",
    after: "def f(a):\n    x = (\n        a\n        or b\n    )\n    if (a and b):\n        return(x)\n",
  },
  "brackets that mean something": {
    owns: "other",
    before: "x = a or b and c\ny = (yield)\n",
    after: "x = (a or b) and c\ny = (yield)\n",
    said: ["1 x changed"],
  },
  "a comma that makes a tuple": {
    owns: "other",
    before: "x = (1)\n",
    after: "x = (1,)\n",
    said: ["1 x changed"],
  },
  "lines that go on": {
    owns: "g",
    before: "def f(a):\n    for x in 1, 2: a(x)\n    return a and b\n",
    after: "def f(a):\n    for x in \\\n      1, \\\n      2: \\\n      a(x)\n    return a \\\n      and b\n",
  },
  "a line that moves into a condition": {
    owns: "g",
    before: "def f(a):\n    if a:\n        x()\n    y()\n",
    after: "def f(a):\n    if a:\n        x()\n        y()\n",
    said: ["1 f changed"],
  },
  "a call that swallows the next line": {
    owns: "g",
    before: "def f(a):\n    a\n    (b)\n",
    after: "def f(a):\n    a(b)\n",
    said: ["1 f changed"],
  },
  overloads: {
    owns: "other",
    before: "@overload\ndef f(a: int): ...\n@overload\ndef f(a: str): ...\ndef f(a): return a\n",
    after: "@overload\ndef f(a: int): ...\n@overload\ndef f(a: bytes): ...\ndef f(a): return a\n",
    said: ["4 f changed"],
  },
  "an overload more": {
    owns: "other",
    before: "@overload\ndef f(a: int): ...\ndef f(a): return a\n",
    after: "@overload\ndef f(a: int): ...\n@overload\ndef f(a: str): ...\ndef f(a): return a\n",
    said: ["4 f changed"],
  },
  "an async function": {
    owns: "other",
    before: "async def f():\n    await g()\n",
    after: "def f():\n    g()\n",
    said: ["1 f changed"],
  },
  "names of __all__": {
    owns: "a",
    before: '__all__ = ["a"]\ndef a(): ...\n',
    after: '__all__ = ["a", "b"]\ndef a(): ...\n',
    said: ["1 the export of b added"],
  },
  "the name in __all__ of what is owned": {
    owns: "b",
    before: '__all__ = ["a"]\n',
    after: '__all__ = [\n    "a",  # one\n    "b",\n]\n__all__ += ("b",)\n',
  },
  "__all__ where it is owned": { owns: "__all__", before: '__all__ = ["a"]\n', after: '__all__ = ["b"]\n' },
  "a call from elsewhere that mentions what is owned": {
    owns: "CartAdmin main",
    before: "class CartAdmin: ...\nclass Other: ...\ndef main(): ...\n",
    after:
      'class CartAdmin: ...\nclass Other: ...\ndef main(): ...\nadmin.site.register(Cart, CartAdmin)\nadmin.site.register(Other)\nsetattr(Cart, "x", CartAdmin)\nif __name__ == "__main__":\n    sys.exit(main())\n',
    said: ["5 an unnamed part added", "6 an unnamed part added"],
  },
  "a comment that hides a line from all but Python": {
    owns: "a",
    before: "a = 1\nx = 2\n",
    after: "a = 1\n# one\rx = 3\nx = 2\n",
    said: ["3 x changed"],
  },
  "more of a formatter": {
    owns: "other",
    before:
      "class A():\n    '''Doc.'''\n    x = 'it\\'s'\n    y = F'a', U'b', 0XFF\ndef f():\n    for (a, b) in c: del (a)\n    with d as e, g as h: pass\n",
    after:
      'class A:\n    """Doc."""\n\n    x = "it\'s"\n    y = f"a", "b", 0xff\ndef f():\n    for a, b in c:\n        del a\n    with (\n        d as e,\n        g as h,\n    ):\n        pass\n',
  },
  "quotes that say something else": {
    owns: "other",
    before: "a = 'x\"\"y'\nb = r'\\''\nc = f'{x[\"a\"]}'\nd = 'A'\n",
    after: 'a = "x" "y"\nb = "\\\\\'"\nc = f"{x[\'a\']}"\nd = \'a\'\n',
    said: ["1 a changed", "2 b changed", "3 c changed", "4 d changed"],
  },
  "a list that grows where it is owned": {
    owns: "urlpatterns",
    before: "urlpatterns = []\n",
    after: 'urlpatterns = []\nurlpatterns += [path("a")]\nurlpatterns.append(path("b"))\n',
  },
  "several names at once": {
    owns: "a",
    before: "a, (b, *c) = d = f()\n",
    after: "a, (b, *c) = d = g()\n",
    said: ["1 b changed", "1 c changed", "1 d changed"],
  },
  "functions under a condition": {
    owns: "f",
    before: "if X:\n    def f(): return 1\nelse:\n    def f(): return 2\n    def g(): return 3\n",
    after: "if X:\n    def f(): return 10\nelse:\n    def f(): return 20\n    def g(): return 30\n",
    said: ["5 g changed"],
  },
  "a condition around what is owned": {
    owns: "f",
    before: "def f(): return 1\n",
    after: "if X:\n    def f(): return 1\nelse:\n    def f(): return 2\n",
  },
  "a condition around what is not": {
    owns: "g",
    before: "def f(): return 1\n",
    after: "if X:\n    def f(): return 1\n",
    said: ["1 an unnamed part added", "2 f changed"],
  },
  "a class that is made for an owned method": {
    owns: "Cart.total",
    before: "",
    after: "# Why.\nclass Cart(Base):\n    def total(self): ...\n    def size(self): ...\n",
    said: ["4 Cart.size added"],
  },
  "the first method of an empty class": {
    owns: "Cart.total",
    before: "class Cart:\n    pass\n",
    after: "class Cart:\n    def total(self): ...\n",
  },
  "a function inside of a function": {
    owns: "outer.inner",
    before: "def outer():\n    def inner(): return 1\n",
    after: "def outer():\n    def inner(): return 2\n",
    said: ["? 1 outer changed"],
  },
  "what is newer than the grammar": {
    owns: "Cart",
    before: "class Box[T = int]: ...\nx = 1\n",
    after: "class Box[T = str]: ...\nx = 1\n",
    said: ["1 the head of Box changed"],
  },
  "newer words elsewhere": {
    owns: "Cart",
    before: "x = import_(1)\n",
    after: "class Cart[T = int]: ...\nx = import_(1)\n",
  },
  "a text that is no Python any more": inCart(
    "Cart",
    "return 2",
    "return (2",
    "? 30 it is not valid Python: `(` is never closed, so it is unclear if only `Cart` was changed",
  ),
  "a text that was none": {
    owns: "Cart",
    before: "x = 1\nclass Cart(:\n",
    after: "x = 1\nclass Cart: ...\n",
    said: [
      "? - it was already not valid Python before the change (line 2: `(` is never closed), so it is unclear if only `Cart` was changed",
    ],
  },
  "an empty file": { owns: "Cart", before: "\n", after: "", said: [] },
  "a file that becomes empty": { owns: "a", before: "a = 1\nb = 2\n", after: "", said: ["2 b removed"] },
};

function moved(text: string): string {
  const [head, cart, order, helper] = text.split(/\n\n\n/);
  return [head, helper?.trimEnd(), order, `${cart}\n`].join("\n\n\n");
}

test.each(Object.entries(CASES))("%s", async (_, one) => {
  expect(one.after).not.toBe(one.before);
  expect(await judged("cart.py", one)).toEqual(one.said ?? []);
});
