import type { Call, Expression } from "./expression.ts";
import type { ClassFact, FunctionFact } from "./facts.ts";
import { itemsOf } from "./made.ts";
import { textsOf } from "./path-text.ts";
import { lookAt, type Place, type PythonProject } from "./project.ts";

/** Something that is done with an object: `router.get("/x")` above a function or a class, or as a statement. */
export type Use = {
  readonly call: Call;
  /** What stands before the last dot. */
  readonly receiver: Expression;
  readonly verb: string;
  readonly place: Place;
  readonly handler: FunctionFact | null;
  readonly type: ClassFact | null;
  /** Where the handler stands, if not here. */
  readonly handlerPlace?: Place;
};

/** Decorators whose last name is one of these. */
export function decoratorsOf(project: PythonProject, verbs: RegExp): Use[] {
  return allUses(project).decorators.filter(({ verb }) => verbs.test(verb));
}

type AllUses = { readonly decorators: readonly Use[]; readonly calls: readonly Use[] };

/** Many ask for a few of them: all are listed once. */
const listed = new WeakMap<PythonProject["modules"], AllUses>();

function allUses({ modules }: PythonProject): AllUses {
  const known = listed.get(modules);
  if (known !== undefined) return known;
  const all = { decorators: listDecorators(modules), calls: listCalls(modules) };
  listed.set(modules, all);
  return all;
}

function listDecorators(modules: PythonProject["modules"]): Use[] {
  return [...modules].flatMap(([path, { facts }]) =>
    [...facts.functions, ...facts.classes].flatMap((fact) =>
      fact.decorators.flatMap(({ value, line }): Use[] => {
        const method = value.kind === "call" ? methodOf(value) : null;
        if (method === null) return [];
        const place = { path, scope: fact.scope, line };
        return [
          "bases" in fact
            ? { ...method, place, handler: null, type: fact }
            : { ...method, place, handler: fact, type: null },
        ];
      }),
    ),
  );
}

/** The same written out: `router.get("/x")(handler)`. */
export function appliedDecorators(project: PythonProject, verbs: RegExp): Use[] {
  return project.allCalls().flatMap(({ call, place }): Use[] => {
    const method = call.callee.kind === "call" ? methodOf(call.callee) : null;
    if (method === null || !verbs.test(method.verb)) return [];
    const given = call.args[0]?.value;
    const found = given === undefined ? null : lookAt(given, place, project);
    const whole = found !== null && found.rest.length === 0 ? found : null;
    const common = { ...method, place, handler: null, type: null };
    if (whole?.kind === "class") return [{ ...common, type: whole.fact }];
    if (whole?.kind !== "function") return [common];
    const handlerPlace = { ...place, path: whole.path, scope: whole.fact.scope };
    return [{ ...common, handler: whole.fact, handlerPlace }];
  });
}

/** Calls for their effect, whose last name is one of these. */
export function callsOn(project: PythonProject, verbs: RegExp): Use[] {
  return allUses(project).calls.filter(({ verb }) => verbs.test(verb));
}

function listCalls(modules: PythonProject["modules"]): Use[] {
  return [...modules].flatMap(([path, { facts }]) =>
    facts.calls.flatMap(({ call, scope, line }): Use[] => {
      const method = methodOf(call);
      return method === null ? [] : [{ ...method, place: { path, scope, line }, handler: null, type: null }];
    }),
  );
}

function methodOf(call: Call): Pick<Use, "call" | "receiver" | "verb"> | null {
  const { callee } = call;
  if (callee.kind === "attribute") return { call, receiver: callee.of, verb: callee.name };
  const dot = callee.kind === "name" ? callee.name.lastIndexOf(".") : -1;
  if (callee.kind !== "name" || dot === -1) return null;
  const receiver = { kind: "name", name: callee.name.slice(0, dot) } as const;
  return { call, receiver, verb: callee.name.slice(dot + 1) };
}

/** The words of a list in capitals, such as methods; null where they are not all written down. */
export function textsIn(list: Expression, place: Place, project: PythonProject): string[] | null {
  const texts = itemsOf(list, place, project)?.flatMap(([item, at]) => textsOf(item, at, project)) ?? null;
  if (texts === null || texts.some(({ gap }) => gap !== null)) return null;
  return texts.map(({ lead }) => lead.toUpperCase());
}
