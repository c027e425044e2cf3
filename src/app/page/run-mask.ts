import { runMasker } from "../../engines/local/open-site.ts";
import type { RunFolder } from "../../engines/local/run-folder.ts";
import { openValues } from "../../engines/local/sealed-values.ts";
import type { Host } from "../host.ts";

export type Mask = (text: string) => string;

/** Takes out of texts of a run what neither the environment nor its plan may show (I13). */
export async function runMask({ env }: Host, { values }: Pick<RunFolder, "values">): Promise<Mask> {
  return runMasker(await openValues(values), env, []).text;
}
