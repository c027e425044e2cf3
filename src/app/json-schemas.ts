// JSON Schemas of files that people write. The schema library is loaded only when somebody asks.

export const planSchema = async (): Promise<object> =>
  (await import("../formats/native/schema.ts")).nativeJsonSchema();

export const configSchema = async (): Promise<object> =>
  (await import("../config/schema.ts")).configJsonSchema();

export const designSchema = async (): Promise<object> =>
  (await import("../spec/design/json-schema.ts")).designJsonSchema();
