import type { Decorator, Expr } from "./facts.ts";
import { foreignName, type Place, placeIn, type Value, type World } from "./world.ts";

/** A decorator of NestJS, or of a package beside it. */
export type Mark = {
  /** `Get`, `ApiOkResponse`. */
  readonly name: string;
  readonly arguments: readonly Expr[];
  readonly at: Place;
  readonly line: number;
};

const PACKAGES = /^@nestjs\/(?:common|swagger|core)$/;
const DEEPEST = 5;

/** Those of a class, method or parameter; what a decorator of the project is made of counts as well. */
export function marksOf(world: World, file: string, decorators: readonly Decorator[]): Mark[] {
  return decorators.flatMap(({ of, line }) =>
    world.evaluate(of, placeIn(file)).flatMap((value) => marksIn(world, value, line, 0)),
  );
}

/** `applyDecorators(Get("x"), …)` is all of them. */
function marksIn(world: World, value: Value, line: number, depth: number): Mark[] {
  if (value.kind !== "foreign" || value.made === null || !PACKAGES.test(value.from)) return [];
  const { call, at } = value.made;
  const name = foreignName(value).replace(/\.\(\)$/, "");
  if (name !== "applyDecorators") return [{ name, arguments: call.arguments, at, line }];
  if (depth > DEEPEST) return [];
  return call.arguments.flatMap((one) =>
    world.evaluate(one, at).flatMap((inner) => marksIn(world, inner, line, depth + 1)),
  );
}

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
