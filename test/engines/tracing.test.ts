import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { traceDocument } from "../../src/app/tracing.ts";
import { drive, place, resume, start } from "./local.ts";

const PLAN = `tasks:
  - id: one
    command: 'printf %s "$TRACEPARENT" > seen.txt'
`;

type Told = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Document };
type Document = {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Told1[] }[] }[];
};
type Told1 = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
};

async function collector(status = 200) {
  const told: Told[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      told.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) });
      response.writeHead(status).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { told, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const spansOf = (document: Document) => document.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];

test("a run goes to the collector that the environment names, below the trace that it was started in, and its tasks below it", async () => {
  const { told, url } = await collector();
  const at = place();
  const env = {
    ...at.host.env,
    OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: "Api-Key=a%20b, broken",
    TRACEPARENT: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  };
  const here = { ...at, host: { ...at.host, env, traces: { file: true, endpoint: null } } };
  const begun = await start(here, PLAN);
  const ran = await drive(begun);
  expect(ran.outcome).toBe("complete");
  expect(begun.reported()).toMatchObject({ ok: true, warnings: [] });
  const [sent] = told;
  expect(sent).toMatchObject({
    path: "/v1/traces",
    headers: { "api-key": "a b", "content-type": "application/json" },
  });
  const spans = spansOf(sent?.body as Document);
  const command = spans.find(({ name }) => name === "command");
  expect(readFileSync(join(at.repo, "seen.txt"), "utf8")).toBe(
    `00-${command?.traceId}-${command?.spanId}-01`,
  );
  expect(spans[0]).toMatchObject({
    traceId: "0af7651916cd43dd8448eb211c80319c",
    parentSpanId: "b7ad6b7169203331",
  });
  expect(JSON.parse(readFileSync(join(ran.folder, "trace.json"), "utf8"))).toEqual(sent?.body);
  // Asked later, by somebody who stands in another trace, it is the same.
  expect(await traceDocument({ ...at.host, env: {} }, { ...ran, isRunning: false }, ran.folder)).toEqual(
    sent?.body,
  );
});

test("a resumed run tells the collector what is new or went on, and the rest not twice", async () => {
  const { told, url } = await collector();
  const at = place();
  const traces = { file: false, endpoint: `${url}/v1/traces` };
  const here = { ...at, host: { ...at.host, traces } };
  const plan = `tasks:
  - { id: good, command: "echo > good.txt" }
  - { id: bad, command: "test -e ${at.root}/go", retries: 0 }
`;
  const ran = await drive(await start(here, plan));
  writeFileSync(join(at.root, "go"), "");
  await drive(await resume(here, ran));
  const names = told.map(({ body }) => spansOf(body).map(({ name }) => name));
  expect(names[0]).toEqual(expect.arrayContaining(["task good", "task bad", "merge good"]));
  expect(names[1]).toEqual(
    expect.arrayContaining([expect.stringMatching(/^invoke_workflow/), "task bad", "attempt #2"]),
  );
  expect(names[1]).not.toContain("task good");
  expect(names[1]).not.toContain("merge good");
});

test("a collector that does not take it changes nothing but a warning; without one nothing is said to agents", async () => {
  const { url } = await collector(503);
  const at = place();
  const traces = { file: false, endpoint: `${url}/v1/traces` };
  const begun = await start({ ...at, host: { ...at.host, traces } }, PLAN);
  const ran = await drive(begun);
  expect(ran.outcome).toBe("complete");
  expect(begun.reported()).toMatchObject({ ok: true, warnings: ["cannot send the trace: answered 503"] });

  const quiet = place();
  const env = { ...quiet.host.env, OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SDK_DISABLED: "true" };
  const second = await start({ ...quiet, host: { ...quiet.host, env } }, PLAN);
  const done = await drive(second);
  expect(second.reported()).toMatchObject({ ok: true, warnings: [] });
  expect(readFileSync(join(quiet.repo, "seen.txt"), "utf8")).toBe("");
  expect(existsSync(join(done.folder, "trace.json"))).toBe(false);
});

test("an environment that asks for what plait does not speak is told so, and a file may not name the machine's network", async () => {
  const at = place();
  const env = {
    ...at.host.env,
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4317",
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
  };
  const begun = await start({ ...at, host: { ...at.host, env } }, PLAN);
  await drive(begun);
  expect(begun.reported()).toMatchObject({ warnings: [expect.stringContaining("grpc")] });

  const inside = place();
  const traces = { file: false, endpoint: "https://10.0.0.1/v1/traces" };
  const asked = await start({ ...inside, host: { ...inside.host, traces } }, PLAN);
  await drive(asked);
  expect(asked.reported()).toMatchObject({ warnings: [expect.stringContaining("are not allowed")] });
});
