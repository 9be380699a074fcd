// The tasks of skill-evals/ can be passed by a model that makes the right calls, and none of their checks by one that makes wrong ones.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SLOW } from '../support/tier.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { skill_name: skillName, evals } = JSON.parse(
  readFileSync(`${ROOT}/skill-evals/esign/evals.json`, 'utf8'),
);

type Result = { id: string; passed: boolean; checks: { about: string; holds: boolean; why?: string }[] };

function runEvals(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [`${ROOT}/skill-evals/run.js`, ...words],
      { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

const MODEL = `'${process.execPath}' skill-evals/scripted-model.js`;

describe('the tasks of the skill', () => {
  test('are described with files that exist and a check for each expectation', () => {
    expect(skillName).toBe('esign');
    expect(new Set(evals.map(({ id }: { id: string }) => id)).size).toBe(10);
    for (const { id, prompt, expected_output: expected, files, expectations, checks } of evals) {
      expect([id, prompt, expected]).toEqual([
        id,
        expect.stringMatching(/\.$/),
        expect.stringMatching(/\.$/),
      ]);
      expect([id, checks.length]).toEqual([id, expectations.length]);
      for (const name of files)
        expect(['contract.pdf', name]).toContain(
          existsSync(`${ROOT}/skill-evals/esign/files/${name}`) ? name : 'contract.pdf',
        );
    }
  });

  describe.skipIf(!SLOW)('in sandboxes', () => {
    test('are passed by a model that makes the right calls', { timeout: 600_000 }, async () => {
      const { code, out, err } = await runEvals('--model', MODEL);
      expect({ code, out, err }).toEqual({
        code: 0,
        out: evals.map(({ id }: { id: string }) => `pass  ${id}\n`).join(''),
        err: '',
      });
    });

    test('fail in every check with a model that makes wrong calls', {
      timeout: 600_000,
    }, async () => {
      const { code, out } = await runEvals('--model', `${MODEL} --wrong`, '--json');
      expect(code).toBe(1);
      const results: Result[] = JSON.parse(out);
      expect(results.map(({ id }) => id)).toEqual(evals.map(({ id }: { id: string }) => id));
      for (const { id, passed, checks } of results) {
        expect([id, passed]).toEqual([id, false]);
        expect([id, checks.filter(({ holds }) => holds)]).toEqual([id, []]);
        expect([id, checks.at(-1)?.about]).toEqual([id, 'No secret is in the transcript']);
      }
    });

    test('have no secret in their transcripts with the variable of an assistant, whatever is called', {
      timeout: 600_000,
    }, async () => {
      const { code, out } = await runEvals('--assistant', '--model', `${MODEL} --wrong`, '--json');
      expect(code).toBe(1);
      for (const { id, checks } of JSON.parse(out) as Result[])
        expect([id, checks.at(-1)]).toEqual([id, { about: 'No secret is in the transcript', holds: true }]);
    });

    test('name the folder of the references to the model', { timeout: 600_000 }, async () => {
      const model = `read line; printf '{"answer":"%s"}\\n' "$ESIGN_SKILL"`;
      const { out } = await runEvals('--model', model, '--only', evals[0].id, '--json');
      expect(out).toContain(`${ROOT}skills/esign`.replaceAll('//', '/'));
    });

    const [byTools, byNone] = [true, false].map((can) =>
      evals.filter(({ mcp }: { mcp?: { impossible?: string } }) => (mcp?.impossible === undefined) === can),
    );

    test('are passed by a model that makes the right calls of tools', { timeout: 600_000 }, async () => {
      const { code, out, err } = await runEvals('--mcp', '--model', MODEL);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out.split('\n').filter((line) => line.startsWith('pass'))).toEqual(
        byTools.map(({ id }: { id: string }) => `pass  ${id}`),
      );
      for (const { id } of byNone) expect(out).toMatch(new RegExp(`^none  ${id}: No tool `, 'm'));
    });

    test('fail in every check with a model that makes wrong calls of tools, which return no secret', {
      timeout: 600_000,
    }, async () => {
      const { code, out } = await runEvals('--mcp', '--model', `${MODEL} --wrong`, '--json');
      expect(code).toBe(1);
      const results: (Result & { skipped?: string })[] = JSON.parse(out);
      const ran = results.filter(({ skipped }) => skipped === undefined);
      expect(ran.map(({ id }) => id)).toEqual(byTools.map(({ id }: { id: string }) => id));
      for (const { id, checks } of ran)
        expect([id, checks.filter(({ holds }) => holds).map(({ about }) => about)]).toEqual([
          id,
          ['No secret is in the transcript'],
        ]);
    });

    test('fail with a model that prints a secret to the transcript of its calls', {
      timeout: 300_000,
    }, async () => {
      const secret = 'x'.repeat(43);
      const model = `echo '{"call":"search_templates","input":{"search":"${secret}"}}'; echo '{"answer":""}'`;
      const { code, out } = await runEvals('--mcp', '--model', model, '--only', 'download');
      expect(code).toBe(1);
      expect(out).toContain('No secret is in the transcript: line 1');
    });

    test.each([
      ['writes something else', 'echo hello', 'It wrote: hello'],
      ['ends without an answer', 'true', 'It ended without an answer'],
      ['runs commands without end', `yes '{"run":"true"}'`, 'It ran more than 40 commands'],
    ])('fail with a model that %s', { timeout: 300_000 }, async (_, model, why) => {
      const { code, out } = await runEvals('--model', model, '--only', 'seed');
      expect(code).toBe(1);
      expect(out).toContain(`The model keeps to the protocol: ${why}`);
    });
  });

  test.each([
    ['without a model', [], '--model COMMAND'],
    ['for a task that does not exist', ['--model', 'true', '--only', 'fax'], 'No task is called fax'],
    ['with an unknown option', ['--modell', 'true'], '--modell'],
  ])('do not run %s', async (_, words, sentence) => {
    const { code, out, err } = await runEvals(...words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(sentence);
  });
});
