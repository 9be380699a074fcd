// What a person has confirmed is compared with what a command would do now.
import { describe, expect, test } from 'vitest';
import { digestOf, mustBeConfirmed } from '../../../src/cli/command/confirmed.ts';

const SHOWN = {
  id: 't1',
  recipients: [{ name: 'Ada', email: 'ada@example.com' }],
  documents: [{ id: 'd1', presigned_url: 'https://files.example.com/d1?signature=1' }],
};
const settings = { confirmed: digestOf(SHOWN) };
const act = (json: unknown) => mustBeConfirmed(settings, async () => json);

describe('what a person has confirmed', () => {
  test('is the same where a service has signed the address of a file anew', async () => {
    const documents = [{ id: 'd1', presigned_url: 'https://files.example.com/d1?signature=2' }];
    await expect(act({ ...SHOWN, documents })).resolves.toBeUndefined();
  });

  test.each([
    ['another recipient', { ...SHOWN, recipients: [{ name: 'Ada', email: 'eve@example.com' }] }],
    ['another document', { ...SHOWN, documents: [{ id: 'd2' }] }],
    ['a further property', { ...SHOWN, email_body: 'Please hurry.' }],
  ])('is no longer what would be done with %s', async (_, json) => {
    await expect(act(json)).rejects.toMatchObject({ facts: { code: 'confirmation_outdated' } });
  });

  test('is not looked for where nobody had to confirm', async () => {
    await expect(
      mustBeConfirmed({}, async () => {
        throw new Error('The preview was made.');
      }),
    ).resolves.toBeUndefined();
  });
});
