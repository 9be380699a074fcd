// Fields of a form become fields: types, labels, limits, values and options, each with a note for what cannot be carried over.
import { describe, expect, test } from 'vitest';
import type { AcroFormField, FormWidget } from '../../src/pdf/read/form/form.ts';
import { turnForm } from '../../src/placement/form-fields.ts';
import { remarksOfForm } from '../../src/placement/form-notes.ts';

const PAGES = [
  { width: 400, height: 300 },
  { width: 300, height: 400 },
];

const place = (details: Partial<FormWidget> = {}): FormWidget => ({
  page: 0,
  annotation: 0,
  box: { x: 10, y: 20, width: 100, height: 20 },
  isHidden: false,
  ...details,
});

const formField = (details: Partial<AcroFormField>): AcroFormField => ({
  name: 'a',
  kind: 'text',
  traits: [],
  values: [],
  options: [],
  widgets: [place()],
  ...details,
});

const turn = (details: Partial<AcroFormField>, mayChange = true) => {
  const { fields, emptied, notes } = turnForm([formField(details)], PAGES, { mayChange });
  return { fields, emptied, notes: notes.map(({ code }) => code), ...fields[0] };
};

describe('a text', () => {
  test('has place, label, limit and value, and is required where the form says so', () => {
    const turned = turn({
      name: 'person.city',
      tooltip: ' Your \n city ',
      traits: ['required'],
      values: ['Berlin'],
      maxLength: 30,
      fontSize: 9.4,
      fontColor: '#ff0000',
    });
    expect(turned).toMatchObject({
      type: 'text',
      page: 0,
      box: { x: 10, y: 20, width: 100, height: 20 },
      notes: [],
    });
    expect(turned.properties).toEqual({
      label: 'Your city',
      is_required: true,
      font_size: 9,
      font_color: '#ff0000',
      max_length: 30,
      value: 'Berlin',
    });
    expect(turned.emptied).toEqual([{ page: 0, annotation: 0 }]);
  });

  test('has its name as label where it has no tooltip, and is optional', () => {
    expect(turn({ name: 'person.city' }).properties).toMatchObject({
      label: 'person.city',
      is_required: false,
    });
  });

  test('has no value that is longer than its limit', () => {
    expect(turn({ values: ['Berlin'], maxLength: 5 })).toMatchObject({ notes: ['value_left'] });
    expect(turn({ values: ['Berlin'], maxLength: 5 }).properties).not.toHaveProperty('value');
  });

  test('has no control characters and halves of characters', () => {
    expect(turn({ values: ['a\u0000b\tc\ud800\u202ed'] }).properties?.value).toBe('a b\tc d');
  });

  test('with a label that is too long has the beginning of it', () => {
    const turned = turn({ tooltip: 'x'.repeat(300) });
    expect(turned.notes).toEqual(['label_cut']);
    expect(String(turned.properties?.label)).toHaveLength(255);
  });

  test.each([
    [100, undefined, 12],
    [30, undefined, 8],
    [100, 18, 18],
    [40, 18, 11],
  ])(
    'of several lines that is %d high with a font of %s has a size at which some lines fit',
    (height, fontSize, size) => {
      const widgets = [place({ box: { x: 0, y: 0, width: 100, height } })];
      const turned = turn({ traits: ['multiline'], widgets, ...(fontSize && { fontSize }) });
      expect(turned.properties?.font_size).toBe(size);
      expect(turned.notes).toEqual([]);
    },
  );

  test('of several lines that is too low is named', () => {
    expect(turn({ traits: ['multiline'] }).notes).toEqual(['single_line']);
  });

  test.each(['rich', 'comb', 'aligned', 'acting', 'calculated', 'validated', 'formatted'] as const)(
    'is named where it is %s',
    (trait) => {
      expect(turn({ traits: [trait] })).toMatchObject({ type: 'text', notes: [trait] });
    },
  );

  test('at several places is a field at each', () => {
    const turned = turn({ widgets: [place(), place({ page: 1, annotation: 3 })], values: ['x'] });
    expect(turned.fields.map(({ page, properties }) => [page, properties.value])).toEqual([
      [0, 'x'],
      [1, 'x'],
    ]);
    expect(turned.emptied).toEqual([
      { page: 0, annotation: 0 },
      { page: 1, annotation: 3 },
    ]);
    expect(turned.notes).toEqual(['several_places']);
  });
});

