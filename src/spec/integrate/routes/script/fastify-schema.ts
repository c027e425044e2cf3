import type { ValueType } from "../../types/shape.ts";
import type { ModelUse } from "../route.ts";
import type { ParameterPlace, RouteSurface } from "../surface.ts";
import type { Expr } from "./facts.ts";
import { type ObjectValue, objectIn } from "./member.ts";
import { agreed, NONE } from "./models.ts";
import { schemaType } from "./schema-type.ts";
import { schemaModel } from "./schemas.ts";
import type { Place } from "./values.ts";
import type { World } from "./world.ts";

/** Null: nothing that has a name. */
type Described = { readonly request: ModelUse | null; readonly response: ModelUse | null };

/** `{ schema: { body: NewOrder, response: { 201: Order } } }`: what is checked when it runs. */
export function fastifySchema(world: World, options: Expr, at: Place): Described {
  const schema = inside(world, objectIn(world.evaluate(options, at)), "schema");
  const responses = inside(world, schema, "response");
  const good = [...(responses?.fields ?? [])].filter(([status]) => /^2(?:\d\d|xx)$/i.test(status));
  const answers = good.map(([status, one]) =>
    status === "204" || responses === null ? NONE : schemaModel(world, one, responses.at),
  );
  const body = schema?.fields.get("body");
  return {
    request: said(schema === null ? [] : [schemaModel(world, body, schema.at)]),
    response: said(answers),
  };
}

const PLACES: { readonly [key: string]: ParameterPlace } = {
  ...{ querystring: "query", query: "query", params: "path", headers: "header" },
};

/** The same, field by field. What has no schema is not declared. */
export function fastifySurface(world: World, options: Expr, at: Place): RouteSurface {
  const schema = inside(world, objectIn(world.evaluate(options, at)), "schema");
  const body = schema?.fields.get("body");
  const spread = [...(schema?.fields ?? [])].flatMap(([key, one]) => {
    const place = PLACES[key];
    return place === undefined || schema === null
      ? []
      : [{ in: place, type: schemaType(world, one, schema.at) }];
  });
  const places = spread.map((one) => one.in);
  return {
    language: "script",
    areParametersText: true,
    parameters: places.length === 0 ? null : { list: [], spread, places, more: null },
    request:
      body === undefined || schema === null
        ? null
        : { type: schemaType(world, body, schema.at), isRequired: null },
    responses: responsesIn(world, inside(world, schema, "response")),
  };
}

function responsesIn(world: World, responses: ObjectValue | null): RouteSurface["responses"] {
  if (responses === null || responses.hasMore) return null;
  const byStatus = [...responses.fields].map(([status, one]): [string, ValueType] => [
    status.toUpperCase().replace("DEFAULT", "default"),
    schemaType(world, one, responses.at),
  ]);
  return { byStatus: new Map(byStatus), isWhole: true };
}

function said(uses: readonly ModelUse[]): ModelUse | null {
  const use = agreed(uses);
  return use.kind === "undeclared" ? null : use;
}

function inside(world: World, object: ObjectValue | null, name: string): ObjectValue | null {
  const field = object?.fields.get(name);
  return object === null || field === undefined ? null : objectIn(world.evaluate(field, object.at));
}
