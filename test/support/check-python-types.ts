import type { UnreadFile } from "../../src/spec/integrate/finding.ts";
import { moduleResolver } from "../../src/spec/integrate/modules.ts";
import { checkTypes } from "../../src/spec/integrate/types/check-types.ts";
import { pythonTypes } from "../../src/spec/integrate/types/python.ts";
import { importsOf } from "../../src/syntax/imports.ts";
import { parseSource } from "../../src/syntax/parse.ts";

/** Files by their paths. */
export type Texts = Readonly<Record<string, string>>;
const HEAD =
  "from dataclasses import dataclass, field\nfrom enum import Enum, auto\nfrom typing import *\nfrom pydantic import BaseModel, Field\n";

/** What is found, one line each; `ok` for a type of which nothing is. */
export async function checked(
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

/** A class `A` with these lines in it. */
export const data = (...fields: string[]) =>
  `@dataclass\nclass A:\n${fields.map((one) => `    ${one}\n`).join("")}`;
export const model = (...fields: string[]) =>
  `class A(BaseModel):\n${fields.map((one) => `    ${one}\n`).join("")}`;
