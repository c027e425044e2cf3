import { prefixesOf } from "./adding.ts";
import type { Expr } from "./facts.ts";
import { itemsOf, type ObjectValue, objectAt, objectIn, valueUnder } from "./member.ts";
import { marksOf } from "./nest-decorators.ts";
import {
  foreignName,
  type Place,
  placeIn,
  type Template,
  type Value,
  type ValueKind,
  type Values,
  type World,
} from "./world.ts";

/** Classes are named by file and place. */
export const classKey = ({ file, id }: { readonly file: string; readonly id: number }) => `${file} ${id}`;

type ClassValue = ValueKind<"class">;

/** All controllers that a module has, itself or through what it imports, with the prefix of the module that has them. */
export function controllersOf(
  world: World,
  root: ClassValue,
  prefixes: ReadonlyMap<string, Template>,
): ReadonlyMap<string, readonly Template[]> {
  const found = new Map<string, readonly Template[]>();
  const seen = new Set<string>();
  const open: Listed[] = [{ module: root, parts: null }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { module, parts } = next;
    const key = classKey(module);
    const written = [...(seen.has(key) ? [] : partsOf(world, module)), ...(parts === null ? [] : [parts])];
    seen.add(key);
    for (const one of written) {
      for (const controller of classesIn(world, one, "controllers")) {
        const at = classKey(controller.module);
        found.set(at, [...(found.get(at) ?? []), prefixes.get(key) ?? { path: "" }]);
      }
      const isNew = (to: Listed) => to.parts !== null || !seen.has(classKey(to.module));
      open.push(...classesIn(world, one, "imports").filter(isNew));
    }
    if (open.length > MOST_MODULES) break;
  }
  return found;
}

const MOST_MODULES = 5000;

/** What `@Module({ … })` is told. */
function partsOf(world: World, { file, id }: ClassValue): ObjectValue[] {
  const decorators = world.modules.get(file)?.facts.classes.get(id)?.decorators ?? [];
  return marksOf(world, file, decorators)
    .filter(({ name }) => name === "Module")
    .flatMap(({ arguments: [first], at }) => objectAt(world, first, at) ?? []);
}

type Listed = { readonly module: ClassValue; readonly parts: ObjectValue | null };

function classesIn(world: World, parts: ObjectValue, name: string): Listed[] {
  const field = parts.fields.get(name);
  const lists = field === undefined ? [] : world.evaluate(field, parts.at);
  return lists.flatMap((list) => itemsOf(world, list) ?? []).flatMap((item) => classIn(world, item));
}

/** A class; `forwardRef(() => Class)`; what `Class.forRoot()` of the project returns. */
function classIn(world: World, value: Value): Listed[] {
  if (value.kind === "class") return [{ module: value, parts: null }];
  if (value.kind === "foreign") {
    const [first] = value.made?.call.arguments ?? [];
    if (first === undefined || value.made === null || foreignName(value) !== "forwardRef.()") return [];
    const [fn] = world.evaluate(first, value.made.at);
    return fn?.kind === "function" ? returned(world, fn).flatMap((one) => classIn(world, one)) : [];
  }
  const parts = objectIn([value]);
  const of = valueUnder(world, parts, "module");
  return of?.kind === "class" ? [{ module: of, parts }] : [];
}

function returned(world: World, { file, id }: ValueKind<"function">): Values {
  const returns = world.modules.get(file)?.facts.functions.get(id)?.returns ?? [];
  return returns.flatMap((one) => world.evaluate(one, placeIn(file)));
}

/** `RouterModule.register([{ path, module, children }])`, by module. */
export function modulePrefixes(world: World, routes: Expr, at: Place): Map<string, Template> {
  const found = new Map<string, Template>();
  const go = (values: Values, before: Template, depth: number): void => {
    if (depth > DEEPEST) return;
    for (const item of values.flatMap((value) => itemsOf(world, value) ?? [])) {
      const [listed] = classIn(world, item);
      const written = objectIn([item]);
      const path = written?.fields.get("path");
      const own =
        written === null || path === undefined ? { path: "" } : prefixesOf(world, path, written.at)[0];
      const prefix = joined(before, own ?? { path: "" });
      if (listed !== undefined) found.set(classKey(listed.module), prefix);
      const children = written?.fields.get("children");
      if (written !== null && children !== undefined)
        go(world.evaluate(children, written.at), prefix, depth + 1);
    }
  };
  go(world.evaluate(routes, at), { path: "" }, 0);
  return found;
}

const DEEPEST = 10;

function joined(before: Template, own: Template): Template {
  if ("why" in own) return own;
  return "why" in before ? before : { path: `${before.path}/${own.path}` };
}
