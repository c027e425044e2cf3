import type { Resolve } from "../modules.ts";
import { reasons } from "../reasons.ts";
import { djangoRoutes } from "./python/django.ts";
import { argument, type Expression, sourceOf } from "./python/expression.ts";
import { fastapiRoutes } from "./python/fastapi.ts";
import { flaskRoutes } from "./python/flask.ts";
import { frameworksOf, likelyFramework } from "./python/frameworks.ts";
import { lastStep } from "./python/models.ts";
import { type Emitted, routesAt } from "./python/mounts.ts";
import { gap, joined, known } from "./python/path-text.ts";
import { type PythonModule, type PythonProject, pythonProject } from "./python/project.ts";
import { joinRoutes, type Routes } from "./route.ts";

export { type PythonRouteFacts, pythonRouteFacts } from "./python/facts.ts";

/** All that the Python of a project answers to, when the facts of all its files are known. */
export function linkPythonRoutes(modules: ReadonlyMap<string, PythonModule>, resolve: Resolve): Routes {
  const project = pythonProject(modules, resolve);
  const frameworks = frameworksOf(project);
  const emitted = [
    ...(frameworks.includes("FastAPI") ? fastapiRoutes(project) : []),
    ...(frameworks.includes("Flask") ? flaskRoutes(project) : []),
    ...(frameworks.includes("Django") ? djangoRoutes(project) : []),
    ...strangeDecorators(project),
  ];
  return joinRoutes([{ frameworks }, ...emitted]);
}

/** What the readers of frameworks know, and what takes a path and is no endpoint. */
const KNOWN =
  /^(?:get|put|post|delete|options|head|patch|trace|route|api_route|websocket|websocket_route|exception_handler|errorhandler|middleware|app_errorhandler)$/;

/** `@endpoint("/x")`: a decorator of somebody's own that is given a path may make a route of it. */
function strangeDecorators(project: PythonProject): Emitted[] {
  return [...project.modules].flatMap(([file, { facts }]) =>
    [...facts.functions, ...facts.classes].flatMap(({ decorators }) =>
      decorators.flatMap(({ value, line }): Emitted[] => {
        const path = pathIn(value);
        const framework = path === null ? null : likelyFramework(file, project);
        if (path === null || framework === null || value.kind !== "call") return [];
        const why = reasons.decorator(sourceOf(value.callee));
        return [routesAt([joined(gap(why), known(path))], { methods: ["*"], file, line, framework })];
      }),
    ),
  );
}

function pathIn(decorator: Expression): string | null {
  if (decorator.kind !== "call") return null;
  const isMethod = decorator.callee.kind === "name" && decorator.callee.name.includes(".");
  if (isMethod && KNOWN.test(lastStep(decorator.callee))) return null;
  const path = argument(decorator, "path", 0);
  return path?.kind === "text" && path.value.startsWith("/") ? path.value : null;
}
