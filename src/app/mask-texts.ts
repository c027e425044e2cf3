/**
 * A document with its texts masked. Facts and what agents print are masked already; paths of files, titles and names in the plan
 * are not (I13).
 */
export function maskTexts<T>(document: T, mask: (text: string) => string): T {
  const texts = new Set<string>();
  JSON.stringify(document, (_, value) => {
    if (typeof value === "string") texts.add(value);
    return value;
  });
  const all = [...texts].filter((text) => text !== "");
  // In one piece, because thousands of small ones take long; no secret holds the character between them.
  const parts = mask(all.join("\0")).split("\0");
  const clean = new Map(all.map((text, n) => [text, parts.length === all.length ? parts[n] : mask(text)]));
  return JSON.parse(
    JSON.stringify(document, (_, value) => (typeof value === "string" ? (clean.get(value) ?? value) : value)),
  ) as T;
}
