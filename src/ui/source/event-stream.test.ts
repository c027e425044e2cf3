import { expect, test } from "vitest";
import { createEventParser } from "./event-stream.ts";

const stream =
  'id: 4\nevent: fact\ndata: {"n":4}\n\n: here\n\nevent: live\r\ndata: {}\r\n\r\ndata: a\ndata: b\n\n';
const events = [
  { event: "fact", id: "4", data: '{"n":4}' },
  { event: "live", id: null, data: "{}" },
  { event: "message", id: null, data: "a\nb" },
];

test("events are whole, wherever the stream was cut into pieces", () => {
  for (let size = 1; size <= stream.length; size += 1) {
    const parse = createEventParser();
    const found = [];
    for (let at = 0; at < stream.length; at += size) found.push(...parse(stream.slice(at, at + size)));
    expect(found).toEqual(events);
  }
});

test("what has no end yet is no event", () => {
  const parse = createEventParser();
  expect(parse("event: fact\ndata: {}\n")).toEqual([]);
  expect(parse("\n")).toEqual([{ event: "fact", id: null, data: "{}" }]);
});
