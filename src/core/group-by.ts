/** In the order in which the keys first come; items without a key are left out. */
export function groupBy<K, T>(items: Iterable<T>, findKey: (item: T) => K | null): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = findKey(item);
    if (key === null) continue;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [item]);
    else known.push(item);
  }
  return groups;
}
