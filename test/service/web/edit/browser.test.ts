// The parts of the editor's script that compute: boxes inside their page, lines to which a field jumps, two people's changes merged,
// and steps that can be undone.
import { describe, expect, test } from 'vitest';
import {
  aligned,
  copiesOnAllPages,
  insidePage,
  moved,
  newField,
  resized,
  snap,
  targetsOf,
} from '../../../../src/service/web/edit/browser/boxes.ts';
import {
  type EditedDraft,
  type EditedField,
  mergeFields,
} from '../../../../src/service/web/edit/browser/draft.ts';
import { createEditor } from '../../../../src/service/web/edit/browser/editor.ts';
import { openSuggestions, suggestedField } from '../../../../src/service/web/edit/browser/offers.ts';
import type { SuggestedBox } from '../../../../src/service/web/edit/browser/requests.ts';

const PAGE = { id: 'a', width: 600, height: 800 };
const draft: EditedDraft = {
  path: '/transactions/t/edit',
  token: { name: 'form_token', value: 'x' },
  revision: 'r',
  parties: 'p',
  fields: [],
  recipients: [
    { id: 'sender', name: 'Sam', role: 'sender', color: '#000' },
    { id: 'ada', name: 'Ada', role: 'signer', color: '#111' },
  ],
  documents: [{ id: 'lease', name: 'lease.pdf', pages: ['a', 'b', 'c'].map((id) => ({ ...PAGE, id })) }],
  types: [{ type: 'signature', name: 'Signature', width: 180, height: 48 }],
  dateLanguages: [
    ['en', 'English'],
    ['de', 'Deutsch'],
  ],
  today: 'today',
  dateFormats: ['YYYY-MM-DD', 'DD.MM.YYYY'],
};

const fieldAt = (id: string, more: Partial<EditedField> = {}): EditedField => ({
  ...newField(draft, {
    type: 'signature',
    recipient_id: 'ada',
    document_id: 'lease',
    page: 0,
    x: 100,
    y: 200,
  }),
  id,
  ...more,
});

describe('boxes', () => {
  test('stay inside the page, however far they are moved', () => {
    expect(moved(draft, fieldAt('1'), -500, 5000)).toMatchObject({ positionX: 0, positionY: 752 });
  });

  test('are at most as large as the page, and never too small to take hold of', () => {
    expect(insidePage(fieldAt('1', { width: 9999, height: 1 }), PAGE)).toMatchObject({
      width: 600,
      height: 8,
    });
  });

  test.each([
    [
      { left: false, top: false },
      { positionX: 100, positionY: 200, width: 190, height: 53 },
    ],
    [
      { left: true, top: true },
      { positionX: 110, positionY: 205, width: 170, height: 43 },
    ],
    [
      { left: true, top: false },
      { positionX: 110, positionY: 200, width: 170, height: 53 },
    ],
  ])('keep the corner opposite of the one that is pulled: %o', (corner, expected) => {
    expect(resized(draft, fieldAt('1'), corner, 10, 5)).toMatchObject(expected);
  });

  test('do not turn over when a corner is pulled past the other', () => {
    const { width, positionX } = resized(draft, fieldAt('1'), { left: true, top: false }, 900, 0);
    expect([positionX, width]).toEqual([272, 8]);
  });

  test('have their centers on one line, across and down', () => {
    const fields = [
      fieldAt('a', { positionY: 100, height: 40 }),
      fieldAt('b', { positionY: 180, height: 20 }),
    ];
    const next = aligned(draft, fields, 'middle');
    expect(fields.map(({ id }) => next.get(id)?.positionY)).toEqual([130, 140]);
  });

  test('are aligned with the outermost', () => {
    const fields = [fieldAt('1'), fieldAt('2', { positionX: 300, width: 100 })];
    const xs = (how: 'left' | 'right' | 'center') =>
      fields.map(({ id }) => aligned(draft, fields, how).get(id)?.positionX);
    expect(xs('left')).toEqual([100, 100]);
    expect(xs('right')).toEqual([220, 300]);
    expect(xs('center')).toEqual([160, 200]);
  });

  test('are copied to the other pages once', () => {
    const field = fieldAt('1', { page: 1 });
    const copies = copiesOnAllPages(draft, field, [field]);
    expect(copies.map(({ page }) => page)).toEqual([0, 2]);
    expect(new Set(copies.map(({ id }) => id)).size).toBe(2);
    expect(copiesOnAllPages(draft, field, [field, ...copies])).toEqual([]);
  });
});

describe('a field jumps', () => {
  const targets = targetsOf(
    [fieldAt('2', { positionX: 300 })],
    [{ x: 50, y: 500, width: 90, height: 10 }],
    PAGE,
  );

  test('onto the line of a text that is near', () => {
    const box = fieldAt('1', { positionX: 52, positionY: 458 });
    expect(snap(box, targets, 5)).toEqual({ dx: -2, dy: 2, across: 50, down: 508 });
  });

  test('to the edge of another field', () => {
    expect(snap(fieldAt('1', { positionX: 297, positionY: 650 }), targets, 5)).toEqual({
      dx: 3,
      dy: 0,
      across: 300,
    });
  });

  test('nowhere where nothing is near', () => {
    expect(snap(fieldAt('1', { positionX: 20, positionY: 650 }), targets, 5)).toEqual({ dx: 0, dy: 0 });
  });
});

