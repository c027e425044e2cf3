import type { Call, Chain, Expr, ExprKind, Path, Scope, Step } from "./facts.ts";
import {
  copied,
  exported,
  exportedNames,
  imported,
  isMadeInside,
  memberOf,
  objectIn,
  ofOwn,
  single,
} from "./member.ts";
import { typeAt, valueOfPlugin, valueOfType } from "./types.ts";
import {
  addRouter,
  foreignName,
  NOTHING,
  onlyText,
  type Place,
  placeIn,
  type Value,
  type ValueKind,
  type Values,
  type World,
} from "./world.ts";

/** Further than any code goes that people write. */
const DEEPEST = 60;
const MOST_VALUES = 24;
/** No path is longer; what doubles itself would be. */
const LONGEST = 2000;

/** See `World.evaluate`; the same expression is looked at once in a round. */
export function evaluate(world: World, expr: Expr, at: Place): Values {
  if (at.depth > DEEPEST) return [NOTHING];
  const all = world.known.get(at.turns) ?? new Map<Expr, Values>();
  world.known.set(at.turns, all);
  const known = all.get(expr);
  if (known !== undefined) return known;
  all.set(expr, []); // what leads back to itself adds nothing
  const values = look(world, expr, { ...at, depth: at.depth + 1 }).slice(0, MOST_VALUES);
  all.set(expr, values);
  return values;
}

function look(world: World, expr: Expr, at: Place): Values {
  switch (expr.kind) {
    case "text":
    case "number":
    case "false":
    case "pattern":
      return [expr];
    case "list":
    case "object":
      return [{ kind: "literal", of: expr, at }];
    case "joined":
      return [joined(world, expr.of, at)];
    case "function":
    case "class":
      return [{ kind: expr.kind, file: at.file, id: expr.id }];
    case "module":
      return expr.from === null ? [NOTHING] : imported(world, { from: expr.from, imported: null }, at);
    case "choice":
      return expr.of.flatMap((one) => evaluate(world, one, at));
    case "typed":
      return orTyped(world, evaluate(world, expr.of, at), () =>
        valueOfType(world, at.file, expr.type, TYPED),
      );
    case "name":
      return named(world, expr, at);
    case "this":
    case "super":
      return ownClass(world, expr, at);
    case "part":
      return follow(world, evaluate(world, expr.of, at), expr.path, at);
    case "turn":
      return follow(world, turnOf(at, `${at.file} ${expr.of}`), expr.path, at);
    case "parameter":
      return parameter(world, expr, at);
    case "chain":
      return chain(world, expr, at);
    default:
      return [NOTHING];
  }
}

function joined(world: World, parts: readonly Expr[], at: Place): Value {
  const texts = parts.map((part) => {
    const values = evaluate(world, part, at);
    return values.length === 1 && values[0]?.kind === "number" ? `${values[0].value}` : onlyText(values);
  });
  const text = texts.join("");
  return texts.includes(null) || text.length > LONGEST ? NOTHING : { kind: "text", text };
}

/** The nearest that has the name; then the imports; then what everybody has. */
function named(world: World, { name, scope }: ExprKind<"name">, at: Place): Values {
  const module = world.modules.get(at.file);
  for (let i = scope; i >= 0; ) {
    const here: Scope | undefined = module?.facts.scopes[i];
    const said = here?.names.get(name);
    if (said !== undefined) {
      const values = said.flatMap((one) => evaluate(world, one, at));
      const type = here?.types.get(name);
      return orTyped(world, values, () =>
        valueOfType(world, at.file, type ?? null, `${at.file} ${i} ${name}`),
      );
    }
    i = here?.parent ?? -1;
  }
  const from = module?.imports.find(({ local }) => local === name);
  if (from !== undefined) return imported(world, from, at);
  return [{ kind: "foreign", from: "", names: [name], made: null }];
}

/** Of all that are cast to a router: none of them is mounted. */
const TYPED = "typed";

/** What is written behind a name counts where nothing better is known. */
function orTyped(world: World, values: Values, typed: () => Value | null): Values {
  const isReal = (value: Value) => value.kind === "router" && world.routers.get(value.id)?.role !== "given";
  // A router that was only known by its type stood in until the real one was found.
  if (values.some(isReal)) return values.filter((value) => value.kind !== "router" || isReal(value));
  if (values.some(({ kind }) => kind !== "unknown" && kind !== "foreign")) return values;
  const given = typed();
  return given === null ? values : [given];
}

function ownClass(world: World, { kind, scope }: ExprKind<"this" | "super">, at: Place): Values {
  const facts = world.modules.get(at.file)?.facts;
  for (let here = facts?.scopes[scope]; here !== undefined; here = facts?.scopes[here.parent]) {
    if (here.ofClass === null) continue;
    if (kind === "this") return [{ kind: "instance", file: at.file, id: here.ofClass }];
    const base = facts?.classes.get(here.ofClass)?.base;
    return base == null ? [NOTHING] : evaluate(world, base, at);
  }
  return [NOTHING];
}

function turnOf({ turns }: Place, key: string): Values {
  return [turns.get(key) ?? NOTHING];
}

/** What it was called with, or a turn of the loop that the function is the body of. */
function parameter(world: World, { fn, index, path }: ExprKind<"parameter">, at: Place): Values {
  const facts = world.modules.get(at.file)?.facts;
  if (index === 0 && facts?.loops.has(fn)) return follow(world, turnOf(at, `${at.file} f${fn}`), path, at);
  const declared = facts?.functions.get(fn)?.parameters[index];
  const key = `${at.file} ${fn} ${index}`;
  const fallback = declared?.fallback;
  const given = world.given.get(key) ?? [...(fallback == null ? [] : evaluate(world, fallback, at)), NOTHING];
  const id = [key, ...path].join(" ");
  const typed = () => {
    const type = declared?.type ?? null;
    if (type !== null) return valueOfType(world, at.file, typeAt(world, at.file, type, path), id);
    const whole = facts?.functions.get(fn)?.type ?? null;
    return index === 0 && path.length === 0 ? valueOfPlugin(world, at.file, whole, id) : null;
  };
  return orTyped(world, follow(world, given, path, at), typed);
}

