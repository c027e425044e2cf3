import type { EpochMs } from "../core/facts.ts";
import { count } from "../core/select/preview/words.ts";
import { elapsed } from "../core/select/run-words.ts";
import type { Artifacts, Diffstat, GateVerdict } from "./model.ts";

/** Figures of a report in words, the same in every form of it. */

/** `2026-11-15 09:10:22`, the same on every machine. */
export const momentText = (at: EpochMs): string => new Date(at).toISOString().slice(0, 19).replace("T", " ");

/** `3 files, +120 -4`. */
export const diffText = ({ files, added, removed }: Diffstat): string =>
  `${count(files, "file")}, +${added} -${removed}`;

/** `green at try 2 (flaky), 0:12`. */
export function verdictText({ verdict, how, tries, durationMs, summary }: GateVerdict): string {
  if (how === "unaffected") return "green, nothing that it looks at was changed";
  if (how === "known") return "green, known for the same tree";
  const time = `, ${elapsed(durationMs)}`;
  if (how === "no-new-failures") return `known red, no new failures${time}`;
  if (verdict === "red") return `red${tries > 1 ? ` at all ${tries} tries` : ""}${time}: ${summary}`;
  return `green${tries > 1 ? ` at try ${tries} (flaky)` : ""}${time}`;
}

export const PLACES: { readonly [P in GateVerdict["on"]]: string } = {
  work: "on its own tree",
  merge: "merged with others",
  base: "on the base",
  landing: "on the tree to land",
};

const KIB = 1024;

/** `3 files, 1.2 MiB`. */
export function artifactsText({ count: kept, bytes, leftOut }: Artifacts): string {
  const { files: lost, why } = leftOut;
  const rest = lost === 0 ? "" : `; ${count(lost, "file")} left out: ${why.join(", ")}`;
  return `${count(kept, "file")}, ${sizeText(bytes)}${rest}`;
}

function sizeText(bytes: number): string {
  if (bytes < KIB) return count(bytes, "byte");
  return bytes < KIB * KIB ? `${(bytes / KIB).toFixed(1)} KiB` : `${(bytes / KIB / KIB).toFixed(1)} MiB`;
}
