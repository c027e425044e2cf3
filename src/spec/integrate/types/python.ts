import { importsOf } from "../../../syntax/imports.ts";
import type { SyntaxNode, SyntaxTree } from "../../../syntax/tree.ts";
import { lineFinder } from "../../../util/lines.ts";
import { reasons } from "../reasons.ts";
import { readAlias } from "./python/aliases.ts";
import { classNames, type Place, readClass } from "./python/classes.ts";
import { namesOf } from "./python/names.ts";
import { classIn, moduleStatements } from "./python/source.ts";
import type { DeclaredShape, ModuleTypes } from "./shape.ts";

/**
 * The types that a Python file declares: classes of all sorts that hold data, enums, and other names of types. Functions and what
 * stands in them are left out, and so are methods and properties. A field of pydantic that may be null and has no default must be
 * given, as in its version 2; where the text is of version 1, or may be, that is left open.
 */
export function pythonTypes(tree: SyntaxTree): ModuleTypes {
  const statements = moduleStatements(tree);
  const declared = statements.flatMap((statement) => {
    const found = classIn(statement);
    return found === null ? [] : classNames(found.node, "");
  });
  const imports = importsOf(tree);
  const names = namesOf(imports, new Set(declared));
  const isFormer = imports.some(
    ({ from, imported }) =>
      /^pydantic\.(?:v1|generics)\b/.test(from) ||
      (from === "pydantic" && /^(?:validator|root_validator|BaseSettings)$/.test(imported ?? "")),
  );
  const place: Place = { names, scope: "", lineOf: lineFinder(tree.text), isFormer };
  let home: string | null = null;
  const types: DeclaredShape[] = [];
  for (const statement of statements) {
    home = homeIn(statement) ?? home;
    const found = classIn(statement);
    const here = found === null ? readAlias(statement, place) : readClass(found, place);
    types.push(...(home === null ? here : here.map((one) => ({ ...one, home: home as string }))));
  }
  return { types: [...types, ...calledModels(tree.text, types, place)] };
}

/** `create_model("Order", …)`, wherever it stands and whatever its result is called: what is in it is not seen. */
function calledModels(text: string, known: readonly DeclaredShape[], { lineOf }: Place): DeclaredShape[] {
  const names = new Set(known.map(({ name }) => name));
  return [...text.matchAll(/\bcreate_model\(\s*(?:__model_name\s*=\s*)?["'](\w+)["']/g)].flatMap(
    (found): DeclaredShape[] => {
      const [, name = ""] = found;
      if (names.has(name)) return [];
      names.add(name);
      const why = reasons.createdByCall("create_model");
      return [
        { name, line: lineOf(found.index), shape: { kind: "unknown", why }, bases: [], sort: "create_model" },
      ];
    },
  );
}

/** `# app/models.py`, alone or with words behind it: what follows is to be there. */
function homeIn(statement: SyntaxNode): string | null {
  if (statement.type !== "comment") return null;
  return /^#[\s=*-]*([\w./-]+\.pyi?)(?![\w/])/.exec(statement.text)?.[1] ?? null;
}