describe('changes of two people', () => {
  const [one, two, three] = [fieldAt('1'), fieldAt('2'), fieldAt('3')];
  const base = [one, two, three];
  const changed = (field: EditedField, label: string): EditedField => ({ ...field, label });

  test('to different fields are both kept', () => {
    const { fields, lost } = mergeFields(
      base,
      [changed(one, 'mine'), two, fieldAt('4')],
      [one, changed(two, 'theirs'), three, fieldAt('5')],
    );
    expect(fields.map(({ id, label }) => [id, label])).toEqual([
      ['1', 'mine'],
      ['2', 'theirs'],
      ['5', 'signature'],
      ['4', 'signature'],
    ]);
    expect(lost).toEqual([]);
  });

  test('to one field leave what the other person saved, and tell what was replaced', () => {
    const mine = changed(one, 'mine');
    const { fields, lost } = mergeFields(base, [mine, two, three], [changed(one, 'theirs'), two, three]);
    expect(fields[0]?.label).toBe('theirs');
    expect(lost).toEqual([mine]);
  });

  test('remove a field that the other person has not changed', () => {
    expect(mergeFields(base, base, [one, two]).fields).toEqual([one, two]);
  });

  test('keep for putting back what one has changed and the other has removed', () => {
    const mine = changed(three, 'mine');
    const { fields, lost } = mergeFields(base, [one, two, mine], [one, two]);
    expect(fields).toEqual([one, two]);
    expect(lost).toEqual([mine]);
  });
});

describe('the steps of an editor', () => {
  const open = () => createEditor({ ...draft, fields: [fieldAt('1'), fieldAt('2')] });
  const labels = (editor: ReturnType<typeof open>) => editor.fields().map(({ label }) => label);
  const relabel = (label: string) => (field: EditedField) => ({ ...field, label });

  test('are undone and done again', () => {
    const editor = open();
    editor.select(['2']);
    editor.changeSelected(relabel('b'));
    editor.change(editor.fields().slice(1));
    editor.undo();
    editor.undo();
    expect(labels(editor)).toEqual(['signature', 'signature']);
    editor.redo();
    expect(labels(editor)).toEqual(['signature', 'b']);
    editor.redo();
    expect(labels(editor)).toEqual(['b']);
    expect([editor.canUndo(), editor.canRedo()]).toEqual([true, false]);
  });

  test('of one series are undone together, until something else is selected', () => {
    const editor = open();
    editor.select(['1']);
    for (const label of ['a', 'ab', 'abc']) editor.changeSelected(relabel(label), 'typing');
    editor.select(['2']);
    editor.changeSelected(relabel('d'), 'typing');
    editor.undo();
    expect(labels(editor)).toEqual(['abc', 'signature']);
    editor.undo();
    expect(labels(editor)).toEqual(['signature', 'signature']);
  });

  test('keep what another person has changed when they are undone', () => {
    const editor = open();
    const base = editor.fields();
    editor.select(['1']);
    editor.changeSelected(relabel('mine'));
    const theirs = [base[0] as EditedField, relabel('theirs')(base[1] as EditedField)];
    editor.rebase((fields) => mergeFields(base, fields, theirs).fields);
    expect(labels(editor)).toEqual(['mine', 'theirs']);
    editor.undo();
    expect(labels(editor)).toEqual(['signature', 'theirs']);
  });

  test('drop the selection of fields that are gone', () => {
    const editor = open();
    editor.select(['1', '2']);
    editor.change(editor.fields().slice(1));
    expect(editor.selected().map(({ id }) => id)).toEqual(['2']);
  });
});

describe('suggestions', () => {
  const people = {
    ...draft,
    recipients: [...draft.recipients, { id: 'bob', name: 'Bob', role: 'signer', color: '#222' }],
  };
  const boxAt = (more: Partial<SuggestedBox> = {}): SuggestedBox => ({
    ...{ from: 'line', type: 'signature', page: 0, x: 100, y: 200, width: 200, height: 40 },
    ...{ properties: {}, signer: 0, is_guessed: false, ...more },
  });
  const suggest = (more: Partial<SuggestedBox> = {}) =>
    suggestedField(people, people.documents[0]!, boxAt(more), 'sender');

  test('become fields of the signers in their order, and of the chosen recipient beyond them', () => {
    expect([0, 1, 2].map((signer) => suggest({ signer }).field.recipient_id)).toEqual([
      'ada',
      'bob',
      'sender',
    ]);
    expect(suggest().field).toMatchObject({
      positionX: 100,
      positionY: 200,
      width: 200,
      height: 40,
      label: 'signature',
    });
  });

  test('set the properties that a document can tell, and no others', () => {
    const properties = {
      label: 'City',
      is_required: false,
      max_length: 20,
      id: 'x',
      recipient_id: 'eve',
      readonly: true,
    };
    const { field } = suggest({ type: 'text', properties });
    expect(field).toMatchObject({
      label: 'City',
      is_required: false,
      max_length: 20,
      recipient_id: 'ada',
      readonly: false,
    });
    expect(field.id).not.toBe('x');
  });

  test('are offered until a field stands in their place', () => {
    const one = suggest();
    const open = (more: Partial<EditedField>) => openSuggestions([one], [fieldAt('1', more)]).length;
    expect(openSuggestions([one], [])).toEqual([one]);
    expect(open({})).toBe(0);
    expect(open({ page: 1 })).toBe(1);
    expect(open({ positionY: 240 })).toBe(1);
    expect(open({ positionY: 230 })).toBe(0);
    expect(openSuggestions([one], [one.field])).toEqual([]);
  });
});
