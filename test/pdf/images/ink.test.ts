// The ink of a signature on a photograph: the shade of the room, dust and the table beside the paper are no part of it.
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { extractInk } from '../../../src/pdf/images/ink.ts';

const SIZE = { width: 640, height: 480 };
const SIGNATURE = { left: 200, top: 180, right: 440, bottom: 260 };

type Scene = { light?: (x: number, y: number) => number; dust?: boolean; table?: boolean; grain?: number };

const isStroke = (x: number, y: number): boolean => {
  const wave = 220 + 36 * Math.sin((x - SIGNATURE.left) / 14);
  return x >= SIGNATURE.left && x <= SIGNATURE.right && Math.abs(y - wave) < 4;
};

function photograph({ light = () => 235, dust = false, table = false, grain = 0 }: Scene): Uint8Array {
  const png = new PNG(SIZE);
  let state = 7;
  const noise = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return (state / 2147483648 - 0.5) * 2 * grain;
  };
  for (let y = 0; y < SIZE.height; y += 1)
    for (let x = 0; x < SIZE.width; x += 1) {
      const isDust = dust && ((x - 600) ** 2 + (y - 30) ** 2 < 4 || (x - 20) ** 2 + (y - 460) ** 2 < 4);
      const isTable = table && x + y / 8 > 610;
      const paper = light(x, y) + noise();
      const level = isTable ? 60 + noise() : isStroke(x, y) || isDust ? paper * 0.15 : paper;
      const gray = Math.max(0, Math.min(255, Math.round(level)));
      png.data.set([gray, gray, gray, 255], (y * SIZE.width + x) * 4);
    }
  return PNG.sync.write(png);
}

async function sizeOf(scene: Scene): Promise<{ width: number; height: number }> {
  const ink = await extractInk(photograph(scene), 'png');
  if (!ink.ok) throw new Error(`There is no ink: ${JSON.stringify(ink)}`);
  return PNG.sync.read(Buffer.from(ink.png));
}

const fallingOff = (x: number, y: number): number =>
  240 - 110 * Math.hypot((x - 120) / SIZE.width, (y - 60) / SIZE.height);

describe('ink is trimmed to the strokes', () => {
  test.each<[string, Scene]>([
    ['in light that falls off to a corner', { light: fallingOff }],
    ['with the grain of a camera', { light: fallingOff, grain: 9 }],
    ['with dust in two corners', { dust: true }],
    ['with the table beside the paper', { table: true }],
    ['with all of that', { light: fallingOff, grain: 9, dust: true, table: true }],
  ])('%s', async (_, scene) => {
    const [ink, plain] = [await sizeOf(scene), await sizeOf({})];
    for (const ratio of [ink.width / plain.width, ink.height / plain.height]) {
      expect(ratio).toBeGreaterThan(0.95);
      expect(ratio).toBeLessThan(1.1);
    }
  });
});
