import { reasons } from "../../reasons.ts";
import type { Made, Objects } from "./made.ts";
import type { PythonProject } from "./project.ts";

/** The frameworks by the packages that files import. */
const PACKAGES: readonly (readonly [RegExp, string])[] = [
  [/^fastapi\b/, "FastAPI"],
  [/^flask(?:_\w+)?\b/, "Flask"],
  [/^django\b/, "Django"],
  [/^rest_framework\b/, "Django"],
];

/** Those of which an import was seen. */
export function frameworksOf({ modules }: Pick<PythonProject, "modules">): string[] {
  return [...new Set([...modules.keys()].flatMap((path) => frameworksIn(path, modules)))];
}

function frameworksIn(path: string, modules: PythonProject["modules"]): string[] {
  const imports = modules.get(path)?.imports ?? [];
  return PACKAGES.filter(([name]) => imports.some(({ from }) => name.test(from))).map(
    ([, framework]) => framework,
  );
}

/** Whose routers have decorators such as `@router.get("/x")`: which one is meant in a file, where nothing else tells. */
export function likelyFramework(path: string, { modules }: Pick<PythonProject, "modules">): string | null {
  const isOne = (name: string) => name === "FastAPI" || name === "Flask";
  return frameworksIn(path, modules).find(isOne) ?? frameworksOf({ modules }).find(isOne) ?? null;
}

const FASTAPI_APP = /^(?:fastapi|starlette)\.(?:applications\.)?(?:FastAPI|Starlette)$/;
const FASTAPI_ROUTER = /^(?:fastapi|starlette)\.(?:routing\.)?(?:APIRouter|Router)$/;
const FLASK_BLUEPRINT = /^flask(?:_\w+)?\.(?:\w+\.)*(?:Blueprint|APIBlueprint|Namespace|Api)$/;

const isMadeBy =
  (maker: RegExp) =>
  ({ of }: Made) =>
    of.some((name) => maker.test(name));

export const isFastapiApp: (one: Made) => boolean = isMadeBy(FASTAPI_APP);
export const isFlaskApp: (one: Made) => boolean = isMadeBy(/^flask\.(?:app\.)?Flask$/);
export const isFastapi = (one: Made): boolean => isFastapiApp(one) || isMadeBy(FASTAPI_ROUTER)(one);
export const isFlask = (one: Made): boolean => isFlaskApp(one) || isMadeBy(FLASK_BLUEPRINT)(one);

/** Why nobody knows what an object is that routes are declared on; null where it is one of a framework that plait knows. */
export function strangeness({ made, why }: Objects): string | null {
  if (made.some((one) => isFastapi(one) || isFlask(one))) return null;
  const [one] = made;
  if (why !== null || one === undefined) return why;
  return reasons.madeBy(one.name, one.of[0] ?? null);
}
