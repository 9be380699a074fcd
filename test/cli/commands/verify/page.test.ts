// The report of `esign verify` for a person: no line is wider than the terminal, and every value is whole.
import { expect, test } from 'vitest';
import { fileAsJson } from '../../../../src/cli/commands/verify/as-json.ts';
import { pageOf, unwrapped } from '../../../../src/cli/commands/verify/page.ts';
import { acceptanceOf } from '../../../../src/cli/commands/verify/requirements.ts';
import { sealIn, type VerifiedFile } from '../../../../src/cli/commands/verify/verified-file.ts';
import { createRuler } from '../../../../src/cli/terminal/text-width.ts';

const acceptance = acceptanceOf({ accept: [], require: undefined });

const PATH = `/home/ada/${'contracts/'.repeat(9)}sealed.pdf`;
const SIGNER = 'Grace Brewster Murray Hopper of the United States Navy and all who sail in her';

const FILE = {
  path: PATH,
  verdict: 'valid',
  faults: [],
  rendering: { state: 'not_needed' },
  remarks: [],
  signatures: [
    {
      kind: 'signature',
      faults: [{ code: 'byte_range_malformed', details: {} }],
      signer: { name: SIGNER, issuerName: 'Some authority' },
      claims: { reason: SIGNER },
      level: 'LTA',
      notHigher: [],
      changes: [],
      laterSaves: [],
    },
  ],
  sizeBytes: 1,
} as unknown as VerifiedFile;

