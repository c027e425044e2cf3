import { expect, test } from "vitest";
import { type Case, judged } from "../../../test/support/ownership-cases.ts";

const CART = `// Carts.
import { Item } from "./item.js";

export const LIMIT = 10, NAME = "cart";

/** What somebody wants. */
@Injectable()
export class Cart<T extends Item> extends Base {
  readonly items: T[] = [];
  static #count = 0;

  @Get("/total")
  async total(): Promise<number> {
    // all of it
    return this.items.length;
  }

  get size() { return 1; }
  set size(value) {}

  find(id: string): T;
  find(id: number): T;
  find(id: unknown): T { return this.items[0]; }
}

interface Line { id: string; price?: number, [key: string]: unknown }
enum Color { Red, Green = 2 }
type Id = string | number;
namespace Shop { export const open = true; }

export function helper() {
  return <const>[LIMIT];
}
export { helper as help };
export * from "./other.js";
export default Cart;
`;

const inCart = (owns: string, from: string | RegExp, to: string, ...said: string[]): Case => ({
  owns,
  before: CART,
  after: CART.replace(from, to),
  said,
});

const TS: Readonly<Record<string, Case>> = {
  "the owned method": inCart("Cart.total", "items.length", "items.size"),
  "a decorator of an owned method": inCart("Cart.total", '"/total"', '"/sum"'),
  "a decorator of another": inCart("Cart.find", '"/total"', '"/sum"', "13 Cart.total changed"),
  "a decorator of the class": inCart(
    "Cart.total",
    "@Injectable()",
    "@Service()",
    "8 the head of Cart changed",
  ),
  "the base of the class": inCart(
    "Cart.total",
    "extends Base",
    "extends Other",
    "8 the head of Cart changed",
  ),
  "a field": inCart("Cart.total", "readonly items", "items", "9 Cart.items changed"),
  "a private field": inCart("Cart.total", "#count = 0", "#count = 1", "10 Cart.#count changed"),
  "a setter": inCart("Cart.total", "set size(value) {}", "set size(value) { x(); }", "19 Cart.size changed"),
  "an overload": inCart("Cart.total", "id: number", "id: bigint", "22 Cart.find changed"),
  "an overload that is gone": inCart("Cart.total", "  find(id: number): T;\n", "", "22 Cart.find changed"),
  "a method without async": inCart("Cart.find", "async total", "total", "13 Cart.total changed"),
  "an interface member": inCart("Line.id", "price?: number", "price: number", "26 Line.price changed"),
  "an interface member that is owned": inCart("Line.price", "price?: number", "price: number"),
  "an interface member more": inCart(
    "Line.id",
    "id: string;",
    "id: string; name: string;",
    "26 Line.name added",
  ),
  "what has no name in an interface": inCart(
    "Line.id",
    "]: unknown",
    "]: string",
    "26 the head of Line changed",
  ),
  "an enum value": inCart("Color.Red", "Green = 2", "Green = 3", "27 Color.Green changed"),
  "an enum value more": inCart("Color.Red", "Red,", "Red, Blue,", "27 Color.Blue added"),
  "a type": inCart("Cart", "string | number", "string", "28 Id changed"),
  "a name in a namespace": inCart("Cart", "open = true", "open = false", "29 Shop.open changed"),
  "one of two names in a line": inCart("LIMIT", '"cart"', '"carts"', "4 NAME changed"),
  "const that becomes let, with all its names": inCart("LIMIT", "const LIMIT", "let LIMIT", "4 NAME changed"),
  "a name that is exported no more": inCart("Cart", "export function", "function", "31 helper changed"),
  "an export by another name": inCart(
    "Cart",
    "helper as help",
    "helper as aid",
    "34 the export of aid added",
    "34 the export of help removed",
  ),
  "an export of what is owned": inCart("helper", "helper as help", "helper as aid"),
  "a new export of what is owned": inCart("Cart", "export *", "export { Cart };\nexport *"),
  "a re-export of all": inCart("Cart", "./other.js", "./others.js", "35 an unnamed part changed"),
  "a default export of another": inCart("Cart", "default Cart", "default helper", "36 default changed"),
  "imports, also renamed": inCart("Cart", "{ Item }", "{ Item as Thing, type Other }"),
  "a comment of the file": inCart("Cart", "// Carts.", "// Mine.", "1 a comment of the file changed"),
  "a comment of an owned class": inCart("Cart", "somebody", "nobody"),
  "a comment of another": inCart("Line", "somebody", "nobody", "6 a comment of Cart changed"),
  "a moved class": inCart("LIMIT", /(\/\*\* What[\s\S]*?\n}\n)([\s\S]*)/, "$2\n$1"),
  "moved members": inCart("LIMIT", /( {2}readonly.*\n)([\s\S]*?)\n}/, "$2\n\n$1}"),
  "a formatter": inCart("LIMIT", /;$/gm, ""),
  "lines and spaces": inCart("LIMIT", /([{}])/g, "  $1\n"),
  "other quotes": inCart("LIMIT", /"/g, "'"),
  "lines that end otherwise": inCart("LIMIT", /\n/g, "\r\n"),
  "a mark in front of the text": inCart("LIMIT", /^/, "\uFEFF"),
  "a comma behind the last": {
    owns: "z",
    before: "const a = [1, 2], b = f(a, b), c = { d, e };\nenum E { A, B }\nfunction g(a, b) {}\n",
    after: "const a = [1, 2,], b = f(a, b,), c = { d, e, };\nenum E { A, B, }\nfunction g(a, b,) {}\n",
  },
  "the head of a loop": {
    owns: "z",
    before:
      "function f() { for (let i = 0;;) x(); for (const a of b) c(); }\nfunction g() { for (;a;) b() }\n",
    after:
      "function f() { for (let i = 0; ; ) x()\n for (const a of b) c() }\nfunction g() { for (;;a) b(); }\n",
    said: ["3 g changed"],
  },
  "quotes inside of quotes": {
    owns: "z",
    before: 'const a = "\\n", b = `a ${c(\'d\')} e`, f = "\'";\n',
    after: "const a = '\\n', b = `a ${ c(\"d\") } e`, f = '\"';\n",
    said: ["1 f changed"],
  },
  "brackets around all of an expression": {
    owns: "z",
    before: "const a = b ? c : d, e = () => f, g = () => ({}), h = (i, j);\ntype K = L | M;\n",
    after: "const a = (b ? c : d), e = () => (f), g = () => {}, h = (i + j) * 2;\ntype K =\n  | L\n  | M;\n",
    said: ["1 g changed", "1 h changed"],
  },
  "a hole in a list": {
    owns: "z",
    before: "const a = [];\n",
    after: "const a = [,];\n",
    said: ["1 a changed"],
  },
  "a line that begins with a bracket": {
    owns: "z",
    before: "function f() { a\n;(b) }\n",
    after: "function f() { a\n(b) }\n",
    said: ["1 f changed"],
  },
  "signs that become others": {
    owns: "z",
    before: "const a = b - -c, d = e + ++f, g = h < -i;\n",
    after: "const a = b -(-c), d = e++ + f, g = h<-i;\n",
    said: ["1 a changed", "1 d changed"],
  },
  "members of an object": {
    owns: "api.list",
    before: "export const api = { list() { return 1; }, get: () => 2, ...more } as const;\n",
    after: "export const api = { list() { return 2; }, get: () => 3, ...less } as const;\n",
    said: ["1 the head of api changed", "1 api.get changed"],
  },
  "a class that is a value": {
    owns: "Cart.total",
    before: "const Cart = class { total() {} size() {} };\n",
    after: "const Cart = class { total() { a } size() { a } };\n",
    said: ["1 Cart.size changed"],
  },
  "names in a pattern": {
    owns: "a",
    before: "const { a, b: [c, ...d], e = 1 } = f();\n",
    after: "const { a, b: [c, ...d], e = 1 } = g();\n",
    said: ["1 c changed", "1 d changed", "1 e changed"],
  },
  "a default without a name": {
    owns: "z",
    before: "export default class { a() {} }\n",
    after: "export default class { a() { b } }\n",
    said: ["1 default.a changed"],
  },
  "a static block": {
    owns: "A.a",
    before: "abstract class A { a = 1; static { b(); } abstract c(): void; }\n",
    after: "abstract class A { a = 1; static { d(); } abstract c(): string; }\n",
    said: ["1 the head of A changed", "1 A.c changed"],
  },
  "names that are no words": {
    owns: "A.a",
    before: 'class A { [Symbol.iterator]() {} "b-c"() {} }\n',
    after: 'class A { [Symbol.iterator]() { a } "b-c"() { a } }\n',
    said: ["1 A.[Symbol.iterator] changed", "1 A.b-c changed"],
  },
  "what is declared for all": {
    owns: "A",
    before: "declare global { interface Window { a: 1 } }\nexport declare function f(): void;\n",
    after: "declare global { interface Window { a: 2 } }\nexport declare function f(): string;\n",
    said: ["1 an unnamed part changed", "2 f changed"],
  },
  "words that the grammar does not know, in what is owned": {
    owns: "Box",
    before: 'export default function () { return import("./a"); }\n',
    after: 'interface Box<in out T> { a: T }\nexport default function () {\n  return import( "./a" );\n}\n',
  },
  "words that it does not know, elsewhere": {
    owns: "A",
    before: "interface Box<in T> { a: T }\nexport default function (a: string): void;\n",
    after: "interface Box<out T> { a: T }\nexport default function (a: number): void;\n",
    said: ["1 the head of Box changed", "2 default changed"],
  },
  "a routing statement about an owned name": {
    owns: "app",
    before: "const app = express();\nconst db = open();\n",
    after: 'const app = express();\napp.use("/a", a).listen(1);\nconst db = open();\ndb.start();\n',
    said: ["4 an unnamed part added"],
  },
  "a call from elsewhere that mentions what is owned": {
    owns: "Box",
    before: "class Box {}\nclass Other {}\nexport default memo(Box);\n",
    after:
      'class Box {}\nclass Other {}\ncustomElements.define("x-box", Box);\ncustomElements.define("x-other", Other);\nexport default styled(Box)(css);\n',
    said: ["4 an unnamed part added"],
  },
  "more of a formatter": {
    owns: "z",
    before: "const a = b => async c => d, e = { 'f': 'it\\'s', 'g-h': 0XF };\ninterface I { 'j': string }\n",
    after: 'const a = (b) => async (c) => d, e = { f: "it\'s", "g-h": 0xf };\ninterface I { j: string }\n',
  },
  "a function that takes more": {
    owns: "z",
    before: "const a = f((b, c) => d);\n",
    after: "const a = f(b, c => d);\n",
    said: ["1 a changed"],
  },
  "a text that is no TypeScript": inCart(
    "Cart",
    "return this",
    "return (this",
    "? 15 it is not valid TypeScript: `)` is missing here, so it is unclear if only `Cart` was changed",
  ),
};

