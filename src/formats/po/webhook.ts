import { isIP } from "node:net";
import { isInsideAddress } from "../../util/inside-address.ts";

const LONGEST = 2048;

/** Names that are always this machine. */
const ownNames: ReadonlySet<string> = new Set([
  "localhost",
  "localhost.localdomain",
  "localhost4",
  "localhost6",
  "ip6-localhost",
  "ip6-loopback",
]);

/**
 * What an address of a webhook must be instead, as the end of "… must be", or of "… must" where it starts with "not"; null where
 * it may be used. What a name stands for is looked at when something is sent.
 */
export function webhookProblem(address: string): string | null {
  if (!address.startsWith("https://") || !URL.canParse(address))
    return "an address that begins with https://";
  if (address.length > LONGEST) return `at most ${LONGEST} characters long`;
  // A URL writes numbers the usual way: 127.1, 0x7f000001 and 2130706433 are 127.0.0.1 here.
  const host = new URL(address).hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const isInside = isIP(host) === 0 ? ownNames.has(host.toLowerCase()) : isInsideAddress(host);
  return isInside ? "not lead to this machine or to a private network" : null;
}
