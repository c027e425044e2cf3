import { reasons } from "../../reasons.ts";
import { argument, type Expression, sourceOf } from "./expression.ts";
import { likelyFramework } from "./frameworks.ts";
import { lastStep } from "./models.ts";
import { type Emitted, routesAt } from "./mounts.ts";
import { gap, joined, known } from "./path-text.ts";
import type { PythonProject } from "./project.ts";

/** What the readers of frameworks know, and what takes a path and is no endpoint. */
const KNOWN =
  /^(?:get|put|post|delete|options|head|patch|trace|route|api_route|websocket|websocket_route|exception_handler|errorhandler|middleware|app_errorhandler)$/;

/** `@endpoint("/x")`: a decorator of somebody's own that is given a path may make a route of it. */
export function strangeDecorators(project: PythonProject): Emitted[] {
  return [...project.modules].flatMap(([file, { facts }]) =>
    [...facts.functions, ...facts.classes].flatMap(({ decorators }) =>
      decorators.flatMap(({ value, line }): Emitted[] => {
        const path = pathIn(value);
        const framework = path === null ? null : likelyFramework(file, project);
        if (path === null || framework === null || value.kind !== "call") return [];
        const why = reasons.decorator(sourceOf(value.callee));
        const undeclared = { kind: "undeclared" } as const;
        const declared = { methods: ["*"], file, line, framework, request: undeclared, response: undeclared };
        return [routesAt([joined(gap(why), known(path))], declared)];
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
