import type { Import } from "../../../syntax/imports.ts";
import type { Resolve } from "../modules.ts";
import type { ModuleTypes } from "./shape.ts";

/** Files of one language by their paths. */
export type TypeModules = ReadonlyMap<string, TypeModule>;
export type TypeModule = { readonly types: ModuleTypes; readonly imports: readonly Import[] };

/**
 * What a name in a file stands for: a type of the project, or something outside, by the name that it has there (`DataFrame`,
 * whatever it is called here).
 */
export type Found =
  | { readonly kind: "declared"; readonly file: string; readonly name: string }
  | { readonly kind: "outside"; readonly name: string };

export type Find = (name: string, file: string) => Found;

/** Imports that hand names on in a circle, or through more files than anybody has. */
const FURTHEST = 30;

/** Looks a name up as the language would: in the file, in what it imports, and where that is handed on from. */
export function typeFinder(modules: TypeModules, resolve: Resolve): Find {
  const declared = new Map(
    [...modules].map(([path, { types }]) => [path, new Set(types.types.map((t) => t.name))]),
  );
  const locals = new Map<string, ReadonlyMap<string, Import>>();
  const localsOf = (file: string) => {
    const known = locals.get(file) ?? importsByName(modules.get(file)?.imports ?? []);
    locals.set(file, known);
    return known;
  };

  const look = (name: string, file: string | null, steps: number): Found | null => {
    if (file === null || name === "" || steps > FURTHEST) return null;
    if (declared.get(file)?.has(name)) return { kind: "declared", file, name };
    const parts = name.split(".");
    for (let length = parts.length; length > 0; length -= 1) {
      const found = localsOf(file).get(parts.slice(0, length).join("."));
      if (found !== undefined) return through(found, parts.slice(length), file, steps + 1);
    }
    for (const { imported, from } of modules.get(file)?.imports ?? []) {
      const there = imported === "*" ? look(name, resolve(from, file), steps + 1) : null;
      if (there?.kind === "declared") return there;
    }
    return null;
  };

  /** `from app.models import Category`, `from app import models`, `import app`: then `app.models.Category`. */
  const through = (one: Import, rest: readonly string[], file: string, steps: number): Found => {
    const named = one.imported === null || one.imported === "default" ? [] : [one.imported];
    const given = one.imported === "default" ? look("default", resolve(one.from, file), steps) : null;
    if (given?.kind === "declared" && rest.length === 0) return given;
    const path = one.imported === "default" ? [one.local ?? "", ...rest] : [...named, ...rest];
    for (let length = 0; length < path.length; length += 1) {
      const module = [one.from, ...path.slice(0, length)].reduce(below);
      const there = look(path.slice(length).join("."), resolve(module, file), steps);
      if (there?.kind === "declared") return there;
      if (there?.kind === "outside" && length === 0) return there;
    }
    return { kind: "outside", name: path.at(-1) ?? one.local ?? "" };
  };

  return (name, file) => look(name, file, 0) ?? { kind: "outside", name: name.split(".").at(-1) ?? name };
}

/** A name that is imported in two ways, as below `try`, is what the first says. */
function importsByName(imports: readonly Import[]): ReadonlyMap<string, Import> {
  const named = imports.flatMap((one) => (one.local === null ? [] : [[one.local, one] as const]));
  return new Map(named.toReversed());
}

const below = (module: string, name: string) => (/\.$/.test(module) ? module + name : `${module}.${name}`);