function follow(world: World, values: Values, path: Path, at: Place): Values {
  return path.reduce<Values>((all, step) => all.flatMap((one) => memberOf(world, one, step, at)), values);
}

function chain(world: World, { base, steps }: Chain, at: Place): Values {
  let values = evaluate(world, base, at);
  for (const step of steps) values = stepped(world, values, step, at);
  return values;
}

export function stepped(world: World, values: Values, step: Step, at: Place): Values {
  if (step.kind === "call")
    return values.flatMap((one) => called(world, one, step, at)).slice(0, MOST_VALUES);
  const name = step.kind === "member" ? step.name : onlyText(evaluate(world, step.of, at));
  return values.flatMap((one) => memberOf(world, one, name, at)).slice(0, MOST_VALUES);
}

function called(world: World, callee: Value, call: Call, at: Place): Values {
  switch (callee.kind) {
    case "foreign":
      return foreignCall(world, callee, call, at);
    case "method":
      return methodCall(world, callee, call, at);
    case "function": {
      const returns = world.modules.get(callee.file)?.facts.functions.get(callee.id)?.returns ?? [];
      const inside = placeIn(callee.file, at.depth + 1);
      const values = returns.flatMap((one) => world.evaluate(one, inside));
      const made = values.map((one) => madeAnew(world, one, { callee, call, at }));
      const through = callee.through ?? [];
      return returns.length === 0
        ? [NOTHING]
        : made.map((one) => through.reduce((value, extending) => ofOwn(world, value, extending), one));
    }
    case "class":
      return call.isNew ? [madeOf(world, callee, call, at)] : [NOTHING];
    case "module":
      return exported(world, callee.file, "default", at.depth).flatMap((one) =>
        one.kind === "module" ? [NOTHING] : called(world, one, call, at),
      );
    default:
      return [NOTHING];
  }
}

type Calling = { readonly callee: ValueKind<"function">; readonly call: Call; readonly at: Place };

/** A router that a function makes and returns is another one each time; one that stands outside of it is always the same. */
function madeAnew(world: World, value: Value, { callee, call, at }: Calling): Value {
  const router = value.kind === "router" ? world.routers.get(value.id) : undefined;
  const isOfCallee = (scope: Scope) => scope.ofFunction === callee.id;
  if (router === undefined || !isMadeInside(world, router, callee.file, isOfCallee)) return value;
  return copied(world, router, { key: `${at.file} ${call.id}`, made: { file: at.file, scope: call.scope } });
}

type Foreign = ValueKind<"foreign">;

function foreignCall(world: World, callee: Foreign, call: Call, at: Place): Values {
  const made = routerMadeBy(world, callee, call, at);
  if (made !== null) return [made];
  const first = call.arguments[0];
  const what = callee.from === "" ? callee.names.join(".") : "";
  if (first !== undefined && what === "Object.freeze") return world.evaluate(first, at);
  if (first !== undefined && /^Object\.(?:entries|values|keys)$/.test(what))
    return [fieldsOf(world, single(world.evaluate(first, at)), what, at.depth)];
  return [{ ...callee, names: [...callee.names, "()"], made: { call, at } }];
}

function routerMadeBy(world: World, callee: Foreign, call: Call, at: Place): Value | null {
  for (const framework of world.frameworks) {
    const role = framework.makes(callee.from, foreignName(callee));
    const id = `${at.file} ${call.id}`;
    const made = { file: at.file, scope: call.scope };
    if (role !== null) return addRouter(world, { id, framework, role, base: null, made, copyOf: null });
  }
  return null;
}

/** `class Api extends Hono` makes a router as well. */
function madeOf(world: World, made: Value & { kind: "class" }, call: Call, at: Place): Value {
  const base = world.modules.get(made.file)?.facts.classes.get(made.id)?.base ?? null;
  const of = base === null ? null : single(world.evaluate(base, placeIn(made.file, at.depth + 1)));
  const router = of?.kind === "foreign" ? routerMadeBy(world, of, call, at) : null;
  return router ?? { kind: "instance", file: made.file, id: made.id };
}

/** `Object.entries` and its like, of an object that is written out, or of all that a file exports. */
function fieldsOf(world: World, value: Value, what: string, depth: number): Value {
  const names =
    value.kind === "module" ? exportedNames(world, value.file) : (objectIn([value])?.fields.keys() ?? []);
  if (value.kind !== "module" && objectIn([value])?.hasMore !== false) return NOTHING;
  const of = [...names].map((name): Value => {
    const key: Value = { kind: "text", text: name };
    if (what === "Object.keys") return key;
    const inside = single(memberOf(world, value, name, placeIn("", depth)));
    return what === "Object.values" ? inside : { kind: "values", of: [key, inside] };
  });
  return { kind: "values", of };
}

function methodCall(world: World, { of, name }: ValueKind<"method">, call: Call, at: Place): Values {
  if (of.kind === "spot") return [of];
  if (of.kind === "function") return name === "bind" ? [of] : [NOTHING];
  const router = of.kind === "router" ? world.routers.get(of.id) : undefined;
  if (router === undefined) return [NOTHING];
  const { line } = call;
  return router.framework.returns(world, { router, name, call, at, line, lastPath: null, spot: null });
}
