import type { ModelUse } from "../route.ts";
import { addAnyMethod, addRoutes, addUnclear, textsOf } from "./adding.ts";
import { type ObjectValue, objectIn, single } from "./member.ts";
import { agreed, NONE, UNDECLARED } from "./models.ts";
import { schemaModel } from "./schemas.ts";
import { foreignName, type Value } from "./values.ts";
import type { MethodCall, World } from "./world.ts";

/** `app.openapi(createRoute({ method, path, request, responses }), handler)`. */
export function openApiRoute(world: World, call: MethodCall): void {
  const [route] = call.call.arguments;
  const values = route === undefined ? [] : world.evaluate(route, call.at);
  const options = optionsOf(world, single(values));
  const method = options?.fields.get("method");
  const path = options?.fields.get("path");
  if (options === null || method === undefined || path === undefined) {
    addUnclear(world, call, "what `createRoute` is told cannot be seen");
    return;
  }
  const methods = textsOf(world, method, options.at);
  if ("why" in methods) {
    addAnyMethod(world, call, path);
    return;
  }
  const all = methods.texts.map((one) => one.toUpperCase());
  const request = contentIn(world, under(world, options, ["request", "body"]));
  const models = { request, response: responseIn(world, options) };
  addRoutes(world, call, { methods: all, path, at: options.at, ...models });
}

function optionsOf(world: World, value: Value): ObjectValue | null {
  if (value.kind !== "foreign" || value.made === null || foreignName(value) !== "createRoute.()") return null;
  const [options] = value.made.call.arguments;
  return options === undefined ? null : objectIn(world.evaluate(options, value.made.at));
}

/** What stands under these names, one in the other. */
function under(world: World, object: ObjectValue | null, names: readonly string[]): ObjectValue | null {
  return names.reduce<ObjectValue | null>((at, name) => {
    const field = at?.fields.get(name);
    return at === null || field === undefined ? null : objectIn(world.evaluate(field, at.at));
  }, object);
}

function responseIn(world: World, options: ObjectValue): ModelUse {
  const responses = under(world, options, ["responses"]);
  const good = [...(responses?.fields.keys() ?? [])].filter((status) => /^2(?:\d\d|XX)$/.test(status));
  return agreed(
    good.map((status) => (status === "204" ? NONE : contentIn(world, under(world, responses, [status])))),
  );
}

/** What is described as JSON. */
function contentIn(world: World, body: ObjectValue | null): ModelUse {
  const media = under(world, body, ["content", "application/json"]);
  return media === null ? UNDECLARED : schemaModel(world, media.fields.get("schema"), media.at);
}
