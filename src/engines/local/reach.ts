// Whether a server can be connected to, by the way that programs take: through the proxy of the environment where there is
// one. Nothing is sent.

import { connect } from "node:net";
import type { Env } from "../../core/plan.ts";
import type { Clock } from "../../util/clock.ts";
import { isLoopback } from "../../util/loopback.ts";

const LIMIT_MS = 10_000;

/** Whether any of them answers; null where there is none to ask. */
export async function canReach(servers: readonly string[], env: Env, clock: Clock): Promise<boolean | null> {
  const places = servers.flatMap((server) => (URL.canParse(server) ? [wayTo(new URL(server), env)] : []));
  if (places.length === 0) return null;
  const reached = await Promise.all(places.map((place) => connects(place, clock)));
  return reached.includes(true);
}

type Place = { readonly host: string; readonly port: number };

export function wayTo(server: URL, env: Env): Place {
  const proxy = proxyFor(server, env);
  const { hostname, port, protocol } = proxy !== null && URL.canParse(proxy) ? new URL(proxy) : server;
  const host = hostname.replace(/^\[|\]$/g, "");
  return { host, port: port === "" ? (PORTS[protocol] ?? 80) : Number(port) };
}

const PORTS: { readonly [protocol: string]: number } = { "https:": 443, "socks5:": 1080, "socks:": 1080 };

/** Variables are written large or small; a proxy without a scheme is one for http. */
function proxyFor({ protocol, hostname }: URL, env: Env): string | null {
  const of = (name: string) => env[name.toLowerCase()] || env[name] || "";
  if (isLoopback(hostname) || isExcepted(hostname, of("NO_PROXY"))) return null;
  const said = of(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY") || of("ALL_PROXY");
  if (said === "") return null;
  return said.includes("://") ? said : `http://${said}`;
}

function isExcepted(host: string, list: string): boolean {
  const hosts = list.split(",").map((one) => one.trim().replace(/^\*?\.|:\d+$/g, ""));
  return hosts.some((one) => one === "*" || (one !== "" && (host === one || host.endsWith(`.${one}`))));
}

function connects({ host, port }: Place, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const limit = clock.setTimer(LIMIT_MS, () => end(false));
    const end = (isThere: boolean): void => {
      limit.cancel();
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}
