/** JSON Schema of the native plan file. The schema library is loaded only when somebody asks. */
export async function planSchema(): Promise<object> {
  const { nativeJsonSchema } = await import("../formats/native/schema.ts");
  return nativeJsonSchema();
}
