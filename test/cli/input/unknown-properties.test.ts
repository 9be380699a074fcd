// What nothing reads in a file that a person wrote is refused by name, with its place and what it may mean, before anything is sent.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runInProcess } from '../../support/command-line/in-process.ts';
import { createStoryFixture, type StoryFixture } from '../../support/stories/story.ts';
import { sampleOf } from '../../support/tier.ts';

let fixture: StoryFixture;
beforeEach(async () => {
  fixture = await createStoryFixture();
});
afterEach(() => fixture.close());

const file = (name: string, content: unknown) =>
  writeFile(join(fixture.folder, name), JSON.stringify(content));
const run = async (line: string) => {
  const { code, out, err } = await runInProcess(fixture, [...line.split(' '), '--json']);
  const { error } = code === 0 ? {} : JSON.parse(err.trimEnd().split('\n').at(-1) ?? '');
  return { code, answer: out === '' ? undefined : JSON.parse(out), error };
};
const refused = (message: string, hint: string) => ({
  code: 2,
  error: { code: 'json_property_unknown', message, hint },
});

const FIELD = { type: 'text', page: 0, positionX: 72, positionY: 72, width: 90, height: 20 };
const SEND = 'tx send contract.pdf --to ada@example.com';

describe('an unknown property', () => {
  test.each(
    sampleOf(
      [
        [[FIELD, { ...FIELD, lable: 'City' }], 'field 2 has the unknown property "lable".', 'label'],
        [
          { fields: [{ ...FIELD, help_text: 'x' }] },
          'field 1 has the unknown property "help_text".',
          'helper_text',
        ],
      ],
      2,
    ),
  )('of a field in a file for --fields is refused: %j', async (content, said, meant) => {
    await file('fields.json', content);
    for (const line of [SEND, 'tx preview contract.pdf'])
      expect(await run(`${line} --fields fields.json`)).toMatchObject(
        refused(`fields.json: ${said}`, `Did you mean "${meant}"?`),
      );
    expect((await run('sandbox status')).answer.transactions.started).toBe(0);
  });

  test('beside the fields is refused', async () => {
    await file('fields.json', { feilds: [], fields: [] });
    expect(await run(`${SEND} --fields fields.json`)).toMatchObject(
      refused('fields.json has the unknown property "feilds".', 'Did you mean "fields"?'),
    );
  });

  test('in a file for --from is refused, and the draft is left as it is', async () => {
    const { id } = (await run('tx create --name Lease')).answer;
    for (const [content, said, meant] of [
      [{ nmae: 'A' }, ' has the unknown property "nmae".', 'name'],
      [
        { name: 'A', recipients: [{ role: 'signer', index: 0, name: 'A', emial: 'a@example.com' }] },
        ': recipient 1 has the unknown property "emial".',
        'email',
      ],
    ] as const) {
      await file('changes.json', content);
      expect(await run(`tx update ${id} --from changes.json`)).toMatchObject(
        refused(`changes.json${said}`, `Did you mean "${meant}"?`),
      );
    }
    await file('fields.json', [{ ...FIELD, lable: 'City' }]);
    expect(await run(`tx fields ${id} --from fields.json`)).toMatchObject(
      refused('fields.json: field 1 has the unknown property "lable".', 'Did you mean "label"?'),
    );
    expect((await run(`tx show ${id}`)).answer).toMatchObject({ name: 'Lease', recipients: [] });
  });

  test('in esign.config.json is refused', async () => {
    await file('esign.config.json', { mesage: 'Please sign.' });
    expect(await run(SEND)).toMatchObject({
      code: 2,
      error: {
        code: 'project_file_invalid',
        message: 'esign.config.json contains the unknown property "mesage".',
        hint: 'Did you mean "message"?',
      },
    });
    expect((await run('sandbox status')).answer.transactions.started).toBe(0);
  });
});
