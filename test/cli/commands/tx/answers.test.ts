// Which answers of a person `tx send` offers to change before it sends.
import { expect, test } from 'vitest';
import type { SendInput } from '../../../../src/cli/sending/options.ts';
import { answersIn } from '../../../../src/cli/sending/wizard.ts';

const input = (file: string[], template: string[], to: string[]) =>
  ({ args: { file }, options: { template, to } }) as unknown as SendInput;

test.each([
  [
    'a file and a signer',
    input(['a.pdf'], [], ['Ada <ada@example.com>']),
    { documents: true, recipients: true },
  ],
  ['a template, which names who signs', input([], ['T'], []), { documents: true, recipients: false }],
])('%s', (_, answered, answers) => {
  expect(answersIn(input([], [], []), answered)).toEqual(answers);
});
