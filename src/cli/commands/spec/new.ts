import { relative, resolve, sep } from "node:path";
import { readText } from "../../../app/read-text.ts";
import { makeTechSpec } from "../../../app/spec/new-tech-spec.ts";
import { authorOf } from "../../../app/spec/place.ts";
import { defaultCaps } from "../../../config/settings.ts";
import { plait } from "../../../core/text/command.ts";
import { fix } from "../../../core/text/sentence.ts";
import { toOneLine } from "../../../spec/tech-spec/names.ts";
import { exitCodes } from "../../exit-codes.ts";
import { granted } from "../../host.ts";
import { nextCommand } from "../../render/diagnostics.ts";
import { shown } from "../../render/visible.ts";
import type { RunCommand } from "../../request.ts";
import { RequestError, UsageError } from "../../request-error.ts";
import { placeOf, today } from "./place.ts";

/** `plait spec new <title…>`: a draft tech spec with the next number. */
export const newSpec: RunCommand = async (request) => {
  const { args, options, output } = request;
  const title = toOneLine(args.join(" "));
  if (title === "")
    throw new UsageError("missing title", fix("add a title", plait("spec new", "Inventory service")));
  const { host, root } = await placeOf(request, plait("spec new"));
  const prd = options.prd === undefined ? null : await readPrd(options.prd, host.cwd, root);
  const author = options.author ?? (await authorOf(host));
  const { id, path } = granted(
    await makeTechSpec({
      ...{ root, title, relatedPrd: prd?.path ?? null, today: today(), caps: defaultCaps },
      prd: prd?.text ?? null,
      author: author === null ? null : toOneLine(author),
      decisionRef: options.rfc === undefined ? null : toOneLine(options.rfc),
    }),
  );
  output.result([
    [shown(relative(host.cwd, path), output.glyphs)],
    ["Replace every REPLACE ME, then approve the tech spec:"],
    nextCommand(plait("spec status", id, { set: "approved" })),
  ]);
  return exitCodes.ok;
};

type Prd = { readonly path: string; readonly text: string | null };

/** The path is from the root, so that it means the same for everybody. Addresses stay as they are. */
async function readPrd(prd: string, cwd: string, root: string): Promise<Prd> {
  if (/^https?:\/\//i.test(prd)) return { path: toOneLine(prd), text: null };
  const path = resolve(cwd, prd);
  const read = await readText(path, Number.MAX_SAFE_INTEGER);
  if (!read.ok)
    throw new RequestError(
      `--prd ${prd} ${read.detail}`,
      "pass an existing file or a URL: --prd docs/prd.md",
    );
  return { path: relative(root, path).split(sep).join("/"), text: read.text };
}