test.each([60, 80, 100, 200])('at %d columns', async (columns) => {
  const { wrapped, widthOf } = await createRuler();
  const page = pageOf([FILE], {
    isExplained: false,
    wrapped: (text, indent) => wrapped(text, columns - indent),
    acceptance,
  });
  for (const line of page.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  const joined = (text: string) => text.replace(/\s+/g, '');
  for (const value of [PATH, SIGNER, 'issued by Some authority'])
    expect(joined(page)).toContain(joined(value));
});

test.each([
  ['Bob', 'bob@example.com', 'Bob <bob@example.com> at'],
  ["Zoë O'Neill-Łukasz", 'z@example.com', "Zoë O'Neill-Łukasz <z@example.com> at"],
  ['Bob at Bank', 'b@x', '"Bob at Bank" <b@x> at'],
  ['Bob <ceo@bank.example> at 2020', 'b@x', '"Bob <ceo@bank.example> at 2020" <b@x> at'],
  ['Bob, identified', 'b@x', '"Bob, identified" <b@x> at'],
  ['Bob" <a@b> "', 'b@x', String.raw`"Bob\" <a@b> \"" <b@x> at`],
  ['Bob\\" <a@b>', 'b@x', String.raw`"Bob\\\" <a@b>" <b@x> at`],
  ['Bob” ‹a@b›', 'b@x', String.raw`"Bob\u{201d} \u{2039}a@b\u{203a}" <b@x> at`],
  ['Bob״ ＜a@b＞', 'b@x', String.raw`"Bob\u{5f4} ＜a@b＞" <b@x> at`],
  ['', 'b@x', '"" <b@x> at'],
  ['Bob', 'a@b> at 2020 <b@x', String.raw`Bob <a@b\u{3e}\u{20}at\u{20}2020\u{20}\u{3c}b@x> at`],
])('a signer called %j with the address %j cannot pass for another', (name, email, shown) => {
  const evidence = {
    evidence: {
      transaction: { id: 't1', name: 'Contract' },
      people: [{ id: 'p1', name, email, role: 'signer' }],
      entries: [{ n: 0, type: 'signed', at: '2026-11-21T17:30:00.000Z', person_id: 'p1', details: {} }],
    },
    document: { name: 'contract.pdf', original: { sha256: '00' } },
  };
  const page = pageOf([{ ...FILE, evidence } as unknown as VerifiedFile], {
    isExplained: false,
    wrapped: unwrapped,
    acceptance,
  });
  expect(page).toContain(`Signed by     ${shown}`);
});

test('for a file nothing is wrapped', () => {
  expect(pageOf([FILE], { isExplained: false, wrapped: unwrapped, acceptance })).toContain(`${PATH}: valid`);
});

test('a later save is that of its own signature, also where fields have the same name', () => {
  const [one] = FILE.signatures;
  const save = {
    number: 3,
    field: 'Seal',
    object: 70,
    changes: [{ kind: 'signature', field: 'Seal', objects: [9, 70] }],
  };
  const signatures = [
    { ...one, field: 'Seal', object: 20, laterSaves: [save] },
    { ...one, field: 'Seal', object: 70, signer: { name: 'Eve', issuerName: 'Some authority' } },
  ];
  const page = pageOf([{ ...FILE, signatures } as unknown as VerifiedFile], {
    isExplained: false,
    wrapped: unwrapped,
    acceptance,
  });
  expect(page).toContain('version 3: signature 2 by Eve\n');
});

test('evidence is what the signer of the file recorded', () => {
  const evidence = {
    evidence: {
      transaction: { id: 't1', name: 'Lease' },
      people: [{ id: 'p1', name: 'Bob', email: 'bob@example.com', role: 'signer' }],
      entries: [{ type: 'signed', at: '2026-11-22T10:00:00.000Z', person_id: 'p1', details: {} }],
    },
    document: { name: 'lease.pdf', original: { sha256: 'ab' }, content: { sha256: 'cd' } },
  };
  const file = (verdict: string) => ({ ...FILE, verdict, evidence }) as unknown as VerifiedFile;
  const page = (verdict: string) =>
    pageOf([file(verdict)], { isExplained: false, wrapped: unwrapped, acceptance })
      .split('Evidence in the file')
      .at(-1);
  // It is the first line, because the people below did not make the seal.
  expect(page('valid')).toMatch(/^\n {2}Recorded by {3}/);
  expect(page('valid')).toContain(`proves that ${SIGNER} recorded this`);
  expect(page('valid')).toMatch(/Signed by +Bob <bob@example.com>/);
  for (const word of ['Recorded by', 'recorded this', 'Bob']) expect(page('invalid')).not.toContain(word);
  const signers = (verdict: string) => fileAsJson(file(verdict)).evidence?.signers.map(({ name }) => name);
  expect(signers('valid')).toEqual(['Bob']);
  expect(signers('invalid')).toEqual([]);
});

test('evidence is not what a timestamp before the signature recorded', () => {
  const timestamp = {
    ...FILE.signatures[0],
    kind: 'timestamp',
    signer: { name: 'A clock', issuerName: 'X' },
  };
  const evidence = {
    evidence: { transaction: { id: 't1', name: 'Lease' }, entries: [], recipients: [], head: '' },
    document: { name: 'lease.pdf', original: { sha256: 'ab' }, content: { sha256: 'cd' } },
  };
  const file = { ...FILE, evidence, signatures: [timestamp, ...FILE.signatures] } as unknown as VerifiedFile;
  const page = pageOf([file], { isExplained: false, wrapped: unwrapped, acceptance });
  expect(page).toContain(`proves that ${SIGNER} recorded this`);
  expect(sealIn(file.signatures)?.signer?.name).toBe(SIGNER);
});

test.each(['digest_mismatch', undefined])(
  'a name or time stands there only where it is proven (%s)',
  (code) => {
    const faults = code === undefined ? [] : [{ code, details: {} }];
    const anchor = { why: 'the sandbox of this machine', certificate: { name: 'A root' } };
    const proven = { time: Date.parse('2026-11-22T10:00:00.000Z'), by: 'A clock' };
    const signature = {
      ...FILE.signatures[0],
      faults,
      chain: { anchor, certificates: [], unchecked: [] },
      proven,
    };
    const verdict = code === undefined ? 'valid' : 'invalid';
    const remarks = [{ code: 'signed_part_irregular', part: 'trailer', at: 7 }];
    const file = { ...FILE, verdict, remarks, signatures: [signature] } as unknown as VerifiedFile;
    const { signatures, why, remarks: printed } = fileAsJson(file);
    const page = pageOf([file], { isExplained: false, wrapped: unwrapped, acceptance });
    const isProven = code === undefined;
    expect(signatures[0]).toMatchObject(
      isProven
        ? { signed_at: '2026-11-22T10:00:00.000Z', proven_by: 'A clock', trusted_because: anchor.why }
        : { signed_at: null, proven_by: null, trusted_because: null },
    );
    for (const word of ['A clock', 'A root', 'It was signed like this'])
      expect(page.includes(word), word).toBe(isProven);
    expect(printed[0]?.message.includes('It was signed like this')).toBe(isProven);
    expect(why === null).toBe(isProven);
  },
);
