import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { CliError } from '../../../src/cli/command/errors.ts';
import { describeTree } from '../../../src/cli/describe/describe.ts';
import { TOPICS } from '../../../src/cli/describe/topics.ts';
import { isAnchored, parseFieldSpec, unknownType } from '../../../src/cli/input/field-spec.ts';
import { withRecipient } from '../../../src/cli/input/meant-field.ts';
import { TREE } from '../../../src/cli/tree.ts';
import { inPoints, parseLength } from '../../../src/placement/sizes.ts';

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
    ['format=MMMM D, YYYY', { date_format: 'MMMM D, YYYY' }],
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

describe('the SPEC of a field at words', () => {
  const anchorOf = (spec: string) => {
    const field = parseFieldSpec(spec);
    if (!isAnchored(field)) throw new Error(`"${spec}" has no words.`);
    return field.anchor;
  };
  const NO_OFFSET = { x: { points: 0 }, y: { points: 0 } };

  test('needs the words alone', () => {
    expect(parseFieldSpec('signature@"For the Customer"')).toEqual({
      type: 'signature',
      anchor: {
        text: 'For the Customer',
        at: 'over',
        offset: NO_OFFSET,
        match: undefined,
        page: undefined,
      },
      recipient: undefined,
      document: undefined,
      properties: {},
      source: 'signature@"For the Customer"',
    });
  });

  test('has an offset, a size, a recipient and properties', () => {
    expect(
      parseFieldSpec(
        'date@"Place, date":10,-4mm,25%x20px=ada@example.com,at=above,match=2,page=3,case,word,if_present,label=Date,optional,document=2',
      ),
    ).toMatchObject({
      type: 'date',
      anchor: {
        text: 'Place, date',
        at: 'above',
        offset: { x: { points: 10 }, y: { points: expect.closeTo(-11.34, 2) } },
        size: { width: { percent: 25 }, height: { points: 15 } },
        match: 2,
        page: 2,
        isCaseSensitive: true,
        isWholeWord: true,
        mayBeMissing: true,
      },
      recipient: 'ada@example.com',
      document: 2,
      properties: { label: 'Date', is_required: false },
    });
  });

  test.each([
    [`text@"a"`, 'a'],
    [`text@'a'`, 'a'],
    [`text@'a "b" c'`, 'a "b" c'],
    [`text@"it's"`, "it's"],
    [String.raw`text@"a \"b\" c"`, 'a "b" c'],
    [String.raw`text@'it\'s'`, "it's"],
    [String.raw`text@"a\\"`, 'a\\'],
    [String.raw`text@"\d+\\d\""`, '\\d+\\d"'],
    [String.raw`text@"it\'s"`, String.raw`it\'s`],
    ['text@"Name:1,2,3x4=5,at=left;word"', 'Name:1,2,3x4=5,at=left;word'],
    ['text@"96px wide"', '96px wide'],
    ['text@"Zürich, 3. März 2026"', 'Zürich, 3. März 2026'],
  ])('%s has the words %j', (spec, text) => {
    expect(anchorOf(spec)).toMatchObject({ text, offset: NO_OFFSET });
  });

  test('pixels keep their x, everywhere', () => {
    expect(parseFieldSpec('text@"px"=px@example.com:1,label=px')).toMatchObject({
      anchor: { text: 'px' },
      recipient: 'px@example.com:1',
      properties: { label: 'px' },
    });
    expect(anchorOf('text@"px":96px,-96px,192pxx96px')).toEqual({
      text: 'px',
      at: 'over',
      offset: { x: { points: 72 }, y: { points: -72 } },
      size: { width: { points: 144 }, height: { points: 72 } },
      match: undefined,
      page: undefined,
    });
  });

  test.each(['last', 'all'] as const)('match=%s', (match) => {
    expect(anchorOf(`text@"a",match=${match}`)).toMatchObject({ match });
    expect(anchorOf(`text@"a";match=${match};at=left`)).toMatchObject({ match, at: 'left' });
  });

  test('page=last, and regex without a value', () => {
    expect(anchorOf('text@"a",page=last,regex')).toMatchObject({ page: 'last', isRegex: true });
    const field = parseFieldSpec('text@"a+",regex,regex=^[a-z]{1,3}$,match=1');
    expect(field).toMatchObject({
      anchor: { isRegex: true, match: 1 },
      properties: { regex: '^[a-z]{1,3}$' },
    });
  });

  test.each([
    ['maxlength=5', { max_length: 5 }],
    ['max=5', { max_value: 5 }],
    ['label=2x4', { label: '2x4' }],
    ['help=a x b=c', { helper_text: 'a x b=c' }],
  ])('a property that follows an offset is no size: %s', (property, properties) => {
    const field = parseFieldSpec(`text@"a":1,2,${property}`);
    expect(field).toMatchObject({ anchor: { offset: { x: { points: 1 }, y: { points: 2 } } }, properties });
    expect(field).not.toHaveProperty('anchor.size');
    expect(field.recipient).toBeUndefined();
  });

  test.each([
    ['text@"a', 'is not of the form'],
    ['text@"a\'', 'is not of the form'],
    ['text@""', 'is not of the form'],
    ['text@"  "', 'is not of the form'],
    [String.raw`text@"a\"`, 'is not of the form'],
    ['text@"a"b', 'is not of the form'],
    ['text@"a":1', 'is not of the form'],
    ['text@"a":1,2,3', 'unknown property'],
    ['text@"a":x,2', 'has "x" as DX'],
    ['text@"a":1,2y', 'has "2y" as DY'],
    ['text@"a":1,2,3zx4', 'has "3z" as width'],
    ['text@"a":1,2,3x4z', 'has "4z" as height'],
    ['text@"a",at=beside', 'has at=beside. Use one of over, above, below, left, right'],
    ['text@"a",match=0', 'has match=0'],
    ['text@"a",match=first', 'has match=first'],
    ['text@"a",match=1.5', 'has match=1.5'],
    ['text@"a",page=0', 'has page=0'],
    ['text@"a",page=first', 'has page=first'],
    ['text@"a",words', 'unknown property "words"'],
    ['text@“a”', 'is not of the form'],
    ['text@a', 'is not of the form'],
    ['text@1:1,1,2x2,at=below', 'no words in quotation marks'],
    ['text@1:1,1,2x2,word', 'no words in quotation marks'],
  ])('%s is refused: %s', (spec, problem) => {
    expect(() => parseFieldSpec(spec)).toThrow(problem);
  });

  test.each([
    ['macth=all', 'match'],
    ['label=City,macth=all', 'match'],
    ['if_presnt', 'if_present'],
  ])('names the property that %s may mean', (property, meant) => {
    expect(() => parseFieldSpec(`text@"a",${property}`)).toThrow(
      expect.objectContaining({
        facts: expect.objectContaining({ hint: expect.stringContaining(`"${meant}"`) }),
      }),
    );
  });
});

