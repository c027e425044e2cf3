// A plan for soak runs whose outcome is known to the byte: tasks of several kinds, some of which need another, and no two that
// touch the same file.
import { someFiles } from "../bench/place.mjs";

const FILES = 200;

const kinds = [
  // leaves its files to plait
  (i) => ({ verbs: [`write out/t${i}/a.txt a of ${i}`], adds: { [`out/t${i}/a.txt`]: `a of ${i}\n` } }),
  // commits by itself, twice
  (i) => ({
    verbs: [
      ...[`write out/t${i}/one.txt one`, `commit One of ${i}`],
      ...[`write out/t${i}/two.txt two`, `commit Two of ${i}`],
    ],
    adds: { [`out/t${i}/one.txt`]: "one\n", [`out/t${i}/two.txt`]: "two\n" },
  }),
  // changes a file that is there and deletes another
  (i, [changed, deleted]) => ({
    verbs: [`append ${changed} more by ${i}`, `delete ${deleted}`],
    ...{ appends: { [changed]: `more by ${i}\n` }, deletes: deleted },
  }),
  // commits one thing and leaves another
  (i) => ({
    verbs: [`write out/t${i}.txt committed`, `commit Part of ${i}`, `write "out/a name ${i}.txt" left`],
    adds: { [`out/t${i}.txt`]: "committed\n", [`out/a name ${i}.txt`]: "left\n" },
  }),
];

/** The tasks, the files that the repository begins with, and those that it must end with. */
export function soakPlan(count) {
  const before = someFiles(Math.max(FILES, 2 * count));
  const after = new Map(before);
  const paths = [...before.keys()];
  const tasks = Array.from({ length: count }, (_, i) => {
    const own = [paths[2 * i], paths[2 * i + 1]];
    const { verbs, adds = {}, appends = {}, deletes } = kinds[i % kinds.length](i, own);
    for (const [path, text] of Object.entries(adds)) after.set(path, text);
    for (const [path, text] of Object.entries(appends)) after.set(path, `${before.get(path)}${text}`);
    if (deletes !== undefined) after.delete(deletes);
    const prompt = [`sleep ${(i * 37) % 200}ms`, ...verbs, "say done"]
      .map((verb) => `demo: ${verb}`)
      .join("\n");
    return { id: `t${i}`, prompt, ...(i % 8 === 7 ? { needs: [`t${i - 5}`] } : {}) };
  });
  return { tasks, before, after };
}
