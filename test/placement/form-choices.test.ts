// The chosen option of buttons is written beside them where the page is empty, and options that are only numbered have the words after their buttons.
import { describe, expect, test } from 'vitest';
import type { Box } from '../../src/pdf/geometry.ts';
import { placeChoices } from '../../src/placement/form-choices.ts';
import type { TurnedField } from '../../src/placement/form-fields.ts';

const PAGE = { width: 400, height: 300 };
const button = (x: number, y: number): Box => ({ x, y, width: 10, height: 10 });
const word = (text: string, x: number, y: number, width = 6 * text.length) => ({
  ...{ text, x, y: y - 2, width, height: 14 },
  page: 0,
});

const choice = (buttons: readonly Box[], options: readonly string[], value?: string): TurnedField => ({
  name: 'period',
  type: 'radio',
  page: 0,
  box: buttons[0]!,
  properties: { options: [...options], ...(value !== undefined && { value }) },
  buttons: buttons.map((box, index) => ({ box, option: options[index] })),
});

const ROW = [button(50, 100), button(150, 100)];

function placed(field: TurnedField, words: Parameters<typeof placeChoices>[1], others: TurnedField[] = []) {
  return placeChoices([field, ...others], words, [PAGE])[0]!;
}

describe('a choice', () => {
  test('is written after the last button of a row', () => {
    const { box } = placed(choice(ROW, ['Yes', 'No']), []);
    expect(box).toMatchObject({ x: 164, y: 98, height: 14 });
  });

  test('is written after the words that follow the buttons', () => {
    const words = [word('Yes', 64, 100), word('No', 164, 100)];
    const { box } = placed(choice(ROW, ['Yes', 'No']), words);
    expect(box.x).toBeGreaterThan(176);
    expect(box.y).toBe(98);
  });

  test('is written below where the line has no room', () => {
    const words = [word('Yes', 64, 100, 80), word('No', 164, 100, 230)];
    const { box } = placed(choice(ROW, ['Yes', 'No']), words);
    expect(box).toMatchObject({ x: 50, y: 114 });
  });

  test('is not written over another field', () => {
    const other: TurnedField = {
      ...{ name: 'b', type: 'text', page: 0, properties: {} },
      box: { x: 162, y: 90, width: 60, height: 30 },
    };
    expect(placed(choice(ROW, ['Yes', 'No']), [], [other]).box.x).toBeGreaterThanOrEqual(222);
  });

  test('is written over its first button where the page is full, and never off the page', () => {
    const full = [{ page: 0, text: 'x', x: 0, y: 0, ...PAGE }];
    expect(placed(choice([button(380, 290)], ['Yes']), full).box).toMatchObject({ x: 360, y: 286 });
    expect(placed(choice(ROW, ['Yes', 'No']), full).box).toMatchObject({ x: 50, y: 100 });
  });

  test('and another one do not lie on each other', () => {
    const second = choice([button(50, 110), button(150, 110)], ['Yes', 'No']);
    const [first, other] = placeChoices([choice(ROW, ['Yes', 'No']), second], [], [PAGE]);
    expect(
      first!.box.y + first!.box.height <= other!.box.y || first!.box.x + first!.box.width <= other!.box.x,
    ).toBe(true);
  });
});

describe('options', () => {
  const words = [word('Each', 64, 100), word('year,', 92, 100), word('Monthly', 164, 100)];
  const optionsOf = (field: TurnedField) => field.properties.options;

  test('that are numbered have the words after their buttons, and so has the value', () => {
    const { properties } = placed(choice(ROW, ['1', '2'], '2'), words);
    expect(properties).toMatchObject({ options: ['Each year', 'Monthly'], value: 'Monthly' });
    expect(optionsOf(placed(choice(ROW, ['Choice1', 'Choice2']), words))).toEqual(['Each year', 'Monthly']);
  });

  test('that have names keep them', () => {
    expect(optionsOf(placed(choice(ROW, ['yearly', '2']), words))).toEqual(['yearly', '2']);
  });

  test.each([
    ['there are no words', []],
    ['the words are on another line', [word('Yearly', 64, 130), word('Monthly', 164, 130)]],
    ['the words are far away', [word('Yearly', 110, 100), word('Monthly', 164, 100)]],
    ['the words are the same', [word('Yes', 64, 100), word('Yes', 164, 100)]],
    ['one has none', [word('Yearly', 64, 100)]],
  ])('keep their numbers where %s', (_, others) => {
    expect(optionsOf(placed(choice(ROW, ['1', '2']), others))).toEqual(['1', '2']);
  });

  test('have the words up to the next button', () => {
    const near = [button(50, 100), button(84, 100)];
    const row = [word('Yes', 64, 100), word('No', 96, 100)];
    expect(optionsOf(placed(choice(near, ['1', '2']), row))).toEqual(['Yes', 'No']);
  });
});
