/** Makes the picture of a screen small: a PNG with a palette of 256 colours. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const COLOURS = 256;

/**
 * @param {Buffer} png 8 bits a channel, RGB or RGBA without transparency, not interlaced
 * @returns {Buffer} the same picture with its most frequent colours
 */
export function smallPng(png) {
  const { width, height, channels, data } = decode(png);
  const pixels = unfilter(data, width, height, channels);
  const palette = paletteOf(pixels);
  const rows = indexRows(pixels, palette, width, height);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk(
      'PLTE',
      Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])),
    ),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** @param {Buffer} png */
function decode(png) {
  /** @type {Buffer[]} */
  const parts = [];
  /** @type {Buffer} */
  let header = Buffer.alloc(0);
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = body;
    if (type === 'IDAT') parts.push(body);
    at += length + 12;
  }
  return {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    channels: header[9] === 6 ? 4 : 3,
    data: inflateSync(Buffer.concat(parts)),
  };
}

/**
 * @param {Buffer} data
 * @param {number} width
 * @param {number} height
 * @param {number} channels
 * @returns {Uint32Array} 0xRRGGBB of each pixel
 */
function unfilter(data, width, height, channels) {
  const stride = width * channels;
  const pixels = new Uint32Array(width * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1);
    const row = new Uint8Array(data.subarray(start + 1, start + 1 + stride));
    for (let x = 0; x < stride; x += 1) {
      const left = x < channels ? 0 : row[x - channels];
      const corner = x < channels ? 0 : above[x - channels];
      row[x] += predict(data[start], left, above[x], corner);
    }
    for (let x = 0; x < width; x += 1) {
      const at = x * channels;
      pixels[y * width + x] = (row[at] << 16) | (row[at + 1] << 8) | row[at + 2];
    }
    above = row;
  }
  return pixels;
}

/** @param {number} filter @param {number} left @param {number} above @param {number} corner */
function predict(filter, left, above, corner) {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const guess = left + above - corner;
  const [a, b, c] = [left, above, corner].map((each) => Math.abs(guess - each));
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

/** The most frequent colours that differ from each other enough. @param {Uint32Array} pixels */
function paletteOf(pixels) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const colours = [...counts.keys()].sort(
    (one, other) => Number(counts.get(other)) - Number(counts.get(one)),
  );
  if (colours.length <= COLOURS) return colours;
  for (let apart = 24; ; apart *= 1.5) {
    /** @type {number[]} */
    const palette = [];
    for (const colour of colours) {
      if (palette.length > COLOURS) break;
      if (palette.every((each) => distance(each, colour) > apart)) palette.push(colour);
    }
    if (palette.length <= COLOURS) return palette;
  }
}

/** @param {Uint32Array} pixels @param {number[]} palette @param {number} width @param {number} height */
function indexRows(pixels, palette, width, height) {
  /** @type {Map<number, number>} */
  const nearest = new Map();
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = pixels[y * width + x];
      let index = nearest.get(colour);
      if (index === undefined) nearest.set(colour, (index = nearestIn(palette, colour)));
      rows[y * (width + 1) + 1 + x] = index;
    }
  }
  return rows;
}

/** @param {number[]} palette @param {number} colour */
function nearestIn(palette, colour) {
  let best = 0;
  for (const [index, each] of palette.entries()) {
    if (distance(each, colour) < distance(palette[best], colour)) best = index;
  }
  return best;
}

/** @param {number} one @param {number} other */
function distance(one, other) {
  const red = (one >> 16) - (other >> 16);
  const green = ((one >> 8) & 255) - ((other >> 8) & 255);
  const blue = (one & 255) - (other & 255);
  return red * red + green * green + blue * blue;
}

/** @param {string} type @param {Buffer} body */
function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
