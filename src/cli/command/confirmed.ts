// What a person has confirmed. A command that is run for a program acts only where it would still do what the person was shown.
import { createHash } from 'node:crypto';
import { type CliError, cliError } from './errors.ts';
import type { Settings } from './settings.ts';

/**
 * Identifies what a person was shown. Addresses of files are left out, because a service may sign them anew at each reading.
 * @param json what the command that the person was shown has printed
 */
export const digestOf = (json: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(json, withoutAddresses) ?? '')
    .digest('hex');

const withoutAddresses = (name: string, value: unknown): unknown =>
  /(^|_)url$/.test(name) ? undefined : value;

/**
 * Does nothing where nobody had to confirm.
 * @param preview makes the same again, right before the command acts
 * @throws CliError where it differs
 */
export async function mustBeConfirmed(
  { confirmed }: Pick<Settings, 'confirmed'>,
  preview: () => Promise<unknown>,
): Promise<void> {
  if (confirmed !== undefined && digestOf(await preview()) !== confirmed) throw confirmationOutdated();
}

export const confirmationOutdated = (): CliError =>
  cliError('confirmation_outdated', {
    sentence:
      'This is no longer what the person has confirmed, or the answer was used before. Nothing was changed.',
    hint: 'Call the tool again, so that the person sees the current state.',
  });
