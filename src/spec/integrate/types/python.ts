import { importsOf } from "../../../syntax/imports.ts";
import type { SyntaxNode, SyntaxTree } from "../../../syntax/tree.ts";
import { lineFinder } from "../../../util/lines.ts";
import { reasons } from "../reasons.ts";
import { classNames, type Place, readClass } from "./python/classes.ts";
import { type Call, type Expression, expressionOf } from "./python/expression.ts";
import { neutralName } from "./python/known-types.ts";
import { type Names, namesOf } from "./python/names.ts";
import { type Assignment, assignmentsIn, classIn, moduleStatements } from "./python/source.ts";
import { valueType } from "./python/value-type.ts";
import type { DeclaredShape, ModuleTypes, TypeShape } from "./shape.ts";
import { literalsOf } from "./value-types.ts";

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

/** Other names of types: `type Sku = str`, `Sku: TypeAlias = str`, `Sku = NewType("Sku", str)`, `Status = Literal["a", "b"]`. */
function readAlias(statement: SyntaxNode, place: Place): DeclaredShape[] {
  if (statement.type === "type_alias_statement") return typeStatement(statement, place);
  return assignmentsIn(statement).flatMap((assignment) => assigned(assignment, place) ?? []);
}

function typeStatement(statement: SyntaxNode, place: Place): DeclaredShape[] {
  const [left, right] = [statement.childForFieldName("left"), statement.childForFieldName("right")];
  const name = /^\s*([\p{L}_][\p{L}\p{N}_]*)/u.exec(left?.text ?? "")?.[1];
  if (left === null || right === null || name === undefined) return [];
  return [alias({ name, start: left.startIndex, sort: "type" }, expressionOf(right), place)];
}

function assigned({ name, annotation, value, start }: Assignment, place: Place): DeclaredShape | null {
  if (value === null) return null;
  const { names } = place;
  const said = annotation?.kind === "name" ? names.meaning(annotation.name) : null;
  if (said === "typing.TypeAlias") return alias({ name, start, sort: "alias" }, value, place);
  if (annotation !== null) return null;
  if (value.kind === "call") return made({ name, start }, value, place);
  const isAlias = isName(name) ? isType(value, names) : /^_*[A-Z]/.test(name) && isCertain(value, names);
  return isAlias && value.kind !== "none" ? alias({ name, start, sort: "alias" }, value, place) : null;
}

type Head = { readonly name: string; readonly start: number; readonly sort: string };

function alias({ name, start, sort }: Head, of: Expression, { names, scope, lineOf }: Place): DeclaredShape {
  const type = valueType(of, { names, scope });
  const values = literalsOf(type);
  const shape: TypeShape = values === null ? { kind: "alias", type } : { kind: "values", values };
  return { name, line: lineOf(start), shape, bases: [], sort: values === null ? sort : "Literal" };
}

const MAKERS =
  /^(?:enum\.\w*(?:Enum|Flag)|typing\.(?:TypedDict|NamedTuple|namedtuple)|dataclasses\.make_dataclass|pydantic\.create_model|attr\.make_class|msgspec\.defstruct)$/;

/** A type that a call makes. Of sort `call` it may be anything else as well, such as an object. */
function made(head: Omit<Head, "sort">, value: Call, place: Place): DeclaredShape | null {
  const called = value.of.kind === "name" ? value.of.name : "";
  const meaning = place.names.meaning(called);
  const [, second] = value.args;
  if (meaning === "typing.NewType" && second !== undefined)
    return alias({ ...head, sort: "NewType" }, second, place);
  if (/^typing\.(?:TypeVar|ParamSpec|TypeVarTuple)$/.test(meaning) || !isName(head.name)) return null;
  const common = { name: head.name, line: place.lineOf(head.start), bases: [] };
  if (/^sqlalchemy\.(?:declarative_base|automap_base)$/.test(meaning))
    return { ...common, shape: { kind: "fields", fields: [], more: null }, sort: "sqlalchemy model" };
  const why = reasons.createdByCall(value.of.text.slice(0, 60));
  return { ...common, shape: { kind: "unknown", why }, sort: MAKERS.test(meaning) ? called : "call" };
}

/** As types are called, and constants are not. */
const isName = (name: string) => /^_*\p{Lu}/u.test(name) && !/^_*[A-Z0-9][A-Z0-9_]+$/.test(name);

/** Whether it is the name of a type, as far as names tell, or made of such names. */
function isType(value: Expression, names: Names): boolean {
  if (isCertain(value, names)) return true;
  if (value.kind === "name") return isName(value.name.split(".").at(-1) ?? "");
  if (value.kind === "subscript") return isType(value.of, names);
  return value.kind === "union" && value.of.every((one) => one.kind === "literal" || isType(one, names));
}

/** Whether it can only be meant as a type: `str`, `list[X]`, `X | None`. */
function isCertain(value: Expression, names: Names): boolean {
  if (value.kind === "none") return true;
  if (value.kind === "name") return neutralName(names.meaning(value.name)) !== null;
  if (value.kind === "union") return value.of.some((one) => isCertain(one, names));
  if (value.kind !== "subscript" || value.of.kind !== "name") return false;
  return isCertain(value.of, names) || names.meaning(value.of.name).startsWith("typing.");
}
