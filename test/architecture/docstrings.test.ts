// Docstrings name only parameters that exist: a parameter that was renamed in the code alone is found.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SLOW } from '../support/tier.ts';
import { unknownParameters } from './docstrings.ts';

const SRC = new URL('../../src/', import.meta.url);
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

describe('docstrings', () => {
  test.skipIf(!SLOW)('speak of parameters that their functions take', () => {
    const unknown = files.flatMap((file) => {
      const text = readFileSync(new URL(file, SRC), 'utf8');
      if (!text.includes('@param')) return [];
      return unknownParameters(text).map(({ name, line }) => `src/${file}:${line} @param ${name}`);
    });
    expect(unknown, 'Name the parameter as the function does; what a type holds is a @property.').toEqual([]);
  });

  test.each([
    ['a function', '/** @param size of it */\nfunction draw(width: number) {}'],
    ['a function in a variable', '/** @param size of it */\nexport const draw = (width: number) => width;'],
    ['a method of a type', 'type Pen = {\n  /** @param size of it */\n  draw(width: number): void };'],
    ['a type of functions', '/** @param size of it */\ntype Draw = (width: number) => void;'],
    ['an object', '/** @param size of it */\ntype Pen = { size: number };'],
    ['nothing', 'function draw(size: number) {\n  return size;\n  /** @param size of it */\n}'],
    ['a line with two', '/** @param width in points @param size of it */\nfunction draw(width: number) {}'],
  ])('are found where they speak of another, at %s', (_, text) => {
    expect(unknownParameters(text).map(({ name }) => name)).toEqual(['size']);
  });

  test.each([
    ['a parameter', '/** @param size of it */\nexport async function draw(size: number) {}'],
    ['a part of one', '/** @param size of it */\nexport const draw = ({ size }: Pen) => size;'],
    [
      'one of the function that is returned',
      '/** @param size of it */\nconst draw = () => (size: number) => size;',
    ],
    ['one of a constructor', 'class Pen {\n  /** @param size of it */\n  constructor(size: number) {} }'],
    [
      'a function as a property',
      'type Pen = {\n  /** @param size of it */\n  draw: (size: number) => void };',
    ],
  ])('may speak of %s', (_, text) => {
    expect(unknownParameters(text)).toEqual([]);
  });
});
