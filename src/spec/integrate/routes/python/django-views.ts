import { reasons } from "../../reasons.ts";
import type { Models } from "../route.ts";
import { broughtBy, isAction, isDrf, METHOD_OF, modelsOf } from "./drf.ts";
import { type Call, type Expression, type ExpressionKind, sourceOf } from "./expression.ts";
import type { FunctionFact } from "./facts.ts";
import { lastStep } from "./models.ts";
import {
  bindingPlace,
  type Found,
  type Lineage,
  lineageOf,
  type Place,
  type PythonProject,
} from "./project.ts";
import { textsIn } from "./uses.ts";
import { attributeOf, classOf, functionsOf, ownMethods } from "./view-classes.ts";

/** What a view answers to, one method at a time; or why that cannot be seen. */
export type View = { readonly framework: string } /** `hidden` says why there may be more than these. */ & (
  | { readonly kind: "seen"; readonly answers: readonly Answer[]; readonly hidden?: string }
  | { readonly kind: "hidden"; readonly why: string }
);

const DJANGO = "Django";
const DRF = "Django REST framework";
const DEEPEST = 8;

export function viewOf(view: Expression, place: Place, project: PythonProject, depth = 0): View {
  const hidden = (why: string): View => ({ kind: "hidden", framework: DJANGO, why });
  if (depth > DEEPEST) return hidden(reasons.unresolvedView);
  if (view.kind === "call") {
    const found = classOf(view, place, project);
    if (found !== null) return ofClass(view, found, { place, project });
    return wrapped(view, place, project, depth) ?? hidden(reasons.computedNamedView(sourceOf(view)));
  }
  if (view.kind !== "name") return view.kind === "other" ? ANY_METHOD : hidden(reasons.computedView);
  const found = project.look(view.name, place);
  if (found.kind === "function")
    return ofFunction(found.fact, { place: { ...place, path: found.path }, project });
  if (found.kind === "binding" && found.rest.length === 0)
    return viewOf(found.binding.value, bindingPlace(found), project, depth + 1);
  if (found.kind !== "outside") return hidden(reasons.unresolvedNamedView(view.name));
  const known = pagesOf(found.name);
  return known === null
    ? hidden(reasons.viewNotInProject(view.name))
    : { kind: "seen", framework: DRF, answers: answersTo(known) };
}

/** `csrf_exempt(X.as_view())`, `cache_page(60)(view)`. */
function wrapped(call: Call, place: Place, project: PythonProject, depth: number): View | null {
  const views = call.args
    .filter(({ name, value }) => name === null && (value.kind === "name" || value.kind === "call"))
    .map(({ value }) => viewOf(value, place, project, depth + 1));
  const seen = views.filter(({ kind }) => kind === "seen");
  return seen.length === 1 ? (seen[0] ?? null) : null;
}

type Around = { readonly place: Place; readonly project: PythonProject };

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  ...{ require_GET: ["GET"], require_POST: ["POST"], require_safe: ["GET", "HEAD"] },
};

/** A function answers to all methods that no decorator takes from it. */
function ofFunction({ decorators, line }: FunctionFact, { place, project }: Around): View {
  for (const { value } of decorators) {
    const name = lastStep(value.kind === "call" ? value.callee : value);
    const framework = name === "api_view" ? DRF : DJANGO;
    const list = value.kind === "call" ? value.args[0]?.value : undefined;
    const isListed = name === "api_view" || name === "require_http_methods";
    const given = () =>
      list === undefined ? ["GET"] : textsIn(list, { ...place, scope: "", line }, project);
    const methods = isListed ? given() : Object.hasOwn(REQUIRED, name) ? REQUIRED[name] : undefined;
    if (methods === undefined) continue;
    return methods === null
      ? { kind: "hidden", framework, why: reasons.computedMethods }
      : { kind: "seen", framework, answers: answersTo(methods) };
  }
  return ANY_METHOD;
}

const FORM = ["GET", "POST", "PUT"];
/** Generic views of Django itself, which answer with pages. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  ...{ TemplateView: ["GET"], ListView: ["GET"], DetailView: ["GET"], RedirectView: ["*"] },
  ...{ FormView: FORM, CreateView: FORM, UpdateView: FORM },
  DeleteView: ["GET", "POST", "DELETE"],
};

function ofClass(call: Call, found: Found, { project, place }: Around): View {
  const lineage = lineageOf(found, project);
  const name = sourceOf(call.callee).replace(/\.as_view$/, "");
  if (lineage === null) {
    const pages = found.kind === "outside" ? pagesOf(found.name) : null;
    if (pages !== null) return { kind: "seen", framework: DJANGO, answers: answersTo(pages) };
    return { kind: "hidden", framework: DJANGO, why: reasons.viewNotInProject(name) };
  }
  const framework = isDrf(lineage) ? DRF : DJANGO;
  const mapping = call.args.find((one) => one.name === null)?.value;
  if (mapping?.kind === "map") return { kind: "seen", framework, answers: mapped(mapping, lineage, project) };
  const pages = lineage.outside.flatMap((one) => pagesOf(one) ?? []);
  const outside = lineage.outside.filter((one) => pagesOf(one) === null);
  const { actions, isGeneric, strange } = broughtBy({ ...lineage, outside });
  const own = ownMethods(functionsOf(lineage, project));
  const names = attributeOf("http_method_names", lineage, project);
  const allowed = names === null ? null : textsIn(names.value, names.place ?? place, project);
  const answers = [
    ...answersTo([...new Set([...own, ...pages])]),
    ...(isGeneric ? actions : [])
      .filter((action) => !own.includes(METHOD_OF[action]))
      .map((action) => ({ method: METHOD_OF[action], ...modelsOf(action, lineage, project) })),
  ];
  return {
    kind: "seen",
    framework,
    answers: answers.filter(({ method }) => allowed?.includes(method) ?? true),
    ...(strange === null ? {} : { hidden: reasons.baseView(strange) }),
  };
}

/** Views that projects take from packages as they are. */
const FROM_PACKAGES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^rest_framework\.authtoken\.views\./, ["POST"]],
  [/^rest_framework_simplejwt\.views\.(?:Token|token)/, ["POST"]],
];

function pagesOf(name: string): readonly string[] | null {
  const last = name.split(".").at(-1) ?? "";
  const known = FROM_PACKAGES.find(([names]) => names.test(name));
  if (known !== undefined) return known[1];
  return name.startsWith("django.views.generic") && Object.hasOwn(PAGES, last) ? (PAGES[last] ?? null) : null;
}

/** `as_view({"get": "list", "post": "create"})`. */
function mapped(map: ExpressionKind<"map">, lineage: Lineage, project: PythonProject): Answer[] {
  return map.entries.flatMap(([key, value]) => {
    if (key.kind !== "text") return [];
    const action = value.kind === "text" ? value.value : "";
    const models = isAction(action) ? modelsOf(action, lineage, project) : {};
    return [{ method: key.value.toUpperCase(), ...models }];
  });
}

type Answer = Partial<Models> & { readonly method: string };

const answersTo = (methods: readonly string[]): Answer[] => methods.map((method) => ({ method }));

const ANY_METHOD: View = { kind: "seen", framework: "Django", answers: [{ method: "*" }] };
