// A list of fields in JSON: positions or words, with the names and the units of the contract.
import { describe, expect, test } from 'vitest';
import { readFieldList } from '../../../src/cli/input/field-file.ts';

const read = (...fields: unknown[]) => readFieldList(fields, 'fields.json', 'fields.json');
const PLACE = { page: 1, positionX: 72, positionY: 650.5, width: 90, height: 20 };

describe('a field with a position', () => {
  test('counts pages and documents as the contract does', () => {
    expect(read({ type: 'text', ...PLACE, recipient: 2, document: 0, label: 'City' })).toEqual([
      {
        type: 'text',
        page: 1,
        x: { points: 72 },
        y: { points: 650.5 },
        width: { points: 90 },
        height: { points: 20 },
        recipient: '2',
        document: 1,
        properties: { label: 'City' },
        source: 'fields.json[0]',
      },
    ]);
  });

  test.each(Object.keys(PLACE))('needs %s', (property) => {
    const { [property as keyof typeof PLACE]: _, ...others } = PLACE;
    expect(() => read({ type: 'text', ...PLACE }, { type: 'text', ...others })).toThrow(
      `${property} of fields.json[1] is missing`,
    );
  });
});

describe('a field at words', () => {
  test('needs the words alone', () => {
    expect(read({ type: 'signature', anchor: { text: ' For the Customer ' } })).toMatchObject([
      {
        anchor: { text: 'For the Customer', at: 'over', offset: { x: { points: 0 }, y: { points: 0 } } },
        properties: {},
      },
    ]);
  });

  test('has everything that a SPEC has', () => {
    const anchor = {
      text: 'Signed?',
      at: 'below',
      offset: { x: 5, y: -3 },
      match: 'last',
      page: 0,
      case: true,
      word: true,
      regex: true,
      if_present: true,
    };
    expect(read({ type: 'date', anchor, width: 90, height: 20, recipient: 'ada@example.com' })).toEqual([
      {
        type: 'date',
        anchor: {
          text: 'Signed?',
          at: 'below',
          offset: { x: { points: 5 }, y: { points: -3 } },
          size: { width: { points: 90 }, height: { points: 20 } },
          match: 'last',
          page: 0,
          isCaseSensitive: true,
          isWholeWord: true,
          isRegex: true,
          mayBeMissing: true,
        },
        recipient: 'ada@example.com',
        document: undefined,
        properties: {},
        source: 'fields.json[0]',
      },
    ]);
    expect(read({ type: 'date', anchor: { text: 'a', offset: { y: 4 } } })).toMatchObject([
      { anchor: { offset: { x: { points: 0 }, y: { points: 4 } } } },
    ]);
  });

  test.each([
    [{ anchor: { text: 'a' }, page: 0 }, 'has an anchor'],
    [{ anchor: { text: 'a' }, positionX: 3 }, 'has an anchor'],
    [{ anchor: { text: 'a' }, width: 3 }, 'width and height together'],
    [{ anchor: { text: ' ' } }, 'anchor.text of field 1 must not be empty'],
    [{ anchor: {} }, 'anchor.text of field 1'],
    [{ anchor: 'a' }, 'anchor of field 1'],
    [{ anchor: { text: 'a', at: 'beside' } }, 'must be one of over, above, below, left, right'],
    [{ anchor: { text: 'a', match: 0 } }, 'anchor.match of field 1 must be at least 1'],
    [{ anchor: { text: 'a', match: '2' } }, 'must be a number from 1, "last" or "all"'],
    [{ anchor: { text: 'a', page: -1 } }, 'anchor.page of field 1 must be 0 or more'],
    [{ anchor: { text: 'a', offset: 3 } }, 'anchor.offset of field 1 must be an object'],
    [{ anchor: { text: 'a', page: 'first' } }, 'must be a page from 0, or "last"'],
    [{ anchor: { text: 'a', wrod: true } }, 'wrod'],
  ])('is refused where it makes no sense: %j', (field, problem) => {
    expect(() => read({ type: 'text', ...field })).toThrow(problem);
  });
});
