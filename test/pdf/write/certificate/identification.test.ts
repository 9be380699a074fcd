// By what a signer was identified, as the entries of the evidence tell it.
import { describe, expect, test } from 'vitest';
import { type EvidenceStep, identificationOf } from '../../../../src/pdf/write/certificate/evidence.ts';

const SIGNED_AT = '2026-03-01T10:00:00.000Z';

const step = (
  type: EvidenceStep['type'],
  at: string,
  details: EvidenceStep['details'] = {},
  person_id = 'ada',
) => ({ type, at, person_id, details }) as EvidenceStep;
const signed = (link: string | null) => step('signed', SIGNED_AT, { link });

describe('a link that says it is of an email', () => {
  test.each([
    [
      'taken by a mail server before the signature',
      [step('email_accepted', '2026-03-01T09:00:00.000Z')],
      'emailed_link',
    ],
    ['taken after the signature', [step('email_accepted', '2026-03-01T10:00:01.000Z')], 'signing_link'],
    [
      'of somebody else, taken',
      [step('email_accepted', '2026-03-01T09:00:00.000Z', {}, 'bob')],
      'signing_link',
    ],
    ['taken by no mail server', [], 'signing_link'],
  ])('%s', (_, entries, identification) => {
    expect(identificationOf(signed('email'), entries)).toBe(identification);
  });
});

test.each([
  ['dashboard', 'dashboard_link'],
  ['mailbox', 'mailbox_link'],
  [null, 'signing_link'],
])('a link marked %s, whatever a mail server took', (link, identification) => {
  const accepted = step('email_accepted', '2026-03-01T09:00:00.000Z');
  expect(identificationOf(signed(link), [accepted])).toBe(identification);
});
