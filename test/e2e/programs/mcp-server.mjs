// A tool server of a user, as small as the protocol (MCP, on stdio) allows: one tool, `price`, that knows one price. Its argument
// is a file to which it adds a line when the tool is used.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "shop", version: "1.0.0" },
  }),
  "tools/list": () => ({
    tools: [{ name: "price", description: "The price of bread", inputSchema: { type: "object" } }],
  }),
  "tools/call": () => {
    appendFileSync(process.argv[2], "asked\n");
    return { content: [{ type: "text", text: "bread costs 42" }] };
  },
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return; // a notification
  const answer = answers[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: "no such method" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...body })}\n`);
});
