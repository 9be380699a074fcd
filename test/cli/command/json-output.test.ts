import { describe, expect, test } from 'vitest';
import {
  brief,
  described,
  differencesFrom,
  either,
  explainedProperties,
  jsonLine,
  list,
  mapOf,
  nameOnly,
  nullable,
  number,
  object,
  only,
  open,
  outputWith,
  prints,
  schemaOf,
  text,
  unknownProperty,
} from '../../../src/cli/command/json-output.ts';

const RECIPIENT = object({ name: text, email: nullable(text) });
const CLOSED = prints(
  object({
    id: text,
    'url?': text,
    'recipient?': RECIPIENT,
    documents: list(brief(object({ pages: number }))),
  }),
  '; with --x ',
  object({ x_only: only(true) }),
);
const LIST = prints(
  object({ items: list(object({ id: text, name: text })), meta: nameOnly(object({})) }),
  '; with --all …',
);
const OPEN = prints(
  open(object({ id: text, template: brief(open(object({}))) })),
  ' as the service answered',
);
const ALSO = prints(object({ reset: only(true) }), '; with --to, also ', object({ file: text }));

test('help shows the shape in a line', () => {
  expect(jsonLine(CLOSED)).toBe(
    '{id, url?, recipient?: {name, email}, documents: […]}; with --x {x_only: true}',
  );
  expect(jsonLine(LIST)).toBe('{items: [{id, name}], meta}; with --all …');
  expect(jsonLine(OPEN)).toBe('{id, template: {…}, …} as the service answered');
  expect(jsonLine(prints(object({ state: only('ok', 'fail'), at: nullable(object({ id: text })) })))).toBe(
    '{state: ok | fail, at: {id} | null}',
  );
  expect(jsonLine(prints('nothing: the output is that of COMMAND'))).toBe(
    'nothing: the output is that of COMMAND',
  );
});

test('an explained property has its sentence in the schema, and none in the line of help', () => {
  const signer = object({ name: described(text, 'As in the certificate.') });
  const file = object({ file: text, signers: described(list(signer), 'Who signed.') });
  const output = prints(object({ items: list(file) }), '; with --x also ', object({ x_only: only(true) }));
  expect(jsonLine(output)).toBe('{items: [{file, signers: [{name}]}]}; with --x also {x_only: true}');
  expect(explainedProperties(output)).toEqual([
    ['signers', 'Who signed.'],
    ['signers.name', 'As in the certificate.'],
  ]);
  expect(JSON.stringify(schemaOf(output))).toContain('"description":"As in the certificate."');
  expect(explainedProperties(prints('nothing'))).toEqual([]);
});

test('the schema is plain JSON, and one of several shapes is any of them', () => {
  expect(JSON.parse(JSON.stringify(schemaOf(ALSO)))).toEqual({
    anyOf: [
      { type: 'object', properties: { reset: { enum: [true] } }, required: ['reset'] },
      {
        type: 'object',
        properties: { reset: { enum: [true] }, file: { type: 'string' } },
        required: ['reset', 'file'],
      },
    ],
  });
  expect(schemaOf(prints('nothing'))).toBeUndefined();
});

describe('what --select may name', () => {
  test.each([
    [CLOSED, 'id', undefined],
    [CLOSED, 'x_only', undefined],
    [CLOSED, 'url', undefined],
    [CLOSED, 'email', 'email'],
    [CLOSED, 'recipient.email', undefined],
    [CLOSED, 'documents.pages', undefined],
    [CLOSED, 'idd', 'idd'],
    [CLOSED, 'recipient.phone', 'phone'],
    [LIST, 'name', undefined],
    [LIST, 'items', 'items'],
    [OPEN, 'anything', undefined],
    [OPEN, 'template.anything', undefined],
    [prints('nothing'), 'anything', undefined],
  ])('before it is run: %#, %s', (output, field, unknown) => {
    expect(unknownProperty([field], output)?.name).toBe(unknown);
  });

  const SEVERAL = prints(
    open(object({ id: text })),
    ', all; with --full ',
    object({ id: text, more: object({ deep: text }) }),
  );

  test('a property of another object than the one that was printed is none, and is not listed', () => {
    expect(unknownProperty(['more'], SEVERAL, { id: 'a', status: 'b' })).toEqual({
      name: 'more',
      alternatives: ['id', 'status'],
    });
    expect(unknownProperty(['more.deep'], SEVERAL, { id: 'a', more: { deep: 'b' } })).toBeUndefined();
  });

  test('what is printed with an option counts with this option only', () => {
    expect(outputWith(SEVERAL, (option) => option === 'full')).toEqual(SEVERAL);
    expect(outputWith(SEVERAL, () => false)).toHaveLength(2);
  });

  test('the response has the properties of an open shape', () => {
    expect(unknownProperty(['status'], OPEN, { id: 1, status: 2 })).toBeUndefined();
    expect(unknownProperty(['stat'], OPEN, { id: 1, status: 2 })).toEqual({
      name: 'stat',
      alternatives: ['id', 'status', 'template'],
    });
  });
});

test.each([
  [{ id: 'a', documents: [] }, []],
  [{ id: 'a', documents: [{ pages: 1 }], recipient: { name: 'Ada', email: null } }, []],
  [{ x_only: true }, []],
  [{ documents: [] }, ['id is missing']],
  [{ id: 1, documents: [] }, ['id is number, not string']],
  [{ id: 'a', documents: [{ pages: '1' }] }, ['documents.0.pages is string, not number']],
  [{ id: 'a', documents: [], more: 1 }, ['more is not described']],
  [
    { id: 'a', documents: [], recipient: { name: 'Ada', email: 1 } },
    ['recipient.email is number, not string or null'],
  ],
])('differences from a schema: %j', (value, differences) => {
  expect(differencesFrom(schemaOf(CLOSED) ?? {}, value)).toEqual(differences);
});

test('every entry of a map is compared', () => {
  expect(differencesFrom(object({ headers: mapOf(text) }), { headers: { a: 'b', c: 1 } })).toEqual([
    'headers.c is number, not string',
  ]);
});

test('a value that is one of several is compared with each', () => {
  expect(differencesFrom(either(only(1), text), 2)).toEqual(['the value is not one of its values']);
});
