import { reasons } from "../../reasons.ts";
import { argument } from "./expression.ts";
import type { AroundHandlers } from "./fastapi-surface.ts";
import { lastStep } from "./models.ts";
import { lookAt, type PythonProject } from "./project.ts";
import { decoratorsOf } from "./uses.ts";

/** What applications and routers do before their handlers, and may read from a request. */
export function aroundHandlers(project: PythonProject): AroundHandlers {
  const calls = project.allCalls();
  const hasDependencies = calls.some(
    ({ call }) =>
      /^(?:FastAPI|APIRouter|include_router)$/.test(lastStep(call.callee)) &&
      argument(call, "dependencies") !== null,
  );
  const isOwn = calls.some(({ call, place }) => {
    const added = lastStep(call.callee) === "add_middleware" ? argument(call, "middleware_class", 0) : null;
    return added !== null && lookAt(added, place, project)?.kind !== "outside";
  });
  const isDecorated = decoratorsOf(project, /^middleware$/).length > 0;
  return {
    dependencies: hasDependencies ? reasons.readByRouterDependency : null,
    middleware: isOwn || isDecorated ? reasons.readByMiddleware : null,
  };
}
