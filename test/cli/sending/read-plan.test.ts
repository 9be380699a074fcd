// Plans that `tx send` stored are read, and everything else is refused with the way out.
import { describe, expect, test } from 'vitest';
import { CliError } from '../../../src/cli/command/errors.ts';
import { PLAN_VERSION } from '../../../src/cli/sending/plan.ts';
import { readPlan } from '../../../src/cli/sending/resume.ts';

const PLAN = {
  version: PLAN_VERSION,
  id: 'plan-1',
  files: [{ path: 'a.pdf', name: 'a.pdf', sizeBytes: 1, sha256: 'f', pages: [{ width: 595, height: 842 }] }],
  templates: [],
  sender: { name: 'Sam', email: 'sam@example.com' },
  recipients: [
    { name: 'Sam', email: 'sam@example.com', role: 'sender' },
    { name: 'Ada', email: 'ada@example.com', role: 'signer' },
    { name: 'Bob', email: 'bob@example.com', role: 'signer' },
  ],
  fields: [
    {
      type: 'text',
      page: 'last',
      x: { points: 1 },
      y: { points: 1 },
      width: { points: 1 },
      height: { points: 1 },
      document: 0,
      recipient: 'bob@example.com',
      of: 2,
      properties: {},
      source: 'text@last:…',
    },
  ],
  boxesFor: [1],
  texts: { name: 'a' },
  notify: null,
  draft: false,
};

function codeOf(content: unknown): string {
  try {
    readPlan(content, 'plan-1');
    return 'read';
  } catch (error) {
    return error instanceof CliError ? error.facts.code : String(error);
  }
}

describe('a stored plan', () => {
  test('is read as it was written', () => {
    expect(readPlan(PLAN, 'plan-1')).toEqual(PLAN);
  });

  const AT_WORDS = {
    type: 'signature',
    anchor: {
      text: 'For the Customer',
      at: 'below',
      offset: { x: { points: 0 }, y: { points: 4 } },
      match: 2,
    },
    document: 0,
    recipient: 'bob@example.com',
    of: 2,
    properties: {},
    source: 'signature@"For the Customer"',
  };

  test('has fields at words, which are found when it is executed', () => {
    const plan = { ...PLAN, fields: [...PLAN.fields, AT_WORDS] };
    expect(readPlan(plan, 'plan-1')).toEqual(plan);
  });

  test.each([
    ['a field without a place', { ...AT_WORDS, anchor: undefined }],
    ['a field with two places', { ...AT_WORDS, page: 0 }],
    ['a field at no words', { ...AT_WORDS, anchor: { at: 'over' } }],
    ['a field beside words', { ...AT_WORDS, anchor: { text: 'a', at: 'beside' } }],
  ])('with %s is refused', (_, field) => {
    expect(codeOf({ ...PLAN, fields: [field] })).toBe('plan_unreadable');
  });

  test('has forms whose values are removed before the upload', () => {
    const emptied = [{ document: 0, places: [{ page: 0, annotation: 3 }] }];
    expect(readPlan({ ...PLAN, emptied }, 'plan-1').emptied).toEqual(emptied);
    expect(codeOf({ ...PLAN, emptied: [{ document: 0, places: [{ page: 'last' }] }] })).toBe(
      'plan_unreadable',
    );
  });

  test('of a newer version is refused by name, even if nothing else of it is known', () => {
    expect(codeOf({ ...PLAN, version: PLAN_VERSION + 1 })).toBe('plan_newer');
    expect(codeOf({ version: 99, everything: 'else' })).toBe('plan_newer');
  });

  test.each([
    ['nothing', undefined],
    ['text', 'plan'],
    ['a list', []],
    ['another plan', { ...PLAN, id: 'plan-2' }],
    ['without a version', { ...PLAN, version: undefined }],
    ['a version that is none', { ...PLAN, version: '1' }],
    ['a box that does not exist', { ...PLAN, boxesFor: [3] }],
    ['a box of an address', { ...PLAN, boxesFor: ['bob@example.com'] }],
    ['a field that does not exist', { ...PLAN, fields: [{ ...PLAN.fields[0], of: 7 }] }],
    ['a field on no file', { ...PLAN, fields: [{ ...PLAN.fields[0], document: 1 }] }],
    ['a role that is none', { ...PLAN, recipients: [{ name: 'A', email: 'a@b.c', role: 'boss' }] }],
    ['no files', { ...PLAN, files: undefined }],
    ['a draft that is neither', { ...PLAN, draft: 'no' }],
  ])('that is %s is refused', (_, content) => {
    expect(codeOf(content)).toBe('plan_unreadable');
  });
});
