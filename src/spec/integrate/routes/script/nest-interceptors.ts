import type { Expr } from "./facts.ts";
import type { Mark } from "./nest-decorators.ts";
import type { World } from "./world.ts";

/** These look on, or only leave fields out: what is answered keeps its type. */
const LOOKING_ON =
  /^(?:ClassSerializer|\w*Cach\w*|\w*Log\w*|\w*Timeout|\w*Files?|FileFields|\w*Metrics?|\w*Sentry|\w*Trac\w*|\w*Audit\w*|\w*Tim(?:er|ing))Interceptor$/i;

/** Whether something stands between a method and its answer that may make another of it. */
export function isIntercepted(marks: readonly Mark[]): boolean {
  return marks
    .filter(({ name }) => name === "UseInterceptors")
    .some((mark) => mark.arguments.some((one) => !LOOKING_ON.test(nameOf(one))));
}

/** The same for all controllers: `app.useGlobalInterceptors(…)`, or a provider of `APP_INTERCEPTOR`. */
export function isInterceptedEverywhere({ modules }: World): boolean {
  return [...modules.values()].some(
    ({ facts, imports }) =>
      imports.some(({ imported }) => imported === "APP_INTERCEPTOR") ||
      facts.calls.some(({ steps }) =>
        steps.some((step, i) => {
          const call = steps[i + 1];
          const isGlobal = step.kind === "member" && step.name === "useGlobalInterceptors";
          return (
            isGlobal && call?.kind === "call" && call.arguments.some((one) => !LOOKING_ON.test(nameOf(one)))
          );
        }),
      ),
  );
}

/** `X`, `new X(…)`, `X(…)`. */
function nameOf(expr: Expr): string {
  const base = expr.kind === "chain" && expr.steps.length === 1 ? expr.base : expr;
  return base.kind === "name" ? base.name : "";
}
