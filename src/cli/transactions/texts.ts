// Reads the texts of a transaction from options, and checks them against the contract.
import { LIMITS } from '../../api/contract/limits.ts';
import { transactionOperations } from '../../api/contract/transactions.ts';
import { parseWith, wholeNumber } from '../input/parse-input.ts';

export type Texts = {
  name?: string | undefined;
  description?: string | undefined;
  email_subject?: string | undefined;
  email_body?: string | undefined;
  email_alias?: string | undefined;
  expiration_days?: number | undefined;
  edit_navigation?: boolean | undefined;
};

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
      : wholeNumber(
          '--expires',
          options.expires,
          LIMITS.expirationDaysMin,
          LIMITS.expirationDaysMax,
          'a number of days',
        ),
  edit_navigation: options['edit-navigation'] || undefined,
});

const FLAGS = {
  name: '--name',
  description: '--description',
  email_subject: '--subject',
  email_body: '--message',
  email_alias: '--alias',
  expiration_days: '--expires',
  notification_endpoint: '--notify',
  recipients: '--to',
};

/** Checks texts against the contract. Errors name the flag that they came from. */
export function checkTexts({ texts, notify }: { texts: Texts; notify: string | null }): void {
  const body = transactionOperations['transaction.update'].body;
  parseWith(
    body
      .pick({
        name: true,
        description: true,
        email_subject: true,
        email_body: true,
        email_alias: true,
        expiration_days: true,
      })
      .partial(),
    texts,
    FLAGS,
  );
  parseWith(
    transactionOperations['transaction.create'].body,
    notify === null ? {} : { notification_endpoint: notify },
    FLAGS,
  );
}
