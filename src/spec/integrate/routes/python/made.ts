import { reasons } from "../../reasons.ts";
import { argument, type Call, type Expression, sourceOf } from "./expression.ts";
import {
  bindingPlace,
  type Found,
  type FoundKind,
  type Lineage,
  lineageOf,
  lookAt,
  nameOf,
  type Place,
  type PythonProject,
  placeIn,
} from "./project.ts";

/** An object that the text makes at one place, such as a router. */
export type Made = {
  /** The same for whoever comes upon it. */
  readonly key: string;
  /** As it is called where it is made; null where it has no name. */
  readonly name: string | null;
  readonly call: Call;
  readonly place: Place;
  /** Full names of what it is an instance of, as far as they are outside of the project. */
  readonly of: readonly string[];
  /** The class of the project that it is made by. */
  readonly lineage: Lineage | null;
};

/** `why` says what could not be followed, without a period; null: these are all. */
export type Objects = { readonly made: readonly Made[]; readonly why: string | null };

const DEEPEST = 16;

/** The objects that an expression could stand for. */
export function objectsOf(expression: Expression, place: Place, project: PythonProject, depth = 0): Objects {
  const go = (one: Expression, at: Place) => objectsOf(one, at, project, depth + 1);
  if (depth > DEEPEST || !project.spend()) return lost(reasons.unresolved(sourceOf(expression)));
  if (expression.kind === "call") return ofCall(expression, place, { project, go });
  if (expression.kind === "either") {
    const some = expression.of.filter(({ kind }) => kind !== "constant");
    return together(some.map((one) => go(one, place)));
  }
  if (expression.kind === "each") return ofEach(expression.of, place, { project, go });
  if (expression.kind === "attribute") {
    const [own] = go(expression.of, place).made[0]?.lineage?.classes ?? [];
    const name = `self.${expression.name}`;
    if (own !== undefined) return go({ kind: "name", name }, placeIn(own.path, own.fact));
  }
  if (expression.kind !== "name") return lost(reasons.computed(sourceOf(expression)));
  const found = project.look(expression.name, place);
  if (found.kind === "parameter" && found.rest.length === 0) return ofParameter(found, { project, go });
  if (found.kind === "outside") return lost(reasons.fromPackage(sourceOf(expression), shortened(found.name)));
  if (found.kind !== "binding") return lost(reasons.unresolved(sourceOf(expression)));
  const at = bindingPlace(found);
  if (found.rest.length > 0) return ofInstance(found, at, { project, go });
  const { made, why } = go(found.binding.value, at);
  if (found.binding.value.kind !== "call" || made.length !== 1) return { made, why };
  return { made: made.map((one) => ({ ...one, name: one.name ?? found.binding.name })), why };
}

type Going = {
  readonly project: PythonProject;
  readonly go: (expression: Expression, place: Place) => Objects;
};

function ofCall(call: Call, place: Place, { project, go }: Going): Objects {
  const found = lookAt(call.callee, place, project);
  if (found?.kind === "function" && found.rest.length === 0) {
    const inside = placeIn(found.path, found.fact);
    const values = found.fact.returned.filter((one) => one.kind !== "constant");
    if (values.length === 0) return lost(reasons.unknownReturn(sourceOf(call)));
    return together(values.map((value) => go(value, inside)));
  }
  if (found?.kind === "binding" && found.rest.join() === "namespace") {
    // `api.namespace("pets")` of flask-restx.
    const [maker] = go(found.binding.value, bindingPlace(found)).made.flatMap(({ of }) => of);
    if (/^flask_rest\w+\..*Api$/.test(maker ?? ""))
      return made(call, place, { of: ["flask_restx.Namespace"], lineage: null });
  }
  const lineage = found === null ? null : lineageOf(found, project);
  if (lineage === null && found?.kind !== "outside") return lost(reasons.unresolved(sourceOf(call)));
  const of = lineage === null ? [nameOf(found as Found)] : lineage.outside;
  return made(call, place, { of, lineage });
}

function made(call: Call, place: Place, as: Pick<Made, "of" | "lineage">): Objects {
  const key = `${place.path}:${call.start}:${place.scope}`;
  return { made: [{ key, name: null, call, place, ...as }], why: null };
}

function ofEach(of: Expression, place: Place, { project, go }: Going): Objects {
  const items = itemsOf(of, place, project);
  if (items === null) return lost(reasons.loop(sourceOf(of)));
  return together(items.map(([item, at]) => go(item, at)));
}

type PlacedItems = (readonly [Expression, Place])[];

/** What stands in a list that is written down, here or where its name is bound; null where it is none. */
export function itemsOf(of: Expression, place: Place, project: PythonProject): PlacedItems | null {
  if (of.kind === "list") return of.items.map((item) => [item, place] as const);
  const found = lookAt(of, place, project);
  if (found?.kind !== "binding" || found.rest.length > 0 || found.binding.value.kind !== "list") return null;
  const at = bindingPlace(found);
  return found.binding.value.items.map((item) => [item, at] as const);
}

/** What those who call a function give it. */
function ofParameter(found: FoundKind<"parameter">, { project, go }: Going): Objects {
  const { of, parameter } = found;
  const given = of.parameters.findIndex(({ name }) => name === parameter.name);
  const values = project.callsOf(of).flatMap(({ call, place }) => {
    const value = argument(call, parameter.name, given);
    return value === null ? [] : [go(value, place)];
  });
  if (values.length > 0) return together(values);
  return lost(reasons.parameterOf(parameter.name, of.name));
}

/** `server.app`, where `server` is made by a class that has it. */
function ofInstance(found: FoundKind<"binding">, at: Place, { go }: Going): Objects {
  const { made } = go(found.binding.value, at);
  const [own] = made[0]?.lineage?.classes ?? [];
  const name = `${found.binding.name}.${found.rest.join(".")}`;
  if (own === undefined) return lost(reasons.unresolved(name));
  return go({ kind: "name", name: `self.${found.rest.join(".")}` }, placeIn(own.path, own.fact));
}

function together(all: readonly Objects[]): Objects {
  const made = new Map(all.flatMap((one) => one.made.map((object) => [object.key, object] as const)));
  return { made: [...made.values()], why: all.find(({ why }) => why !== null)?.why ?? null };
}

function lost(why: string): Objects {
  return { made: [], why };
}

/** The package, of a full name. */
function shortened(name: string): string {
  return name.split(".").slice(0, -1).join(".") || name;
}
