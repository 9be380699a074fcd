import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chainSteps,
  checkEvidence,
  type EvidenceBase,
  evidenceText,
  signersIn,
} from '../../../../src/pdf/write/certificate/evidence.ts';

const details: EvidenceBase = {
  format: 'esign-evidence',
  version: 1,
  transaction: {
    id: 't',
    name: 'Maintenance – Ünïcode',
    company: 'Sandbox',
    service: 'http://127.0.0.1:4000',
    created_at: '2026-11-21T10:00:00.000Z',
    sent_at: '2026-11-21T10:01:00.000Z',
    completed_at: '2026-11-21T10:05:00.000Z',
  },
  documents: [
    {
      id: 'd',
      name: 'contract.pdf',
      media_type: 'application/pdf',
      pages: 3,
      original: { sha256: 'a'.repeat(64), bytes: 10 },
      content: { sha256: 'b'.repeat(64), bytes: 20 },
      remarks: [{ code: 'fonts_missing', page: 1, what: 'Foo' }],
    },
  ],
  people: [{ id: 'p', name: 'Ada', email: 'ada@example.com', role: 'signer', index: 0 }],
  fields: [
    {
      id: 'f',
      document_id: 'd',
      recipient_id: 'p',
      type: 'text',
      label: 'Place',
      page: 0,
      x: 1.5,
      y: 2,
      width: 100,
      height: 20,
      value: 'London',
    },
  ],
};

const steps = ['opened', 'consented', 'signed'].map((type, index) => ({
  type,
  at: `2026-11-21T10:0${index + 2}:00.000Z`,
  person_id: 'p',
  details: { address: '127.0.0.1', browser: null },
}));

const text = evidenceText(chainSteps(details, steps));
const changed = (change: (evidence: ReturnType<typeof chainSteps>) => unknown) => {
  const evidence = JSON.parse(text) as ReturnType<typeof chainSteps>;
  return checkEvidence(JSON.stringify(change(evidence) ?? evidence));
};

describe('evidence', () => {
  test('names who signed, when, and how they were identified', () => {
    const byCommand = { ...steps[2]!, person_id: 'q', details: { by: 'sandbox sign', address: null } };
    const byUnknown = { ...steps[2]!, person_id: 'x' };
    const people = [
      ...details.people,
      { id: 'q', name: 'Bob', email: 'b@example.com', role: 'proxy', index: 1 },
    ];
    const evidence = chainSteps({ ...details, people }, [...steps, byCommand, byUnknown]);
    const signed_at = '2026-11-21T10:04:00.000Z';
    expect(signersIn(evidence)).toEqual([
      { name: 'Ada', email: 'ada@example.com', role: 'signer', signed_at, identified_by: 'signing_link' },
      { name: 'Bob', email: 'b@example.com', role: 'proxy', signed_at, identified_by: 'sandbox_command' },
    ]);
  });

  test('is checked as it was written', () => {
    expect(checkEvidence(text)).toEqual({ ok: true, evidence: chainSteps(details, steps) });
    expect(checkEvidence(evidenceText(chainSteps(details, [])))).toMatchObject({ ok: true });
  });

  test('can have what the sender stated about an original, in its shape only', () => {
    const preparation = {
      stated_by: 'sender' as const,
      original: { sha256: 'c'.repeat(64), bytes: 5 },
      removed_tags: [{ page: 0, text: '{{a}}' }],
      emptied_form_boxes: 0,
      drawn_values: 1,
    };
    const stating = (stated: typeof preparation) =>
      checkEvidence(
        evidenceText(
          chainSteps(
            {
              ...details,
              documents: details.documents.map((document) => ({ ...document, preparation: stated })),
            },
            steps,
          ),
        ),
      );
    expect(stating(preparation)).toMatchObject({ ok: true });
    for (const wrong of [
      { stated_by: 'service' },
      { original: { sha256: 'c', bytes: 5 } },
      { original: undefined },
      { removed_tags: [{ page: -1, text: '{{a}}' }] },
      { removed_tags: {} },
      { drawn_values: 0.5 },
    ])
      expect(stating({ ...preparation, ...wrong } as typeof preparation)).toEqual({
        ok: false,
        fault: 'not_evidence',
      });
  });

  test('does not depend on the order of properties', () => {
    expect(changed((evidence) => Object.fromEntries(Object.entries(evidence).reverse()))).toMatchObject({
      ok: true,
    });
  });

  test.each([
    ['a fact', 0, (e: ReturnType<typeof chainSteps>) => void Object.assign(e.people[0]!, { name: 'Eve' })],
    [
      'the time of an entry',
      1,
      (e: ReturnType<typeof chainSteps>) => void Object.assign(e.entries[1]!, { at: e.entries[0]!.at }),
    ],
    ['the order', 0, (e: ReturnType<typeof chainSteps>) => void e.entries.reverse()],
    [
      'an entry in the middle that is taken out',
      1,
      (e: ReturnType<typeof chainSteps>) => void e.entries.splice(1, 1),
    ],
    [
      'a property that is added',
      2,
      (e: ReturnType<typeof chainSteps>) => void Object.assign(e.entries[2]!.details, { more: 'x' }),
    ],
  ])('notices %s', (_, entry, change) => {
    expect(changed(change)).toEqual({ ok: false, fault: 'broken_chain', entry });
  });

  test('notices that entries are missing at the end', () => {
    expect(changed((e) => void e.entries.pop())).toEqual({ ok: false, fault: 'wrong_head' });
  });

  test('tells a newer version from something else', () => {
    expect(changed((e) => ({ ...e, version: 2 }))).toEqual({ ok: false, fault: 'unknown_version' });
    expect(checkEvidence('{"format":"other"}')).toEqual({ ok: false, fault: 'not_evidence' });
    expect(checkEvidence('%PDF')).toEqual({ ok: false, fault: 'not_json' });
  });

  test('answers whatever it is given', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(checkEvidence(json).ok).toBe(false);
      }),
    );
    for (const property of Object.keys(details))
      expect(changed((e) => ({ ...e, [property]: undefined })).ok).toBe(false);
  });
});
