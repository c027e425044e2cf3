import { shellWord } from "../core/select/preview/commands.ts";
import { hostOf } from "./host.ts";
import { shown } from "./render/visible.ts";
import type { Request } from "./request.ts";
import { UsageError } from "./request-error.ts";

/**
 * The request with the only artifact folder below parallel/ as its plan, where neither a plan nor prompts were given. Where there is no
 * such folder the request stays as it is.
 */
export async function withOnlyFolder(request: Request, command: string): Promise<Request> {
  const { args, options, output, startedIn } = request;
  const isGiven = args.length + (options.prompt ?? []).length + (options.promptFile ?? []).length > 0;
  if (isGiven || startedIn === null) return request;
  const { listArtifactFolders } = await import("../app/integrate/artefact-folder.ts"); // seldom needed
  const listed = await listArtifactFolders(hostOf(request, command));
  const [only, ...others] = listed.ok ? listed.found : [];
  if (only === undefined) return request;
  if (others.length > 0) {
    const all = [only, ...others].join(", ");
    throw new UsageError(
      `${others.length + 1} artifact folders exist: ${all}`,
      `choose one: ${command} ${shellWord(only)}`,
    );
  }
  if (only !== "." && options.json !== true && options.quiet !== true)
    output.say([[`plan: ${shown(only, output.glyphs)}, the only artifact folder`]]);
  return { ...request, args: [only] };
}
