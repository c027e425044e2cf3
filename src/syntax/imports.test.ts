import { expect, test } from "vitest";
import { importsOf } from "./imports.ts";
import type { Language } from "./language.ts";
import { parseSource } from "./parse.ts";

test.each<[Language, string, ...string[]]>([
  ["python", "import a.b, c as d\n", "a.b=a.b", "d=c"],
  ["python", "from a.b import (\n  c as d, # why\n  e,\n)\n", "d=a.b#c", "e=a.b#e"],
  ["python", "from .. import x\nfrom . store import *\n", "x=..#x", "-=.store#*"],
  ["python", "if TYPE_CHECKING:\n    from a import b\ndef f():\n    import c\n", "b=a#b", "c=c"],
  ["python", "def f():\n    with app.context():\n        from a import b\n", "b=a#b"],
  ["python", "try:\n    import x\nexcept ImportError:\n    x = None\n", "x=x"],
  [
    "typescript",
    'import a, { b as c, type D } from "./x.js";\n',
    "a=./x.js#default",
    "c=./x.js#b",
    "D=./x.js#D",
  ],
  ["typescript", 'import * as z from "zod";\nimport "./side.js";\n', "z=zod", "-=./side.js"],
  [
    "typescript",
    'export { a as b } from "./x";\nexport * from "./y";\nexport * as n from "./z";\nexport const q = 1;\n',
    ...["b=./x#a!", "-=./y#*!", "n=./z!"],
  ],
  [
    "javascript",
    'const e = require("express"), { Router: R, json } = require("e");\n',
    "e=express",
    "R=e#Router",
    "json=e#json",
  ],
  ["go", 'package x\nimport (\n  "net/http"\n  q "a/b"\n  _ "c"\n)\n', "http=net/http", "q=a/b", "-=c"],
])("imports of %s %j", async (language, text, ...said) => {
  const tree = await parseSource(language, text);
  try {
    const found = importsOf(tree).map(({ local, imported, from, isExported }) => {
      const mark = isExported && language !== "python" ? "!" : "";
      return `${local ?? "-"}=${from}${imported === null ? "" : `#${imported}`}${mark}`;
    });
    expect(found).toEqual(said);
  } finally {
    tree.free();
  }
});
