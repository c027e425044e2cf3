// A screenshot as a PNG of at most 256 colours, which has a third of the bytes and looks the same: a page has few colours, and
// shades of letters between them.
import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Takes what Chromium writes: eight bits, RGB or RGBA without anything transparent, not interlaced. */
export function withPalette(png) {
  const { width, height, pixels } = decode(png);
  const palette = fewColours(pixels);
  const nearest = new Map();
  const rows = Buffer.alloc((width + 1) * height);
  for (let n = 0; n < pixels.length; n += 1) {
    const colour = pixels[n];
    if (!nearest.has(colour)) nearest.set(colour, nearestOf(palette, colour));
    rows[n + Math.floor(n / width) + 1] = nearest.get(colour); // each row begins with its filter, which is none
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const parts = [
    ["IHDR", header],
    ["PLTE", Buffer.from(palette.flatMap(channels))],
    ["IDAT", deflateSync(rows, { level: 9, memLevel: 9 })],
    ["IEND", Buffer.alloc(0)],
  ];
  return Buffer.concat([SIGNATURE, ...parts.map(([type, data]) => chunk(type, data))]);
}

/** Boxes of colours, the one with the widest spread of the most pixels cut in two until there are enough; then the middle of each. */
function fewColours(pixels) {
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const boxes = [boxOf([...counts].map(([colour, count]) => ({ rgb: channels(colour), count })))];
  while (boxes.length < 256) {
    const widest = boxes.reduce((a, b) => (b.weight > a.weight ? b : a));
    if (widest.weight === 0) break;
    boxes.splice(boxes.indexOf(widest), 1, ...halves(widest));
  }
  return boxes.map(({ colours }) => {
    const most = colours.reduce((a, b) => (b.count > a.count ? b : a));
    return (most.rgb[0] << 16) | (most.rgb[1] << 8) | most.rgb[2];
  });
}

function boxOf(colours) {
  const spreads = [0, 1, 2].map((c) => {
    const values = colours.map(({ rgb }) => rgb[c]);
    return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  });
  const spread = Math.max(...spreads);
  const count = colours.reduce((sum, one) => sum + one.count, 0);
  return { colours, channel: spreads.indexOf(spread), weight: spread ** 2 * Math.sqrt(count) };
}

function halves({ colours, channel }) {
  const values = colours.map(({ rgb }) => rgb[channel]);
  const middle = (values.reduce((a, b) => Math.min(a, b)) + values.reduce((a, b) => Math.max(a, b))) / 2;
  const below = colours.filter(({ rgb }) => rgb[channel] <= middle);
  const above = colours.filter(({ rgb }) => rgb[channel] > middle);
  return [boxOf(below), boxOf(above)];
}

function nearestOf(palette, colour) {
  const [r, g, b] = channels(colour);
  const far = (other) => {
    const [r2, g2, b2] = channels(other);
    return (r - r2) ** 2 + (g - g2) ** 2 + (b - b2) ** 2;
  };
  return palette.reduce((best, other, n) => (far(other) < far(palette[best]) ? n : best), 0);
}

const channels = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];

function decode(png) {
  const data = [];
  let header = null;
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (type === "IHDR") header = body;
    if (type === "IDAT") data.push(body);
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const size = { 2: 3, 6: 4 }[header[9]];
  if (header[8] !== 8 || size === undefined || header[12] !== 0)
    throw new Error("not a PNG as Chromium writes it");
  const bytes = unfiltered(inflateSync(Buffer.concat(data)), width * size, size);
  const pixels = Array.from({ length: width * height }, (_, n) => {
    const at = n * size;
    return (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2];
  });
  return { width, height, pixels };
}

/** Each row of a PNG is told as its difference from what stands left of it, above it, or both. */
function unfiltered(rows, length, size) {
  const height = rows.length / (length + 1);
  const out = Buffer.alloc(length * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (length + 1)];
    for (let x = 0; x < length; x += 1) {
      const at = y * length + x;
      const left = x < size ? 0 : out[at - size];
      const up = y === 0 ? 0 : out[at - length];
      const corner = x < size || y === 0 ? 0 : out[at - length - size];
      const told = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      out[at] = rows[y * (length + 1) + 1 + x] + told;
    }
  }
  return out;
}

function paeth(left, up, corner) {
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body) >>> 0, body.length + 4);
  return out;
}
