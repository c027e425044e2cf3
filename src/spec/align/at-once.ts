const MOST = 4;

/** Works on a few at once; the results are in the order of the items. */
export async function atOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [i, item] of left) results[i] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(MOST, items.length) }, worker));
  return results;
}
