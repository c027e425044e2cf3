import type { TaskId } from "../../ids.ts";
import { matcher } from "../../ownership/match.ts";
import type { Plan } from "../../plan.ts";

/** A file that work of several tasks usually changes too, by the history: expect conflicts there. */
export type HubFile = {
  readonly path: string;
  readonly tasks: readonly TaskId[];
  /** Of the commits that changed what these tasks own, those that changed the file as well. */
  readonly together: number;
  readonly of: number;
};

type ChangedFiles = { readonly changed: readonly string[] };

/** One commit proves nothing, and a file that comes along now and then is not a hub. */
const LEAST_TOGETHER = 2;
const LEAST_SHARE = 0.4;
const MOST_HUBS = 5;

/** The strongest first. A file that its tasks declare shared, or that one of them owns alone, is not among them. */
export function findHubFiles({ tasks }: Plan, commits: readonly ChangedFiles[]): HubFile[] {
  const areas = tasks.flatMap(({ id, access, owns }) =>
    access === "write" && owns.length > 0
      ? [{ id, claims: owns.map(({ pattern }) => matcher(pattern)) }]
      : [],
  );
  if (areas.length < 2) return [];
  const known = new Map<string, ReadonlySet<TaskId>>();
  const findOwners = (path: string): ReadonlySet<TaskId> => {
    const owners =
      known.get(path) ??
      new Set(areas.filter(({ claims }) => claims.some((fits) => fits(path) === true)).map(({ id }) => id));
    known.set(path, owners);
    return owners;
  };
  const total = new Map<TaskId, number>();
  const together = new Map<string, Map<TaskId, number>>();
  for (const { changed } of commits) {
    const touched = new Set(changed.flatMap((path) => [...findOwners(path)]));
    for (const task of touched) total.set(task, (total.get(task) ?? 0) + 1);
    for (const path of changed.filter((one) => findOwners(one).size === 0)) {
      const counts = together.get(path) ?? new Map();
      for (const task of touched) counts.set(task, (counts.get(task) ?? 0) + 1);
      together.set(path, counts);
    }
  }
  return [...together]
    .flatMap(([path, counts]) => rateHub(path, counts, total))
    .sort((a, b) => b.tasks.length - a.tasks.length || b.together - a.together || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_HUBS);
}

function rateHub(
  path: string,
  counts: ReadonlyMap<TaskId, number>,
  total: ReadonlyMap<TaskId, number>,
): HubFile[] {
  const pulled = [...counts].filter(
    ([task, n]) => n >= LEAST_TOGETHER && n >= LEAST_SHARE * (total.get(task) ?? n),
  );
  if (pulled.length < 2) return [];
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
  const tasks = pulled.map(([task]) => task);
  return [
    {
      path,
      tasks,
      together: sum(pulled.map(([, n]) => n)),
      of: sum(tasks.map((task) => total.get(task) ?? 0)),
    },
  ];
}
