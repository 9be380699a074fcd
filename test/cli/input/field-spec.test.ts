import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { describeTree } from '../../../src/cli/describe/describe.ts';
import { TOPICS } from '../../../src/cli/describe/topics.ts';
import { parseFieldSpec } from '../../../src/cli/input/field-spec.ts';
import { TREE } from '../../../src/cli/tree.ts';
import { inPoints, parseLength } from '../../../src/placement/length.ts';

describe('a length', () => {
  test.each([
    ['72', 72],
    ['72pt', 72],
    ['1in', 72],
    ['2.54cm', 72],
    ['25.4mm', 72],
    ['96px', 72],
    ['50%', 100],
    ['.5in', 36],
    ['-3', -3],
  ])('%s is %d points on a side of 200', (text, points) => {
    const length = parseLength(text);
    expect(length && inPoints(length, 200)).toBe(points);
  });

  test.each(['', 'x', '1e3', '1 pt', '0x10', '10em', '--1', 'NaN'])('%j is none', (text) => {
    expect(parseLength(text)).toBeUndefined();
  });
});

describe('the SPEC of a field', () => {
  test('reads the examples of the help', () => {
    expect(parseFieldSpec('signature@1:72pt,650pt,200x50=ada@example.com')).toMatchObject({
      type: 'signature',
      page: 0,
      x: { points: 72 },
      y: { points: 650 },
      width: { points: 200 },
      height: { points: 50 },
      recipient: 'ada@example.com',
      properties: {},
    });
    expect(parseFieldSpec('text@last:10%,80%,30%x4%,label=City')).toMatchObject({
      page: 'last',
      width: { percent: 30 },
      recipient: undefined,
      properties: { label: 'City' },
    });
  });

  test('pixels keep their x', () => {
    expect(parseFieldSpec('text@2:96px,96px,192pxx96px=1')).toMatchObject({
      x: { points: 72 },
      width: { points: 144 },
      height: { points: 72 },
      recipient: '1',
    });
  });

  test.each([
    'number@1:1,1,9x9=2,label=a=b,optional,bold,min=-1.5,max=10,minlength=1,maxlength=5,regex=^x,options=A,B,size=9,color=#112233,document=2',
    'number@1:1,1,9x9=2;label=a=b;optional;bold;min=-1.5;max=10;minlength=1;maxlength=5;regex=^x;options=A|B;size=9;color=#112233;document=2',
    'number@1:1,1,9x9=2,label=a=b;optional,bold;min=-1.5,max=10;minlength=1;maxlength=5;regex=^x;options=A|B,size=9;color=#112233,document=2',
  ])('reads everything that can follow: %s', (spec) => {
    const { document, properties, recipient } = parseFieldSpec(spec);
    expect(recipient).toBe('2');
    expect(document).toBe(2);
    expect(properties).toEqual({
      label: 'a=b',
      is_required: false,
      bold: true,
      min_value: -1.5,
      max_value: 10,
      min_length: 1,
      max_length: 5,
      regex: '^x',
      options: ['A', 'B'],
      font_size: 9,
      font_color: '#112233',
    });
  });

  test.each([
    ['label=City, Country', { label: 'City, Country' }],
    ['label=Bold, and more,bold', { label: 'Bold, and more', bold: true }],
    ['regex=^[a-z]{1,3},?$', { regex: '^[a-z]{1,3},?$' }],
    ['regex=^(?:a,b|c)$,optional', { regex: '^(?:a,b|c)$', is_required: false }],
    ['options=Red,Gold,Blue', { options: ['Red', 'Gold', 'Blue'] }],
    ['options=Red, dark|Blue', { options: ['Red, dark', 'Blue'] }],
    ['help=a,label=b', { helper_text: 'a', label: 'b' }],
    ['optional,', { is_required: false }],
  ])('a comma ends a value where another property follows: %s', (rest, properties) => {
    expect(parseFieldSpec(`text@1:1,1,2x2,${rest}`).properties).toEqual(properties);
    expect(parseFieldSpec(`text@1:1,1,2x2;${rest}`).properties).toEqual(properties);
  });

  test.each([
    ['label=City,optinal', 'optional'],
    ['label=City,requierd', 'required'],
    ['label=City,maxlenght=5', 'maxlength'],
    ['optional,lable=City', 'label'],
  ])('names the property that %s may mean', (rest, meant) => {
    expect(() => parseFieldSpec(`text@1:1,1,2x2,${rest}`)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('unknown property'),
        facts: expect.objectContaining({ hint: expect.stringContaining(`"${meant}"`) }),
      }),
    );
  });

  test.each([
    'signature',
    'signature@1',
    'signature@0:1,1,2x2',
    'signature@-1:1,1,2x2',
    'signature@1:1,2x2',
    'signature@1:1,1,2',
    'signature@1:a,1,2x2',
    'signature@1:1,1,2x2;colour=red',
    'signature@1:1,1,2x2,colour=red',
    'signature@1:1,1,2x2,nothing',
    'signature@1:1,1,2x2,3',
    'signature@1:1,1,2x2;size=large',
    'signature@1:1,1,2x2;constructor',
    '@1:1,1,2x2',
  ])('%s is refused, by name', (source) => {
    expect(() => parseFieldSpec(source)).toThrow(source);
  });
});

test('every SPEC that help, README and docs show can be read, and no shell reads anything into it', async () => {
  const commands = await describeTree(TREE);
  const pages = [
    ...TOPICS.map(({ text }) => text(TREE)),
    ...commands.flatMap(({ details = '', examples }) => [details, ...examples.map(({ line }) => line)]),
    ...['README.md', 'docs/commands.md'].map((path) =>
      readFile(new URL(`../../../${path}`, import.meta.url), 'utf8'),
    ),
  ];
  const specs = (await Promise.all(pages)).flatMap(
    (text) => text.match(/\b[a-z_]+@(?:\d+|last):[^\s"'`]+/g) ?? [],
  );
  expect(specs.length).toBeGreaterThan(5);
  for (const spec of specs) {
    expect(spec).toMatch(/^[\w@:.,=%+-]+$/);
    expect(parseFieldSpec(spec).source).toBe(spec);
  }
});
