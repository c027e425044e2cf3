import { called } from "./call.ts";
import type { Chain, Expr, ExprKind, Path, Scope, Step } from "./facts.ts";
import { imported, memberOf } from "./member.ts";
import { typeAt, valueOfPlugin, valueOfType } from "./types.ts";
import type { Values, World } from "./world.ts";
import { NOTHING, onlyText, type Place, type Value } from "./world.ts";

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

/** What one step further leads to. */
export function stepped(world: World, values: Values, step: Step, at: Place): Values {
  if (step.kind === "call")
    return values.flatMap((one) => called(world, one, step, at)).slice(0, MOST_VALUES);
  const name = step.kind === "member" ? step.name : onlyText(evaluate(world, step.of, at));
  return values.flatMap((one) => memberOf(world, one, name, at)).slice(0, MOST_VALUES);
}
