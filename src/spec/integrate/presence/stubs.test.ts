import { expect, test } from "vitest";
import type { Language } from "../../../syntax/language.ts";
import { forbidsStubs, mayHaveStubs, stubsIn } from "./stubs.ts";

const found = async (language: Language, text: string) =>
  mayHaveStubs(text)
    ? (await stubsIn(language, text)).map(({ kind, name, line }) => `${line} ${kind} ${name}`)
    : [];

test.each<[string, Language, string, ...string[]]>([
  ["a function", "python", "def f():\n    raise NotImplementedError\n", "1 unwritten f"],
  [
    "a method with a docstring and a comment",
    "python",
    'class A:\n    def f(self):\n        """Do it."""\n        # later\n        raise NotImplementedError("soon")\n',
    "2 unwritten A.f",
  ],
  [
    "what does nothing",
    "python",
    "def f():\n    pass\ndef g():\n    ...\ndef h():\n    'Doc.'\n",
    "1 empty f",
    "3 empty g",
    "5 empty h",
  ],
  [
    "comments",
    "python",
    "# TODO: prices\nx = 1  # FIXME\n# a TODO list\n",
    "1 comment TODO: prices",
    "2 comment FIXME",
  ],
  [
    "a case that is not handled",
    "python",
    "def f(x):\n    if x:\n        return 1\n    raise NotImplementedError\n",
  ],
  [
    "an abstract method",
    "python",
    "class A:\n    @abc.abstractmethod\n    def f(self):\n        raise NotImplementedError\n",
  ],
  ["a protocol", "python", "class A(Protocol):\n    def f(self) -> int: ...\n"],
  [
    "an abstract class",
    "python",
    "class A(B, metaclass=ABCMeta):\n    def f(self):\n        raise NotImplementedError\n",
  ],
  ["a base class", "python", "class BaseStore:\n    def f(self):\n        raise NotImplementedError\n"],
  [
    "methods that say who writes them",
    "python",
    'class A:\n    def f(self):\n        raise NotImplementedError("override in subclasses")\n    def g(self):\n        """Subclasses do it."""\n        raise NotImplementedError\n    def h(self):\n        raise NotImplementedError(f"{type(self)} must implement h")\n',
  ],
  [
    "a function that says so, which nothing is derived from",
    "python",
    'def f():\n    raise NotImplementedError("override me")\n',
    "1 unwritten f",
  ],
  ["an overload", "python", "@typing.overload\ndef f(x: int) -> int: ...\n"],
  ["an exception of its own", "python", "class Missing(Exception):\n    pass\n"],
  ["a text", "python", 'HELP = """\ndef f():\n    raise NotImplementedError\n# TODO: x\n"""\n'],
  [
    "a function",
    "typescript",
    'export function f(): number {\n  throw new Error("Not implemented");\n}\n',
    "1 unwritten f",
  ],
  [
    "an arrow",
    "typescript",
    'const f = async () => {\n  // soon\n  throw new TypeError("f is not yet implemented")\n};\n',
    "1 unwritten f",
  ],
  [
    "a method",
    "typescript",
    "class A {\n  f() {\n    throw new NotImplementedException();\n  }\n}\n",
    "2 unwritten A.f",
  ],
  [
    "comments",
    "typescript",
    "/* TODO prices */\n// FIXME(x): y\n",
    "1 comment TODO prices */",
    "2 comment FIXME(x): y",
  ],
  [
    "a class for others",
    "typescript",
    'abstract class A {\n  f() { throw new Error("not implemented"); }\n}\n',
  ],
  ["another error", "typescript", 'function f() {\n  throw new Error("no such order");\n}\n'],
  [
    "a case that is not handled",
    "typescript",
    'function f(x) {\n  if (x) {\n    throw new Error("not implemented");\n  }\n  return 1;\n}\n',
  ],
  ["what does nothing", "typescript", "const f = () => {};\nclass A { constructor(private x: number) {} }\n"],
  ["a text", "typescript", "const help = `\n// TODO: x\n`;\n"],
  ["a function", "go", 'package a\n\nfunc F() int {\n\tpanic("not implemented")\n}\n', "3 unwritten F"],
  [
    "a check",
    "go",
    'package a\n\nfunc F(x int) int {\n\tif x > 0 {\n\t\tpanic("not implemented")\n\t}\n\treturn 1\n}\n',
  ],
])("%s in %s", async (_, language, text, ...lines) => {
  expect(await found(language, text)).toEqual(lines);
});

test.each([
  ["- [ ] No stubs, no TODO", true],
  ["Nothing is left as `NotImplementedError`", true],
  ["Do not leave TODOs", true],
  ["- A todo has a title\n- No todo is shown twice", false],
  ["Stubs of the gateway are in tests/", false],
])("%s forbids stubs: %s", (text, is) => {
  expect(forbidsStubs(text)).toBe(is);
});
