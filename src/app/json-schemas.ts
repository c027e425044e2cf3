/** JSON Schema of the native plan file. The schema library is loaded only when somebody asks. */
export async function planSchema(): Promise<object> {
  const { nativeJsonSchema } = await import("../formats/native/json-schema.ts");
  return nativeJsonSchema();
}

/** JSON Schema of configuration files. The schema library is loaded only when somebody asks. */
export async function configSchema(): Promise<object> {
  const { configJsonSchema } = await import("../config/schema.ts");
  return configJsonSchema();
}

/** JSON Schema of designs. The schema library is loaded only when somebody asks. */
export async function designSchema(): Promise<object> {
  const { designJsonSchema } = await import("../spec/design/json-schema.ts");
  return designJsonSchema();
}
