import { shellWord } from "../core/text/command.ts";
import { createHost } from "./host.ts";
import { resolveCaps } from "./plan-file.ts";
import { shown } from "./render/visible.ts";
import type { Request } from "./request.ts";
import { RequestError } from "./request-error.ts";

/**
 * The request with the only plan, where neither a plan nor prompts were given: a file with a usual name in the current
 * folder, or an artifact folder. No plan or several plans are an error.
 */
export async function withOnlyPlan(request: Request, command: string): Promise<Request> {
  const { args, options, output, startedIn } = request;
  const isGiven = args.length + (options.prompt ?? []).length + (options.promptFile ?? []).length > 0;
  if (isGiven || startedIn === null) return request;
  const { findPlans } = await import("../app/find-plans.ts"); // seldom needed
  const { plans, others } = await findPlans(createHost(request, command), resolveCaps(request));
  const [only] = plans;
  if (only === undefined) throw notFound(others, command);
  if (plans.length > 1)
    throw new RequestError(
      `more than one plan: ${plans.join(", ")}`,
      `pass one: ${command} ${shellWord(only)}`,
    );
  if (only !== "." && options.json !== true && options.quiet !== true)
    output.say([[`plan: ${shown(only, output.glyphs)}`]]);
  return { ...request, args: [only] };
}

function notFound([other]: readonly string[], command: string): RequestError {
  if (other !== undefined)
    return new RequestError("missing plan", `pass a plan: ${command} ${shellWord(other)}`);
  const write = 'create plan.yaml with "plait: 1" and "tasks:"';
  const takesPrompts = ["plait run", "plait plan"].includes(command);
  return new RequestError(
    "no plan found in this folder",
    takesPrompts ? `${write}, or pass a prompt: ${command} -p "Fix the login"` : write,
  );
}