describe('the hint', () => {
  const hintOf = (spec: string): string => {
    try {
      parseFieldSpec(spec);
    } catch (error) {
      return (error as CliError).facts.hint ?? '';
    }
    throw new Error(`${spec} is read.`);
  };
  /** Each SPEC that a hint suggests, as a shell passes it on. */
  const suggested = (hint: string): string[] =>
    [...hint.matchAll(/`('?)([^`]*@[^`]*?)\1`/g)].map(([, , spec = '']) => spec.replaceAll(`'\\''`, "'"));

  test.each([
    [
      'signature@"For the Customer",at=below,to=ada@example.com',
      'signature@"For the Customer"=ada@example.com,at=below',
    ],
    ['signature@"For the Customer",to=ada@example.com', 'signature@"For the Customer"=ada@example.com'],
    ['signature@"For the Customer",to=Ada <ada@example.com>', 'signature@"For the Customer"=ada@example.com'],
    ['signature@"For the Customer",recipient=2,at=below', 'signature@"For the Customer"=2,at=below'],
    ['signature@"For the Customer",ada@example.com', 'signature@"For the Customer"=ada@example.com'],
    ['signature@"For the Customer":ada@example.com', 'signature@"For the Customer"=ada@example.com'],
    ['signature@"For the Customer",at=below=2', 'signature@"For the Customer"=2,at=below'],
    [
      'signature@"For the Customer",at=below;page=2=ada@example.com',
      'signature@"For the Customer"=ada@example.com,at=below;page=2',
    ],
    ['signature@"For the Customer":below', 'signature@"For the Customer",at=below'],
    ['signature@"For the Customer":below=2', undefined],
    ['signature@"For the Customer",below', 'signature@"For the Customer",at=below'],
    ['signature@"For the Customer",at=under', 'signature@"For the Customer",at=below'],
    ['signature@"For the Customer",at=belwo', 'signature@"For the Customer",at=below'],
    ['signature@"For the Customer"=2,under', 'signature@"For the Customer"=2,at=below'],
    ['signature@For the Customer', 'signature@"For the Customer"'],
    [
      'signature@For the Customer=ada@example.com,at=below',
      'signature@"For the Customer"=ada@example.com,at=below',
    ],
    ['signature@Customer', 'signature@"Customer"'],
    ['signature@“For the Customer”,at=below', 'signature@"For the Customer",at=below'],
    ['text@"it\'s",at=under', 'text@"it\'s",at=below'],
    ['sig@1:10,10', 'signature@1:10,10,180x48'],
    ['signature@1:10,10', 'signature@1:10,10,180x48'],
    ['signature@1:10,10=2,label=Here', 'signature@1:10,10,180x48=2,label=Here'],
    ['signature@1:10,10,180x48,to=2', 'signature@1:10,10,180x48=2'],
    ['signature@1:10,10,180x48,page=2=1', undefined],
    ['signature@1:10,10,180x48=2,to=3', undefined],
    ['signature@"a",label=to=ada@example.com,optinal', undefined],
  ])('of %s suggests %s', (spec, meant) => {
    expect(() => parseFieldSpec(spec)).toThrow();
    const specs = suggested(hintOf(spec));
    if (meant !== undefined) expect(specs).toEqual([meant]);
    // An example may stand in its place.
    for (const each of specs) expect(parseFieldSpec(each).source).toBe(each);
  });

  test.each([
    'signature@"For the Customer"x',
    'signature@',
    'text@"a",at=3',
    'text@1:a,1,2x2',
    'text@"a",size=x',
    'text@"a',
  ])('of %s has an example of the same form', (spec) => {
    const specs = suggested(hintOf(spec));
    expect(specs).toHaveLength(1);
    for (const each of specs) expect(isAnchored(parseFieldSpec(each))).toBe(spec.includes('"'));
  });

  test('names the unknown type together with what else is missing', () => {
    expect(() => parseFieldSpec('sig@1:10,10')).toThrow('has the unknown type "sig", and is not of the form');
  });

  test.each([
    ['sig', 'signature'],
    ['name', 'person_name'],
    ['tekst', 'text'],
    ['stamp', undefined],
    ['constructor', undefined],
  ])('of the type %s suggests %s', (type, meant) => {
    const { hint = '' } = unknownType(parseFieldSpec(`${type}@1:1,1,9x9`)).facts;
    expect(/Did you mean "(\w+)"/.exec(hint)?.[1]).toBe(meant);
  });

  test.each([
    'signature@"For the Customer"',
    'signature@"For the Customer":1,2,3x4,at=below',
    'text@1:1,2,3x4;label=a',
  ])('of %s without a recipient can be read with one', (spec) => {
    const text = withRecipient(spec, 'ada@example.com');
    const { source: _, ...field } = parseFieldSpec(spec);
    expect(parseFieldSpec(text ?? '')).toMatchObject({ ...field, recipient: 'ada@example.com' });
  });
});

test('every SPEC that help, README and docs show can be read, and no shell reads anything into it', async () => {
  const commands = await describeTree(TREE);
  const pages = [
    ...TOPICS.map(({ markdown }) => markdown),
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
