import type { Attributes, Span } from "./span.ts";

/** As collectors take it: OTLP in JSON, for a file (one document a line) or for `POST /v1/traces`. */
export type OtlpDocument = {
  readonly resourceSpans: readonly {
    readonly resource: object;
    readonly scopeSpans: readonly { readonly scope: object; readonly spans: readonly OtlpSpan[] }[];
  }[];
};

export type OtlpSpan = { readonly spanId: string; readonly name: string };

/** The same with some of its spans. */
export function onlySpans(
  { resourceSpans }: OtlpDocument,
  isWanted: (span: OtlpSpan) => boolean,
): OtlpDocument {
  return {
    resourceSpans: resourceSpans.map(({ scopeSpans, ...rest }) => ({
      ...rest,
      scopeSpans: scopeSpans.map(({ spans, ...scope }) => ({ ...scope, spans: spans.filter(isWanted) })),
    })),
  };
}

export type TraceIds = {
  /** 32 hexadecimal digits; the same for a run whoever asks. */
  readonly trace: string;
  /** 16 of them, by the key of a span. */
  readonly span: (key: string) => string;
  /** The span that the run is a part of, where somebody who traces started it. */
  readonly parent: string | null;
};

const INTERNAL = 1;
const OK = 1;
const ERROR = 2;

export function otlpDocument(
  spans: readonly Span[],
  ids: TraceIds,
  { version, host }: { readonly version: string; readonly host: string },
): OtlpDocument {
  const known = new Set(spans.map(({ key }) => key));
  const parentOf = ({ parent }: Span): string | null => {
    if (parent === null) return ids.parent;
    // What is below something that is not told hangs below the run.
    return ids.span(known.has(parent) ? parent : "run");
  };
  const told = spans.map((span) => {
    const parent = parentOf(span);
    return {
      traceId: ids.trace,
      spanId: ids.span(span.key),
      ...(parent !== null && { parentSpanId: parent }),
      name: span.name,
      kind: INTERNAL,
      startTimeUnixNano: nanos(span.from),
      endTimeUnixNano: nanos(Math.max(span.from, span.to)),
      attributes: attributesOf(span.attributes),
      status: statusOf(span.status),
    };
  });
  const about = { "service.name": "plait", "service.version": version, "host.name": host };
  const scopeSpans = [{ scope: { name: "plait", version }, spans: told }];
  return { resourceSpans: [{ resource: { attributes: attributesOf(about) }, scopeSpans }] };
}

function statusOf(status: Span["status"]): object {
  if (status === null) return {};
  return status.ok ? { code: OK } : { code: ERROR, message: status.message };
}

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: anyValue(value) }],
  );
}

/** Whole numbers are texts there: JSON has none of 64 bits. What an attribute is never depends on its value: stores keep one type of each. */
function anyValue(value: NonNullable<Attributes[string]>): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return { intValue: String(Math.round(value)) };
  if ("double" in value) return { doubleValue: value.double };
  return { arrayValue: { values: value.map((text) => ({ stringValue: text })) } };
}

/** Times of facts are whole milliseconds, give or take the fraction of a monotonic clock. */
const nanos = (ms: number): string => `${Math.max(0, Math.round(ms))}000000`;