describe('a date', () => {
  const date = (pattern: string, ...values: string[]) => turn({ format: { kind: 'date', pattern }, values });

  test.each([
    ['m/d/yy', '2/3/49', '2049-02-03'],
    ['m/d/yy', '2/3/50', '1950-02-03'],
    ['d-mmm-yyyy', '5-Mar-2026', '2026-03-05'],
    ['d-mmmm-yyyy', '5-March-2026', '2026-03-05'],
    ['dd-mm-yyyy', '2026-12-01', '2026-12-01'],
  ])('in the format %s is read from %s', (pattern, value, iso) => {
    expect(date(pattern, value)).toMatchObject({
      type: 'date',
      notes: ['date_format'],
      properties: { value: iso },
    });
  });

  test.each([
    ['dd.mm.yyyy', '01.12.2026', { value: '2026-12-01', date_format: 'DD.MM.YYYY' }],
    ['mmmm d, yyyy', 'March 5, 2026', { value: '2026-03-05', date_format: 'MMMM D, YYYY' }],
    ['d. mmmm yyyy', '5. March 2026', { value: '2026-03-05', date_format: 'D. MMMM YYYY' }],
    ['yyyy-mm-dd', '2026-12-01', { value: '2026-12-01' }],
  ])('in the format %s is written as the form does', (pattern, value, properties) => {
    expect(date(pattern, value)).toMatchObject({ type: 'date', notes: [], properties });
  });

  test.each([
    ['dd.mm.yyyy', '31.02.2026'],
    ['dd.mm.yyyy', 'tomorrow'],
    ['mm/yy', '12/26'],
    ['dd.dd.yyyy', '01.01.2026'],
    ['((', '01.01.2026'],
    ['d-mmm-yyyy', '5-Foo-2026'],
  ])('in the format %s stays a text where its value is %s', (pattern, value) => {
    expect(date(pattern, value)).toMatchObject({ type: 'text', notes: ['formatted'], properties: { value } });
  });

  test('without a value is a date', () => {
    expect(date('dd.mm.yyyy')).toMatchObject({ type: 'date' });
  });
});

describe('a number', () => {
  test('has its limits', () => {
    const turned = turn({ format: { kind: 'number' }, range: { min: 1, max: 9 }, values: ['7'] });
    expect(turned).toMatchObject({
      type: 'number',
      notes: ['number_format'],
      properties: { min_value: 1, max_value: 9, value: '7' },
    });
  });

  test.each(['1,000', 'x', '12'])('stays a text where its value is %s', (value) => {
    const turned = turn({ format: { kind: 'number' }, range: { max: 9 }, values: [value] });
    expect(turned).toMatchObject({ type: 'text', notes: ['formatted', 'validated'], properties: { value } });
  });
});

describe('a choice', () => {
  const options = [
    { value: 'de', text: 'Germany' },
    { value: 'fr', text: 'France' },
  ];

  test('has its options and its value as a person reads them', () => {
    const turned = turn({ kind: 'choice', options, values: ['fr'] });
    expect(turned).toMatchObject({
      type: 'select',
      notes: [],
      properties: { options: ['Germany', 'France'], value: 'France' },
    });
  });

  test('that takes several options or other texts is named', () => {
    expect(turn({ kind: 'choice', options, traits: ['multiple'], values: ['de', 'fr'] })).toMatchObject({
      notes: ['one_choice'],
      properties: { value: 'Germany' },
    });
    expect(turn({ kind: 'choice', options, traits: ['editable'] }).notes).toEqual(['own_text']);
  });

  test('is a text where its value is none of its options, or it has none that can be used', () => {
    expect(turn({ kind: 'choice', options, traits: ['editable'], values: ['Malta'] })).toMatchObject({
      type: 'text',
      notes: ['options_left'],
      properties: { value: 'Malta' },
    });
    expect(turn({ kind: 'choice', options: [] })).toMatchObject({ type: 'text', notes: ['options_left'] });
    const many = Array.from({ length: 201 }, (_, index) => ({ value: `${index}`, text: `${index}` }));
    expect(turn({ kind: 'choice', options: many }).type).toBe('text');
  });

  test('has no value that is none of its options', () => {
    expect(turn({ kind: 'choice', options, values: ['Malta'] })).toMatchObject({
      type: 'select',
      notes: ['value_left'],
    });
  });

  test('has no empty options, and each once', () => {
    const doubled = [
      { value: '', text: ' ' },
      { value: '1', text: 'Same' },
      { value: '2', text: 'Same' },
      { value: '2', text: 'Same' },
    ];
    expect(turn({ kind: 'choice', options: doubled }).properties?.options).toEqual(['Same (1)', 'Same (2)']);
  });
});

