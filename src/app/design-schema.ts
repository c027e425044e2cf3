/** JSON Schema of designs. The schema library is loaded only when somebody asks. */
export async function designSchema(): Promise<object> {
  const { designJsonSchema } = await import("../spec/design/json-schema.ts");
  return designJsonSchema();
}
