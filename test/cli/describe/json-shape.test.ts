import { describe, expect, test } from 'vitest';
import { shapeOf, unknownField } from '../../../src/cli/describe/json-shape.ts';

const CLOSED = shapeOf('{id, url?, recipient?: {name, email}, documents: […]}; with --x {x_only}');
const LIST = shapeOf('{items: [{id, name}], meta}; with --all one object a line');
const OPEN = shapeOf('{id, template: {…}, …} as the service answered');

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
    [undefined, 'anything', undefined],
  ])('before it is run: %#, %s', (shape, field, unknown) => {
    expect(unknownField([field], shape)?.name).toBe(unknown);
  });

  test('the response has the properties of an open shape', () => {
    expect(unknownField(['status'], OPEN, { id: 1, status: 2 })).toBeUndefined();
    expect(unknownField(['stat'], OPEN, { id: 1, status: 2 })).toEqual({
      name: 'stat',
      known: ['id', 'status', 'template'],
    });
    expect(unknownField(['anything'], undefined, { items: [] })).toBeUndefined();
  });
});
