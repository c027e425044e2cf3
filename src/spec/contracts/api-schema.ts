import * as z from "zod";

/**
 * The shape of an OpenAPI document, 3.0 and 3.1 together. Where something may be a reference, nothing is required here: that is
 * for who looks at what the reference leads to. What only tools for documentation read may be anything.
 */
const text = z.string().regex(/\S/, { error: "not be empty" });
const flag = z.boolean().optional();
const $ref = text.optional();

function free(keys: string): Shape {
  return each(keys, z.unknown().optional());
}

type Shape = { readonly [key: string]: z.ZodType };

function each(keys: string, value: z.ZodType): Shape {
  return Object.fromEntries(keys.split(" ").map((key) => [key, value]));
}

const byName = (value: z.ZodType) => z.record(z.string(), value).optional();

const type = z.enum(["array", "boolean", "integer", "number", "object", "string", "null"]);

const schema: z.ZodType = z.lazy(() => z.union([schemaMap, z.boolean()]));

const schemaMap = z
  .strictObject({
    ...free("$schema $id $anchor $dynamicAnchor $dynamicRef $comment $vocabulary title description default"),
    ...free("const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern"),
    ...free("maxItems minItems uniqueItems maxContains minContains maxProperties minProperties format"),
    ...free(
      "dependentRequired contentEncoding contentMediaType deprecated readOnly writeOnly example examples",
    ),
    ...free("discriminator xml externalDocs"),
    $ref,
    type: z.union([type, z.array(type)]).optional(),
    enum: z.array(z.unknown()).optional(),
    required: z.array(text).optional(),
    nullable: flag,
    ...each("properties patternProperties dependentSchemas $defs", byName(schema)),
    ...each("items additionalProperties not if then else contains propertyNames", schema.optional()),
    ...each("unevaluatedItems unevaluatedProperties contentSchema", schema.optional()),
    ...each("allOf anyOf oneOf prefixItems", z.array(schema).min(1, { error: "not be empty" }).optional()),
  })
  .meta({ title: "a schema" });

const content = byName(
  z
    .strictObject({ schema: schema.optional(), ...free("example examples encoding") })
    .meta({ title: "a content" }),
);

const described =
  "description required deprecated style explode allowReserved allowEmptyValue example examples";

const header = z
  .strictObject({ $ref, ...free(`${described} summary`), schema: schema.optional(), content })
  .meta({ title: "a header" });

const parameter = z
  .strictObject({
    $ref,
    ...free(`${described} summary`),
    name: text.optional(),
    in: z.enum(["query", "header", "path", "cookie"]).optional(),
    required: flag,
    schema: schema.optional(),
    content,
  })
  .meta({ title: "a parameter" });

const requestBody = z
  .strictObject({ $ref, ...free("description summary"), content, required: flag })
  .meta({ title: "a requestBody" });

const response = z
  .strictObject({
    $ref,
    ...free("summary links"),
    description: z.string().optional(),
    headers: byName(header),
    content,
  })
  .meta({ title: "a response" });

const security = z.array(z.record(z.string(), z.array(z.string()))).optional();
const parameters = z.array(parameter).optional();

const operation = z
  .strictObject({
    ...free("tags summary description externalDocs callbacks deprecated servers"),
    operationId: text.optional(),
    parameters,
    requestBody: requestBody.optional(),
    responses: byName(response),
    security,
  })
  .meta({ title: "an operation" });

const pathItem = z
  .strictObject({
    $ref,
    ...free("summary description servers"),
    parameters,
    ...each("get put post delete options head patch trace", operation.optional()),
  })
  .meta({ title: "a path" });

const securityScheme = z
  .strictObject({
    $ref,
    ...free("description bearerFormat summary"),
    type: z.enum(["apiKey", "http", "mutualTLS", "oauth2", "openIdConnect"]).optional(),
    name: text.optional(),
    in: z.enum(["query", "header", "cookie"]).optional(),
    scheme: text.optional(),
    flows: byName(z.unknown()),
    openIdConnectUrl: text.optional(),
  })
  .meta({ title: "a security scheme" });

const components = z
  .strictObject({
    schemas: byName(schema),
    responses: byName(response),
    parameters: byName(parameter),
    requestBodies: byName(requestBody),
    headers: byName(header),
    securitySchemes: byName(securityScheme),
    pathItems: byName(pathItem),
    ...free("examples links callbacks"),
  })
  .meta({ title: "components" });

export const apiSchema: z.ZodType = z
  .strictObject({
    openapi: text,
    info: z
      .strictObject({
        title: text,
        version: text,
        ...free("summary description termsOfService contact license"),
      })
      .meta({ title: "info" }),
    paths: byName(pathItem),
    webhooks: byName(pathItem),
    components: components.optional(),
    security,
    servers: z
      .array(z.strictObject({ url: text, ...free("description variables") }).meta({ title: "a server" }))
      .optional(),
    tags: z
      .array(z.strictObject({ name: text, ...free("description externalDocs") }).meta({ title: "a tag" }))
      .optional(),
    ...free("externalDocs jsonSchemaDialect"),
  })
  .meta({ title: "the API document" });
