// The texts of a transaction from the options they are given by.
import { LIMITS } from '../../api/contract/limits.ts';
import { wholeNumber } from '../input/checked.ts';
import type { Texts } from './plan.ts';

type TextInput = {
  name: string | undefined;
  description: string | undefined;
  subject: string | undefined;
  message: string | undefined;
  alias: string | undefined;
  expires: string | undefined;
  'edit-navigation': boolean;
};

export const textsOf = (options: TextInput): Texts => ({
  name: options.name,
  description: options.description,
  email_subject: options.subject,
  email_body: options.message,
  email_alias: options.alias,
  expiration_days:
    options.expires === undefined
      ? undefined
      : wholeNumber('--expires', options.expires, LIMITS.expirationDaysMin, LIMITS.expirationDaysMax),
  edit_navigation: options['edit-navigation'] || undefined,
});
