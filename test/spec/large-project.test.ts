import { beforeAll, expect, test } from "vitest";
import { moduleResolver } from "../../src/spec/integrate/modules.ts";
import { checkTypes } from "../../src/spec/integrate/types/check-types.ts";
import { pythonTypes } from "../../src/spec/integrate/types/python.ts";
import { scriptTypes } from "../../src/spec/integrate/types/script.ts";
import { importsOf } from "../../src/syntax/imports.ts";
import { languageOf } from "../../src/syntax/language.ts";
import { readSource } from "../../src/syntax/read-source.ts";
import { largeProject } from "../support/large-project/index.mjs";

async function read(path: string, text: string) {
  const language = languageOf(path) ?? "typescript";
  const { tree, errors } = await readSource(language, text);
  try {
    expect([path, ...errors]).toEqual([path]);
    const types = language === "python" ? pythonTypes(tree) : scriptTypes(tree);
    return { path, types, imports: importsOf(tree) };
  } finally {
    tree.free();
  }
}

const { files, contracts } = largeProject();
const resolve = moduleResolver([...files.keys()]);
const modules = new Map<string, Awaited<ReturnType<typeof read>>>();
beforeAll(async () => {
  for (const [path, text] of files) modules.set(path, await read(path, text));
});

/** What is found when some files are otherwise. */
async function told(changed: Readonly<Record<string, string>>): Promise<string[]> {
  const lines: string[] = [];
  const now = new Map(modules);
  for (const [path, text] of Object.entries(changed)) now.set(path, await read(path, text));
  for (const ending of [/\.py$/, /\.tsx?$/]) {
    const wanted = contracts.filter(({ path }) => ending.test(path));
    const all = await Promise.all(wanted.map(({ file, text }) => read(file, text)));
    const of = new Map([...now].filter(([path]) => ending.test(path)));
    const verdicts = checkTypes({ contracts: all, modules: of, resolve, unread: [] });
    const found = verdicts.flatMap(({ findings }) => findings);
    lines.push(
      ...found.map(({ about, code, at, message }) => `${about} ${code} ${at?.file}:${at?.line} ${message}`),
    );
  }
  return lines;
}

function broken(path: string, text: string, instead: string): Record<string, string> {
  const before = files.get(path) ?? "";
  expect(before).toContain(text);
  return { [path]: before.replace(text, instead) };
}

test("a project of 200 files keeps the types of its contracts", async () => {
  expect(files.size).toBeGreaterThanOrEqual(200);
  expect(await told({})).toEqual([]);
});

test("what is broken in it is all that is found, also where others rest on it", async () => {
  const all = {
    ...broken("backend/app/models/shared.py", "    currency: Currency\n", "    currency: str\n"),
    ...broken("backend/app/models/product.py", "    tags: list[str] = Field(default_factory=list)\n", ""),
    ...broken("store/src/shared/types.ts", "  readonly updatedAt?: string;", "  readonly updatedAt: string;"),
    ...broken("admin/src/types/sensor.ts", '"changed-at"', '"changedAt"'),
  };
  const rests = ["Route", "Tenant", "Campaign", "Template"].flatMap((name) => [
    `${name} field-optional store/src/domain/${name.toLowerCase()}.ts:13`,
    `${name}Summary field-optional store/src/domain/${name.toLowerCase()}.ts:26`,
  ]);
  expect(await told(all)).toEqual([
    "Money field-type backend/app/models/shared.py:18 `currency` is `str` in the code, `Currency` in the contract",
    "ProductCreate field-missing backend/app/models/product.py:41 `tags: list[str]` is missing",
    "Product field-missing backend/app/models/product.py:51 `tags: list[str]` is missing",
    ...rests.map(
      (rest) =>
        `${rest} \`updatedAt\` (from store/src/shared/types.ts:15) is required in the code, optional in the contract`,
    ),
    'SensorSort value-missing admin/src/types/sensor.ts:19 value `"changed-at"` is missing',
    'SensorSort value-extra admin/src/types/sensor.ts:19 value `"changedAt"` is not in the contract',
  ]);
});
