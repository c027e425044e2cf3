import type { Emitted } from "./mounts.ts";
import type { PythonProject } from "./project.ts";

export function djangoRoutes(_project: PythonProject): Emitted[] {
  return [];
}
