import type { Call, Scope } from "./facts.ts";
import {
  copied,
  exported,
  exportedNames,
  isMadeInside,
  memberOf,
  objectIn,
  ofOwn,
  single,
} from "./member.ts";
import type { ValueKind, Values } from "./world.ts";
import { addRouter, foreignName, NOTHING, type Place, placeIn, type Value, type World } from "./world.ts";

/** What a call of something returns. */
export function called(world: World, callee: Value, call: Call, at: Place): Values {
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
