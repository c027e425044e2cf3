import { moduleResolver } from "../../src/spec/integrate/modules.ts";
import {
  linkPythonRoutes,
  type PythonRouteFacts,
  pythonRouteFacts,
} from "../../src/spec/integrate/routes/python.ts";
import type { ModelUse, Routes } from "../../src/spec/integrate/routes/route.ts";
import { type Import, importsOf } from "../../src/syntax/imports.ts";
import { readSource } from "../../src/syntax/read-source.ts";

/** The routes of some files of Python. */
export async function pythonRoutes(files: Readonly<Record<string, string>>): Promise<Routes> {
  const modules = new Map<string, { facts: PythonRouteFacts; imports: readonly Import[] }>();
  for (const [path, text] of Object.entries(files)) {
    const { tree } = await readSource("python", text);
    modules.set(path, { facts: pythonRouteFacts(tree), imports: importsOf(tree) });
    tree.free();
  }
  return linkPythonRoutes(modules, moduleResolver(Object.keys(files)));
}

/** One line each: `POST /orders OrderIn -> [OrderOut]`, `… GET /x (why its beginning is not seen)`, `? /under: why`. */
export function told({ routes, unclear }: Routes): string[] {
  return [
    ...routes.map(({ method, path, prefixUnknown, request, response }) => {
      const models = [said(request), said(response)].every((one) => one === "")
        ? ""
        : ` ${said(request)} -> ${said(response)}`;
      return prefixUnknown === null
        ? `${method} ${path}${models}`
        : `… ${method} ${path}${models} (${prefixUnknown})`;
    }),
    ...unclear.map(({ under, why }) => `?${under === undefined ? "" : ` ${under}`}: ${why}`),
  ];
}

function said(use: ModelUse): string {
  if (use.kind === "declared") return use.isList ? `[${use.model}]` : use.model;
  if (use.kind === "unclear") return `?${use.text}`;
  return use.kind === "none" ? "none" : "";
}
