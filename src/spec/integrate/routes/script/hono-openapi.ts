import type { ModelUse } from "../route.ts";
import { addRoutes, addUnclear, textsOf, WHAT_IS_COMPUTED } from "./adding.ts";
import { memberOf } from "./member.ts";
import { agreed, NONE, UNDECLARED } from "./models.ts";
import { schemaModel } from "./schemas.ts";
import { foreignName, type Value } from "./values.ts";
import type { MethodCall, World } from "./world.ts";

/** `app.openapi(createRoute({ method, path, request, responses }), handler)`. */
export function openApiRoute(world: World, call: MethodCall): void {
  const [route] = call.call.arguments;
  const values = route === undefined ? [] : world.evaluate(route, call.at);
  const options = values.length === 1 && values[0] !== undefined ? optionsOf(world, values[0]) : null;
  const method = options?.of.fields.get("method");
  const path = options?.of.fields.get("path");
  if (options === null || method === undefined || path === undefined) {
    addUnclear(world, call, "what `createRoute` is told cannot be seen");
    return;
  }
  const methods = textsOf(world, method, options.at);
  if ("why" in methods) {
    addUnclear(world, call, WHAT_IS_COMPUTED.method);
    return;
  }
  const all = methods.texts.map((one) => one.toUpperCase());
  const models = { request: requestIn(world, options, call), response: responseIn(world, options, call) };
  addRoutes(world, call, { methods: all, path, at: options.at, ...models });
}

type ObjectValue = Extract<Value, { kind: "literal" }> & {
  readonly of: { readonly kind: "object"; readonly fields: ReadonlyMap<string, never> };
};

function objectOf(value: Value | undefined): ObjectValue | null {
  return value?.kind === "literal" && value.of.kind === "object" ? (value as ObjectValue) : null;
}

function optionsOf(world: World, value: Value): ObjectValue | null {
  if (value.kind !== "foreign" || value.made === null || foreignName(value) !== "createRoute.()") return null;
  const [options] = value.made.call.arguments;
  return options === undefined ? null : objectOf(world.evaluate(options, value.made.at)[0]);
}

function at(world: World, value: Value, names: readonly string[], call: MethodCall): Value | undefined {
  let values: readonly Value[] = [value];
  for (const name of names) values = values.flatMap((one) => memberOf(world, one, name, call.at));
  return values.length === 1 ? values[0] : undefined;
}

function requestIn(world: World, options: ObjectValue, call: MethodCall): ModelUse {
  return contentIn(world, at(world, options, ["request", "body"], call), call);
}

function responseIn(world: World, options: ObjectValue, call: MethodCall): ModelUse {
  const responses = objectOf(at(world, options, ["responses"], call));
  const good = [...(responses?.of.fields.keys() ?? [])].filter((status) => /^2(?:\d\d|XX)$/.test(status));
  return agreed(
    good.map((status) => {
      if (status === "204") return NONE;
      return responses === null ? UNDECLARED : contentIn(world, at(world, responses, [status], call), call);
    }),
  );
}

/** What is described as JSON. */
function contentIn(world: World, body: Value | undefined, call: MethodCall): ModelUse {
  const media = body === undefined ? null : objectOf(at(world, body, ["content", "application/json"], call));
  return media === null ? UNDECLARED : schemaModel(world, media.of.fields.get("schema"), media.at);
}