describe('buttons', () => {
  test('with one state are a check box, which is ticked where it has a value', () => {
    const options = [{ value: 'Yes', text: 'Yes' }];
    expect(turn({ kind: 'checkbox', options, values: ['Yes'] })).toMatchObject({
      type: 'checkbox',
      properties: { value: true },
    });
    expect(turn({ kind: 'radio', options }).properties).toEqual({ label: 'a', is_required: false });
  });

  test('with several states are one choice, with all buttons of its page', () => {
    const options = [
      { value: 'x', text: 'X' },
      { value: 'y', text: 'Y' },
    ];
    const widgets = [
      place({ state: 'x' }),
      place({ annotation: 1, state: 'y' }),
      place({ page: 1, state: 'y' }),
    ];
    const turned = turn({ kind: 'radio', options, widgets, values: ['y'] });
    expect(turned).toMatchObject({
      type: 'radio',
      notes: ['choice_written'],
      properties: { options: ['X', 'Y'], value: 'Y' },
    });
    expect(turned.buttons?.map(({ option }) => option)).toEqual(['X', 'Y']);
    expect(turned.emptied).toHaveLength(3);
  });

  test('that only start an action are not carried over', () => {
    expect(turn({ kind: 'button' })).toMatchObject({ fields: [], emptied: [], notes: ['button'] });
  });
});

describe('a signature', () => {
  test('is required', () => {
    expect(turn({ kind: 'signature' })).toMatchObject({
      type: 'signature',
      properties: { is_required: true },
      notes: [],
    });
  });

  test('that is signed stays as it is', () => {
    expect(turn({ kind: 'signature', traits: ['signed'] })).toMatchObject({
      fields: [],
      emptied: [],
      notes: ['signed'],
    });
  });
});

describe('a form field', () => {
  test.each([
    ['password', { traits: ['password'] }],
    ['file', { traits: ['file'] }],
    ['readonly', { traits: ['readonly'], values: ['x'] }],
    ['hidden', { widgets: [place({ isHidden: true })] }],
    ['off_page', { widgets: [place({ box: { x: 500, y: 0, width: 10, height: 10 } })] }],
    ['no_place', { widgets: [] }],
    ['unknown', { kind: 'unknown' }],
  ] as [string, Partial<AcroFormField>][])(
    'is not carried over, and stays, where its reason is %s',
    (code, details) => {
      expect(turn(details)).toMatchObject({ fields: [], emptied: [], notes: [code] });
    },
  );

  test('is cut at the edge of its page', () => {
    const widgets = [place({ box: { x: -10, y: 290, width: 50, height: 20 } })];
    expect(turn({ widgets }).box).toEqual({ x: 0, y: 290, width: 40, height: 10 });
  });

  test('of a document that cannot be changed is carried over where it has no value', () => {
    expect(turn({ values: ['x'] }, false)).toMatchObject({ fields: [], emptied: [], notes: ['value_stays'] });
    expect(turn({}, false)).toMatchObject({ type: 'text', emptied: [], notes: [] });
  });
});

describe('remarks', () => {
  test('are one for each reason, with names', () => {
    const notes = ['a', 'b', 'c', 'd', 'e', 'f', 'a'].map((name) => ({
      code: 'button' as const,
      name,
      page: 1,
    }));
    expect(remarksOfForm([...notes, { code: 'comb', name: 'g', page: 2 }])).toEqual([
      {
        code: 'button',
        page: 1,
        isOmitted: true,
        message:
          'Not carried over from the form: "a", "b", "c", "d", "e" and 1 more. A button only starts an action, and stays as it looks.',
      },
      {
        code: 'comb',
        page: 2,
        isOmitted: false,
        message: 'Different from the form: "g". The characters are not in cells.',
      },
    ]);
  });
});
