import type { Models } from "../route.ts";
import { type ModelUse, NONE, UNDECLARED } from "../route.ts";
import { argument, type Call, type Expression } from "./expression.ts";
import type { FunctionFact } from "./facts.ts";
import { lastStep } from "./models.ts";
import { type Lineage, lineageOf, lookAt, type Place, type PythonProject } from "./project.ts";
import { textsIn } from "./uses.ts";
import { attributeOf, functionsOf } from "./view-classes.ts";

/** What a view set or a generic view does, by the names that REST framework has for it. */
export type Action = "list" | "create" | "retrieve" | "update" | "partial_update" | "destroy";

export const METHOD_OF: { readonly [A in Action]: string } = {
  ...{ list: "GET", create: "POST", retrieve: "GET", update: "PUT", partial_update: "PATCH" },
  destroy: "DELETE",
};

/** Those that are about one object have its key in their path. */
export const isDetail = (action: Action): boolean => action !== "list" && action !== "create";

const ALL = ["list", "create", "retrieve", "update", "partial_update", "destroy"] as const;
const UPDATE = ["update", "partial_update"] as const;

/** What the classes of REST framework bring along; those that are not here are not known. */
const BRING: Readonly<Record<string, readonly Action[]>> = {
  ...{ "viewsets.ModelViewSet": ALL, "viewsets.ReadOnlyModelViewSet": ["list", "retrieve"] },
  ...{ "viewsets.GenericViewSet": [], "viewsets.ViewSet": [], "viewsets.ViewSetMixin": [] },
  ...{ "mixins.ListModelMixin": ["list"], "mixins.CreateModelMixin": ["create"] },
  ...{ "mixins.RetrieveModelMixin": ["retrieve"], "mixins.UpdateModelMixin": UPDATE },
  ...{ "mixins.DestroyModelMixin": ["destroy"] },
  ...{ "generics.GenericAPIView": [], "views.APIView": [] },
};

/** Generic views, which answer to the methods of what they do. */
const GENERIC: Readonly<Record<string, readonly Action[]>> = {
  ...{ ListAPIView: ["list"], CreateAPIView: ["create"], RetrieveAPIView: ["retrieve"] },
  ...{ UpdateAPIView: UPDATE, DestroyAPIView: ["destroy"], ListCreateAPIView: ["list", "create"] },
  ...{ RetrieveUpdateAPIView: ["retrieve", ...UPDATE], RetrieveDestroyAPIView: ["retrieve", "destroy"] },
  RetrieveUpdateDestroyAPIView: ["retrieve", ...UPDATE, "destroy"],
};

const PACKAGE = /^rest_framework\./;

export function isDrf({ outside }: Lineage): boolean {
  return outside.some((name) => PACKAGE.test(name));
}

/** What the bases of a class bring along, and the first of them of which nobody knows. */
export function broughtBy({ outside }: Lineage) {
  const actions: Action[] = [];
  let strange: string | null = null;
  let isGeneric = false;
  for (const name of outside) {
    const inside = name.replace(PACKAGE, "");
    const generic = /^generics\.(\w+)$/.exec(inside)?.[1] ?? "";
    if (PACKAGE.test(name) && Object.hasOwn(BRING, inside)) actions.push(...(BRING[inside] ?? []));
    else if (PACKAGE.test(name) && Object.hasOwn(GENERIC, generic)) {
      actions.push(...(GENERIC[generic] ?? []));
      isGeneric = true;
    } else if (!NEUTRAL.test(name)) strange ??= name;
  }
  return { actions, isGeneric, strange };
}

/** Bases that change who may ask, and not what for. */
const NEUTRAL =
  /^(?:object|abc\.ABC|typing\.\w+|django\.(?:contrib\.auth\.mixins|utils)\..*|django\.views(?:\.generic)?(?:\.base)?\.View)$/;

/** `@action(detail=True, methods=["post"], url_path="confirm")`. */
export type ExtraAction = {
  readonly call: Call | null;
  readonly name: string;
  readonly isDetail: boolean;
  readonly methods: readonly string[] | null;
  /** Of the decorator. */
  readonly place: Place;
};

