// Computes how large an image of a PDF is once it is unpacked, from its dictionary. It must never unpack it.

import type { Value } from '../syntax/values.ts';
import type { Objects } from './objects.ts';
import type { Stream } from './streams.ts';

const SAMPLES = new Map<Value, number>([
  ['DeviceGray', 1],
  ['G', 1],
  ['CalGray', 1],
  ['Indexed', 1],
  ['I', 1],
  ['Separation', 1],
  ['DeviceCMYK', 4],
  ['CMYK', 4],
]);
// Of an image whose dictionary states neither colors nor bits, as that of a JPEG may.
const USUAL_SAMPLES = 3;
const USUAL_BITS = 8;

/** Width × height × bits in bytes; zero where the dictionary says nothing that a reader could use. */
export function pictureBytesOf({ dict }: Stream, objects: Objects): number {
  const numberOf = (key: string) => {
    const value = objects.resolved(dict.get(key));
    return typeof value === 'number' && value > 0 ? value : undefined;
  };
  const [width, height] = [numberOf('Width') ?? 0, numberOf('Height') ?? 0];
  const isMask = objects.resolved(dict.get('ImageMask')) === true && !dict.has('ColorSpace');
  const bits = numberOf('BitsPerComponent') ?? (isMask ? 1 : USUAL_BITS);
  return (width * height * bits * (isMask ? 1 : samplesOf(objects, dict.get('ColorSpace')))) / 8;
}

function samplesOf(objects: Objects, colors: Value | undefined): number {
  const space = objects.resolved(colors);
  const [name, profile] = Array.isArray(space) ? space.map(objects.resolved) : [space];
  const stated = name === 'ICCBased' && profile instanceof Map ? profile.get('N') : SAMPLES.get(name ?? null);
  return typeof stated === 'number' ? stated : USUAL_SAMPLES;
}
