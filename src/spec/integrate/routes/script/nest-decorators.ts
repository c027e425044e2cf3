import type { Decorator, Expr } from "./facts.ts";
import { foreignName, NO_TURNS, type Place, type Value } from "./values.ts";
import type { World } from "./world.ts";

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
    world
      .evaluate(of, { file, turns: NO_TURNS, depth: 0 })
      .flatMap((value) => marksIn(world, value, line, 0)),
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