/** All that a view set answers to. */
export function viewSetOf(lineage: Lineage, project: PythonProject) {
  const own = functionsOf(lineage, project).map(({ name }) => name);
  const { actions: brought, strange } = broughtBy(lineage);
  const names = attributeOf("http_method_names", lineage, project);
  const allowed = names === null ? null : textsIn(names.value, names.place, project);
  const actions = ALL.filter((one) => own.includes(one) || brought.includes(one)).filter(
    (one) => allowed === null || allowed.includes(METHOD_OF[one]),
  );
  return {
    actions: actions.map((action) => ({ action, ...modelsOf(action, lineage, project) })),
    extra: extraActions(lineage, project),
    strange,
  };
}

export function isAction(name: string): name is Action {
  return (ALL as readonly string[]).includes(name);
}

function extraActions({ classes }: Lineage, project: PythonProject): ExtraAction[] {
  return classes.flatMap((one) => {
    const functions = functionsOf({ classes: [one], outside: [] }, project);
    return functions.flatMap((fact) =>
      fact.decorators.flatMap(({ value, line }): ExtraAction[] => {
        const place = { path: one.path, scope: fact.scope, line };
        return extraAction(fact, value, { place, functions, project }) ?? [];
      }),
    );
  });
}

function extraAction(
  fact: FunctionFact,
  decorator: Expression,
  around: { place: Place; functions: readonly FunctionFact[]; project: PythonProject },
): ExtraAction[] | null {
  const { place, functions, project } = around;
  const isCall = decorator.kind === "call";
  const name = lastStep(isCall ? decorator.callee : decorator);
  if (isCall && (name === "action" || name === "detail_route" || name === "list_route")) {
    const methods = argument(decorator, "methods", 0);
    const detail = argument(decorator, "detail");
    return [
      {
        call: decorator,
        name: fact.name,
        isDetail: name === "detail_route" || (detail?.kind === "constant" && detail.source === "True"),
        methods: methods === null ? ["GET"] : textsIn(methods, place, project),
        place,
      },
    ];
  }
  // `@confirm.mapping.delete`: one more method of an action.
  const [, of, method] =
    /^(\w+)\.mapping\.(\w+)$/.exec(decorator.kind === "name" ? decorator.name : "") ?? [];
  const first = functions.find((one) => one.name === of);
  if (first === undefined || method === undefined) return null;
  return first.decorators
    .flatMap(({ value }) => extraAction(first, value, { ...around, functions: [] }) ?? [])
    .map((one) => ({ ...one, methods: [method.toUpperCase()], place }));
}

/** By the serializer, where one is declared for all, and nothing of the class does it otherwise. Lists come in pages, or not. */
export function modelsOf(action: Action, lineage: Lineage, project: PythonProject): Models {
  const functions = new Set(functionsOf(lineage, project).map(({ name }) => name));
  const handler = METHOD_OF[action].toLowerCase();
  if (functions.has(action) || functions.has(handler)) return { request: UNDECLARED, response: UNDECLARED };
  if (action === "destroy") return { request: NONE, response: NONE };
  const isComputed = functions.has("get_serializer_class") || functions.has("get_serializer");
  const said = isComputed ? null : attributeOf("serializer_class", lineage, project);
  const model = said === null ? null : serializerName(said.value, said.place, project);
  const use: ModelUse = model === null ? UNDECLARED : { kind: "declared", model, isList: false };
  if (action === "list") return { request: NONE, response: UNDECLARED };
  if (action === "retrieve") return { request: NONE, response: use };
  return { request: action === "partial_update" ? UNDECLARED : use, response: use };
}

function serializerName(value: Expression, place: Place, project: PythonProject): string | null {
  const found = lookAt(value, place, project);
  if (found?.kind === "class" && found.rest.length === 0) return found.fact.name;
  return found?.kind === "outside" ? (found.name.split(".").at(-1) ?? null) : null;
}

/** The class that a view set is registered by. */
export function lineageAt(view: Expression, place: Place, project: PythonProject): Lineage | null {
  const found = lookAt(view, place, project);
  return found === null ? null : lineageOf(found, project);
}
