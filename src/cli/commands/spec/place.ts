import type { Host } from "../../../app/host.ts";
import { specRoot } from "../../../app/spec/place.ts";
import type { Command } from "../../../core/text/command.ts";
import { createHost, granted } from "../../host.ts";
import type { Request } from "../../request.ts";

/** Who asks, and the folder that parallel/ and tech-specs/ belong in. */
export async function placeOf(
  request: Request,
  command: Command,
): Promise<{ readonly host: Host; readonly root: string }> {
  const host = createHost(request, command);
  return { host, root: granted(await specRoot(host)).root };
}

/** `2026-01-15`, where the user is. */
export function today(): string {
  const now = new Date();
  const two = (n: number) => String(n).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
