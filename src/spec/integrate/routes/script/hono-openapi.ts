import { reasons } from "../../reasons.ts";
import type { ValueType } from "../../types/shape.ts";
import type { ModelUse } from "../route.ts";
import type { ParameterPlace, RouteSurface } from "../surface.ts";
import { addAnyMethod, addRoutes, addUnclear, textsOf } from "./adding.ts";
import { type ObjectValue, objectIn, single } from "./member.ts";
import { agreed, NONE, UNDECLARED } from "./models.ts";
import { schemaType } from "./schema-type.ts";
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
    addUnclear(world, call, reasons.unknownCreateRoute);
    return;
  }
  const methods = textsOf(world, method, options.at);
  if ("why" in methods) {
    addAnyMethod(world, call, path);
    return;
  }
  const all = methods.texts.map((one) => one.toUpperCase());
  const request = contentIn(world, under(world, options, ["request", "body"]));
  const surface = () => openApiSurface(world, options);
  const models = { request, response: responseIn(world, options), surface };
  addRoutes(world, call, { methods: all, path, at: options.at, ...models });
}

const PLACES: { readonly [key: string]: ParameterPlace } = {
  ...{ query: "query", params: "path", headers: "header", cookies: "cookie" },
};

/** All that it takes and answers is described; only headers and cookies may be read by others before. */
function openApiSurface(world: World, options: ObjectValue): RouteSurface {
  const request = under(world, options, ["request"]);
  const isSeen = !options.hasMore && (request !== null || !options.fields.has("request"));
  const spread = [...(request?.fields ?? [])].flatMap(([key, one]) => {
    const place = PLACES[key];
    return place === undefined || request === null
      ? []
      : [{ in: place, type: schemaType(world, one, request.at) }];
  });
  const places: ParameterPlace[] = ["query", ...spread.map((one) => one.in)];
  const body = mediaType(world, under(world, request, ["body"]));
  const responses = under(world, options, ["responses"]);
  const byStatus = [...(responses?.fields.keys() ?? [])].map((status): [string, ValueType | null] => [
    status.toUpperCase().replace("DEFAULT", "default"),
    mediaType(world, under(world, responses, [status])),
  ]);
  return {
    language: "script",
    areParametersText: true,
    parameters: isSeen && request?.hasMore !== true ? { list: [], spread, places, more: null } : null,
    request: body === null ? null : { type: body, isRequired: null },
    responses:
      responses === null || responses.hasMore ? null : { byStatus: new Map(byStatus), isWhole: true },
  };
}

function mediaType(world: World, body: ObjectValue | null): ValueType | null {
  const media = under(world, body, ["content", "application/json"]);
  return media === null ? null : schemaType(world, media.fields.get("schema"), media.at);
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