test.each(Object.entries(TS))("TypeScript: %s", async (_, one) => {
  expect(one.after).not.toBe(one.before);
  expect(await judged("cart.ts", one)).toEqual(one.said ?? []);
});

const OTHERS: readonly (Case & { readonly path: string })[] = [
  {
    path: "a.js",
    owns: "total",
    before:
      'const a = require("a");\nmodule.exports.total = 1;\nexports.size = 2;\nmodule.exports = { total, size };\n',
    after:
      'const { a } = require("b").c;\nmodule.exports.total = 2;\nexports.size = 3;\nmodule.exports = { total, size: 1 };\n',
    said: ["3 size changed"],
  },
  {
    path: "b.js",
    owns: "total help",
    before: "const total = 1;\nmodule.exports = { size: 1, other };\n",
    after: 'const x = await import("x");\nmodule.exports = { total, aid: help, size: 2, other, ...more };\n',
    said: ["2 module.exports added", "2 the export of size changed"],
  },
  { path: "c.js", owns: "Cart", before: "", after: "class Cart {}\nmodule.exports = wrap(Cart);\n" },
  {
    path: "d.js",
    owns: "module.exports",
    before: "module.exports = { a };\n",
    after: "module.exports = { b };\n",
  },
  {
    path: "a.cjs",
    owns: "Cart.total",
    before:
      "function Cart() {}\nCart.prototype.total = function () {};\nCart.prototype.size = function () {};\n",
    after: "function Cart() {}\nCart.prototype.total = () => 1;\nCart.prototype.size = () => 2;\n",
    said: ["3 Cart.size changed"],
  },
  {
    path: "a.jsx",
    owns: "B",
    before: "const A = () => <p a='b'>Hello {name}</p>;\nconst B = () => <p/>;\n",
    after: 'const A = () => (\n  <p a="b">Hello {name}</p>\n);\nconst B = () => <p>B</p>;\n',
  },
  {
    path: "a.tsx",
    owns: "B",
    before: "const A = () => {\n  return <p><b>Hello</b> you</p>;\n};\n",
    after: "const A = () => {\n  return <p>\n    <b>\n      Hello\n    </b> you\n  </p>;\n};\n",
  },
];

test.each(OTHERS)("$path: $before", async ({ path, ...one }) => {
  expect(await judged(path, one)).toEqual(one.said ?? []);
});
