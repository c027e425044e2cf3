import { reasons } from "../../reasons.ts";
import type { ModelUse } from "../route.ts";
import { broughtBy, isAction, isDrf, METHOD_OF, modelsOf } from "./drf.ts";
import { type Call, type Expression, sourceOf } from "./expression.ts";
import type { FunctionFact } from "./facts.ts";
import { lastStep } from "./models.ts";
import type { Found, Place } from "./project.ts";
import { type Lineage, lineageOf, type PythonProject } from "./project.ts";
import { textsIn } from "./uses.ts";
import { attributeOf, classOf, functionsOf } from "./view-classes.ts";

/** What a view answers to, one method at a time; or why that cannot be seen. */
export type View = { readonly framework: string } /** `hidden` says why there may be more than these. */ & (
  | { readonly kind: "seen"; readonly answers: readonly Answer[]; readonly hidden?: string }
  | { readonly kind: "hidden"; readonly why: string }
);

type Answer = { readonly method: string; readonly request: ModelUse; readonly response: ModelUse };

const DJANGO = "Django";
const DRF = "Django REST framework";
const UNDECLARED: ModelUse = { kind: "undeclared" };
const DEEPEST = 8;

export function viewOf(view: Expression, place: Place, project: PythonProject, depth = 0): View {
  const hidden = (why: string): View => ({ kind: "hidden", framework: DJANGO, why });
  if (depth > DEEPEST) return hidden(reasons.unresolvedView);
  if (view.kind === "call") {
    const found = classOf(view, place, project);
    if (found !== null) return ofClass(view, found, { place, project });
    return wrapped(view, place, { project, depth }) ?? hidden(reasons.computedNamedView(sourceOf(view)));
  }
  if (view.kind !== "name") return view.kind === "other" ? anyMethod() : hidden(reasons.computedView);
  const found = project.look(view.name, place);
  if (found.kind === "function")
    return ofFunction(found.fact, { place: { ...place, path: found.path }, project });
  if (found.kind === "binding" && found.rest.length === 0) {
    const { value, scope, line } = found.binding;
    return viewOf(value, { path: found.path, scope, line }, project, depth + 1);
  }
  const known = found.kind === "outside" ? pagesOf(found.name) : null;
  if (known !== null) return { kind: "seen", framework: DRF, answers: known.map(undeclared) };
  return hidden(
    found.kind === "outside" ? reasons.viewNotInProject(view.name) : reasons.unresolvedNamedView(view.name),
  );
}

/** `csrf_exempt(X.as_view())`, `cache_page(60)(view)`. */
function wrapped(
  call: Call,
  place: Place,
  { project, depth }: { project: PythonProject; depth: number },
): View | null {
  const views = call.args
    .filter(({ name, value }) => name === null && (value.kind === "name" || value.kind === "call"))
    .map(({ value }) => viewOf(value, place, project, depth + 1));
  const seen = views.filter(({ kind }) => kind === "seen");
  return seen.length === 1 ? (seen[0] ?? null) : null;
}

function anyMethod(): View {
  return {
    kind: "seen",
    framework: DJANGO,
    answers: [{ method: "*", request: UNDECLARED, response: UNDECLARED }],
  };
}

type Around = { readonly place: Place; readonly project: PythonProject };

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  ...{ require_GET: ["GET"], require_POST: ["POST"], require_safe: ["GET", "HEAD"] },
};

/** A function answers to all methods that no decorator takes from it. */
function ofFunction({ decorators, line }: FunctionFact, { place, project }: Around): View {
  for (const { value } of decorators) {
    const name = lastStep(value.kind === "call" ? value.callee : value);
    const isDrfView = name === "api_view";
    const framework = isDrfView ? DRF : DJANGO;
    const list = value.kind === "call" ? value.args[0]?.value : undefined;
    const isListed = isDrfView || name === "require_http_methods";
    const methods = isListed
      ? list === undefined
        ? ["GET"]
        : textsIn(list, { ...place, scope: "", line }, project)
      : Object.hasOwn(REQUIRED, name)
        ? (REQUIRED[name] ?? null)
        : undefined;
    if (methods === undefined) continue;
    if (methods === null) return { kind: "hidden", framework, why: reasons.computedMethods };
    return { kind: "seen", framework, answers: methods.map(undeclared) };
  }
  return anyMethod();
}

function undeclared(method: string): Answer {
  return { method, request: UNDECLARED, response: UNDECLARED };
}

const HTTP = /^(?:get|post|put|patch|delete|head|options|trace)$/;
/** Generic views of Django itself, which answer with pages. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  ...{ TemplateView: ["GET"], ListView: ["GET"], DetailView: ["GET"], RedirectView: ["*"] },
  ...{
    FormView: ["GET", "POST", "PUT"],
    CreateView: ["GET", "POST", "PUT"],
    UpdateView: ["GET", "POST", "PUT"],
  },
  DeleteView: ["GET", "POST", "DELETE"],
};

function ofClass(call: Call, found: Found, { project, place }: Around): View {
  const lineage = lineageOf(found, project);
  const name = sourceOf(call.callee).replace(/\.as_view$/, "");
  if (lineage === null) {
    const pages = found.kind === "outside" ? pagesOf(found.name) : null;
    if (pages !== null) return { kind: "seen", framework: DJANGO, answers: pages.map(undeclared) };
    return { kind: "hidden", framework: DJANGO, why: reasons.viewNotInProject(name) };
  }
  const framework = isDrf(lineage) ? DRF : DJANGO;
  const mapping = call.args.find((one) => one.name === null)?.value;
  if (mapping?.kind === "map") return { kind: "seen", framework, answers: mapped(mapping, lineage, project) };
  const pages = lineage.outside.flatMap((one) => pagesOf(one) ?? []);
  const { actions, isGeneric, strange } = broughtBy({
    ...lineage,
    outside: lineage.outside.filter((one) => pagesOf(one) === null),
  });
  const own = functionsOf(lineage, project).flatMap(({ name }) =>
    HTTP.test(name) ? [name.toUpperCase()] : [],
  );
  const names = attributeOf("http_method_names", lineage, project);
  const allowed = names === null ? null : textsIn(names.value, names.place ?? place, project);
  const answers = [
    ...[...new Set([...own, ...pages])].map(undeclared),
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
function mapped(
  map: Extract<Expression, { kind: "map" }>,
  lineage: Lineage,
  project: PythonProject,
): Answer[] {
  return map.entries.flatMap(([key, value]) => {
    if (key.kind !== "text") return [];
    const action = value.kind === "text" ? value.value : "";
    const method = key.value.toUpperCase();
    return [isAction(action) ? { method, ...modelsOf(action, lineage, project) } : undeclared(method)];
  });
}
