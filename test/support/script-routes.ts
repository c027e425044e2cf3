import { readAliases } from "../../src/spec/integrate/aliases/read-aliases.ts";
import { moduleResolver } from "../../src/spec/integrate/modules.ts";
import type { ModelUse, Route, Routes } from "../../src/spec/integrate/routes/route.ts";
import {
  linkScriptRoutes,
  type ScriptRouteFacts,
  scriptRouteFacts,
} from "../../src/spec/integrate/routes/script.ts";
import { type Import, importsOf } from "../../src/syntax/imports.ts";
import { languageOf } from "../../src/syntax/language.ts";
import { readSource } from "../../src/syntax/read-source.ts";

/** A case of a file of cases: files, and what is found in them. */
export type RouteCase = {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly said: readonly string[];
};

/**
 * `== title`, then code of `x.ts` or of several files with `-- name` before each, then `=> what is told`. What stands before the
 * first case is the beginning of these files in every case.
 */
export function routeCases(text: string): RouteCase[] {
  const [head = "", ...cases] = text.split(/^== /m);
  const before = filesOf(head);
  return cases.map((one) => {
    const [title = "", ...lines] = one.trimEnd().split("\n");
    const files = filesOf(lines.filter((line) => !line.startsWith("=> ")).join("\n"));
    const names = [...new Set([...before.keys(), ...files.keys()])];
    const whole = names.map((name) => [name, (before.get(name) ?? "") + (files.get(name) ?? "")]);
    const said = lines.filter((line) => line.startsWith("=> ")).map((line) => line.slice(3));
    return { title, files: Object.fromEntries(whole), said };
  });
}

function filesOf(text: string): Map<string, string> {
  const [first = "", ...named] = text.split(/^-- /m);
  const files = named.map((one): [string, string] => {
    const [name = "", ...lines] = one.trimEnd().split("\n");
    return [name, `${lines.join("\n")}\n`];
  });
  return new Map(first.trim() === "" ? files : [["x.ts", `${first.trimEnd()}\n`], ...files]);
}

/** The routes of some files, as a project would have them. */
export async function scriptRoutes(files: Readonly<Record<string, string>>): Promise<Routes> {
  const modules = new Map<string, { facts: ScriptRouteFacts; imports: readonly Import[] }>();
  for (const [path, text] of Object.entries(files)) {
    if (path.endsWith(".json")) continue;
    const { tree } = await readSource(languageOf(path) ?? "typescript", text);
    try {
      modules.set(path, { facts: scriptRouteFacts(tree), imports: importsOf(tree) });
    } finally {
      tree.free();
    }
  }
  const paths = Object.keys(files);
  const aliases = await readAliases({ paths, read: async (path) => files[path] ?? null });
  return linkScriptRoutes(modules, moduleResolver(paths, aliases));
}

/** One line each: what is there, sorted; then what is unclear. `POST /x (In → Out[]) a.ts:3`, `? … GET /y`. */
export function told({ routes, unclear }: Routes): string[] {
  return [
    ...routes.map(routeText).toSorted(),
    ...unclear.map(({ file, line, why, under = "anywhere" }) => `${file}:${line} ${under}: ${why}`),
  ];
}

export function routeText({ method, path, prefixUnknown, request, response }: Route): string {
  const models = `${useText(request)} → ${useText(response)}`;
  const before = prefixUnknown === null ? "" : "? ";
  return `${before}${method} ${path}${models === "- → -" ? "" : ` (${models})`}`;
}

function useText(use: ModelUse): string {
  switch (use.kind) {
    case "declared":
      return `${use.model}${use.isList ? "[]" : ""}${use.doubt === undefined ? "" : "?"}`;
    case "none":
      return "none";
    case "unclear":
      return `unclear ${use.text}`;
    default:
      return "-";
  }
}
