import type { Resolve } from "../modules.ts";
import { djangoRoutes } from "./python/django.ts";
import { fastapiRoutes } from "./python/fastapi.ts";
import { flaskRoutes } from "./python/flask.ts";
import type { PythonModule } from "./python/found.ts";
import { frameworksOf } from "./python/frameworks.ts";
import { pythonProject } from "./python/project.ts";
import { strangeDecorators } from "./python/strange-decorators.ts";
import type { Routes } from "./route.ts";

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
  return {
    frameworks,
    routes: emitted.flatMap(({ routes }) => routes),
    unclear: emitted.flatMap(({ unclear }) => unclear),
  };
}
