import { BlockList, isIP } from "node:net";

/** Whether an IP address belongs to this machine or its networks, or to nobody; other ways to write those are told too. */
export function isInsideAddress(address: string): boolean {
  return INSIDE.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** This machine, its networks, the services that clouds put beside it, what is reserved for examples and tests. */
const RANGES_4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4"],
];

/** Also those that stand for an address of the older kind. */
const RANGES_6 = [
  ...["::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16"],
  ...["fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"],
];

const INSIDE = new BlockList();
for (const [family, ranges] of [
  ["ipv4", RANGES_4],
  ["ipv6", RANGES_6],
] as const) {
  for (const range of ranges) {
    const [network = "", bits = ""] = range.split("/");
    INSIDE.addSubnet(network, Number(bits), family);
  }
}
