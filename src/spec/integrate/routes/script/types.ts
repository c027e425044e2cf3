import type { Path, TypeUse } from "./facts.ts";
import { addRouter, type Framework, type Value, type World } from "./world.ts";

/** What the name of a type means: one of the project, with what it is declared as; or one of a package. */
export type MeantType =
  | { readonly kind: "own"; readonly file: string; readonly name: string; readonly type: TypeUse | null }
  | { readonly kind: "foreign"; readonly from: string; readonly name: string };

const DEEPEST = 20;

/** A name as a file uses it, whatever it is called where it is declared. */
export function typeNamed(world: World, file: string, name: string, depth = 0): MeantType {
  const module = world.modules.get(file);
  const unknown: MeantType = { kind: "own", file, name, type: null };
  const type = module?.facts.types.get(name);
  if (type !== undefined) return { kind: "own", file, name, type };
  const [head = "", ...rest] = name.split(".");
  const from = module?.imports.find(({ local }) => local === head);
  if (from === undefined || depth > DEEPEST) return unknown;
  const target = world.resolve(from.from, file);
  const names = from.imported === null || from.imported === "*" ? rest : [from.imported, ...rest];
  if (target === null)
    return { kind: "foreign", from: from.from, name: names.filter((one) => one !== "default").join(".") };
  const [first, ...further] = names;
  return first === undefined || further.length > 0 ? unknown : exportedType(world, target, first, depth + 1);
}

function exportedType(world: World, file: string, name: string, depth: number): MeantType {
  const module = world.modules.get(file);
  const unknown: MeantType = { kind: "own", file, name, type: null };
  if (module === undefined || depth > DEEPEST) return unknown;
  const own = module.facts.exports.get(name);
  if (own?.kind === "name") return typeNamed(world, file, own.name, depth + 1);
  if (own?.kind === "class") return { ...unknown, name: module.facts.classes.get(own.id)?.name ?? name };
  const handedOn = module.imports.find(({ isExported, local }) => isExported && local === name);
  if (handedOn !== undefined) return typeNamed(world, file, name, depth + 1);
  for (const { isExported, local, imported, from } of module.imports) {
    const target = isExported && local === null && imported === "*" ? world.resolve(from, file) : null;
    const meant = target === null ? null : exportedType(world, target, name, depth + 1);
    if (meant?.kind === "own" && isDeclared(world, meant)) return meant;
  }
  return unknown;
}

function isDeclared(world: World, { file, name }: { readonly file: string; readonly name: string }): boolean {
  const facts = world.modules.get(file)?.facts;
  return facts?.types.has(name) === true || facts?.exports.has(name) === true;
}

/** What a type alone says of a value: a router, with `id` as its name, or something of a class of the project. */
export function valueOfType(world: World, file: string, type: TypeUse | null, id: string): Value | null {
  const meant = meantBy(world, file, type);
  if (meant === null) return null;
  if (meant.kind === "foreign")
    return givenRouter(world, id, (one) => one.isRouterType(meant.from, meant.name));
  const [value, ...more] = world.modules.get(meant.file)?.facts.scopes[0]?.names.get(meant.name) ?? [];
  return value?.kind === "class" && more.length === 0
    ? { kind: "instance", file: meant.file, id: value.id }
    : null;
}

/** Another name for a type is followed to what it stands for. */
function meantBy(world: World, file: string, type: TypeUse | null): MeantType | null {
  let [at, use] = [file, type];
  for (let depth = 0; use?.kind === "name" && depth < DEEPEST; depth++) {
    const meant = typeNamed(world, at, use.name);
    if (meant.kind === "foreign" || meant.type === null) return meant;
    [at, use] = [meant.file, meant.type];
  }
  return null;
}

/** What a function of this type gets first: `const routes: FastifyPluginAsync = async (app) => …`. */
export function valueOfPlugin(world: World, file: string, type: TypeUse | null, id: string): Value | null {
  if (type?.kind !== "name") return null;
  const meant = typeNamed(world, file, type.name);
  if (meant.kind === "own") return null;
  return givenRouter(world, id, (one) => one.isPluginType(meant.from, meant.name));
}

function givenRouter(world: World, id: string, isOf: (framework: Framework) => boolean): Value | null {
  const framework = world.frameworks.find(isOf);
  if (framework === undefined) return null;
  return addRouter(world, { id, framework, role: "given", base: null, made: null, copyOf: null });
}

/** The type of a part: of `app` in `({ app }: { app: Express })`. */
export function typeAt(world: World, file: string, type: TypeUse, path: Path): TypeUse | null {
  let at: TypeUse | null = type;
  for (const step of path) {
    const meant: MeantType | null = at?.kind === "name" ? typeNamed(world, file, at.name) : null;
    const object: TypeUse | null = meant?.kind === "own" ? meant.type : at;
    at = object?.kind === "object" ? (object.members.get(`${step}`) ?? null) : null;
  }
  return at;
}
