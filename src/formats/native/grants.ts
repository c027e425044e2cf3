import * as z from "zod";
import type { Grant } from "../../core/plan.ts";

const EXPECTED = "an absolute path, ~/path, ro:~/path, or $NAME";
const WRITTEN = /^(?:(?:ro:)?(?:~|~?\/[^\n\r\0]*)|\$[A-Za-z_][A-Za-z0-9_]*)$/;

const grant = z
  .string({ error: EXPECTED })
  .regex(WRITTEN, { error: EXPECTED })
  .transform((written): Grant => {
    if (written.startsWith("$")) return { kind: "variable", name: written.slice(1) };
    const isWritable = !written.startsWith("ro:");
    return { kind: "path", path: isWritable ? written : written.slice("ro:".length), isWritable };
  });

export const grants = z
  .union([grant.transform((one) => [one]), z.array(grant)], { error: `${EXPECTED}, or a list of them` })
  .meta({
    id: "grants",
    title: "Grants",
    description: "One grant or a list: ~/path or /path to write, ro:~/path to read, $NAME for a variable.",
  });
