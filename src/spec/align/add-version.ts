/** One more version of a package. */
export function addVersion(to: Map<string, string[]>, key: string, version: string): void {
  const known = to.get(key);
  if (known === undefined) to.set(key, [version]);
  else known.push(version);
}
