/** JSON Schema of configuration files. The schema library is loaded only when somebody asks. */
export async function configSchema(): Promise<object> {
  const { configJsonSchema } = await import("../config/schema.ts");
  return configJsonSchema();
}
