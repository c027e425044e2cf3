import { importsOf } from "../../../syntax/imports.ts";
import type { SyntaxNode, SyntaxTree } from "../../../syntax/tree.ts";
import { readAlias } from "./python/aliases.ts";
import { classNames, type Place, readClass } from "./python/classes.ts";
import { namesOf } from "./python/names.ts";
import { classIn, lineFinder, moduleStatements } from "./python/source.ts";
import type { DeclaredShape, ModuleTypes } from "./shape.ts";

/**
 * The types that a Python file declares: classes of all sorts that hold data, enums, and other names of types. Functions and what
 * stands in them are left out, and so are methods and properties. A field of pydantic that may be null and has no default must be
 * given, as in its version 2.
 */
export function pythonTypes(tree: SyntaxTree): ModuleTypes {
  const statements = moduleStatements(tree);
  const declared = statements.flatMap((statement) => {
    const found = classIn(statement);
    return found === null ? [] : classNames(found.node, "");
  });
  const names = namesOf(importsOf(tree), new Set(declared));
  const place: Place = { names, scope: "", lineOf: lineFinder(tree.text) };
  let home: string | null = null;
  const types: DeclaredShape[] = [];
  for (const statement of statements) {
    home = homeIn(statement) ?? home;
    const found = classIn(statement);
    const here = found === null ? readAlias(statement, place) : readClass(found, place);
    types.push(...(home === null ? here : here.map((one) => ({ ...one, home: home as string }))));
  }
  return { types };
}

/** `# app/models.py`, alone or with words behind it: what follows is to be there. */
function homeIn(statement: SyntaxNode): string | null {
  if (statement.type !== "comment") return null;
  return /^#[\s=*-]*([\w./-]+\.pyi?)(?![\w/])/.exec(statement.text)?.[1] ?? null;
}
