// What a seed file may contain. The JSON Schema in docs/seed.schema.json is made of it.
import * as z from 'zod';
import { EVENT_TYPES, eventType } from '../../api/contract/events.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import {
  email,
  integer,
  line,
  newPasswordText,
  oneOf,
  TEXT_KEYWORDS,
  text,
} from '../../api/contract/values.ts';

/** The states that a transaction can be taken to. */
export const SEED_STATES = ['draft', 'started', 'completed', 'rejected', 'cancelled', 'expired'] as const;
export type SeedState = (typeof SEED_STATES)[number];

/** A template is saved from a draft whose name has this at its end, so that no transaction of the file is taken for it. */
export const TEMPLATE_DRAFT = ' (template)';

/** A copy with a description, and with the lengths of the schema in the JSON Schema. */
function described<T extends z.ZodType>(schema: T, description: string): T {
  const copy = schema.meta({ description });
  const keywords = TEXT_KEYWORDS.get(schema);
  if (keywords) TEXT_KEYWORDS.set(copy, keywords);
  return copy;
}

const optionalList = <T extends z.ZodType>(item: T, description: string) =>
  z.array(item).default([]).meta({ description });

const personName = line(1, LIMITS.personNameLength);
const transactionName = line(1, LIMITS.transactionNameLength);

const user = z.strictObject({
  name: personName,
  email,
  company: personName
    .optional()
    .meta({ description: 'The company that the user belongs to. By default, the company of the sandbox.' }),
  password: newPasswordText.optional().meta({
    description: 'The password for the dashboard. Without one, the user cannot sign in there.',
  }),
});

const application = z.strictObject({
  name: described(personName, 'Applications are recognized by their names.'),
  callback_url: described(
    z.string(),
    'The URL to which browsers are redirected after consent, as in `esign sandbox apps create`.',
  ),
  public: z.boolean().optional().meta({
    description:
      'Whether it is a public application, which has no client secret, as with `esign sandbox apps create --public`.',
  }),
});

const owner = email.optional().meta({
  description: 'The email address of the user it belongs to. By default, the user of the sandbox.',
});

const webhook = z.strictObject({
  name: described(line(1, LIMITS.webhookNameLength), 'Webhooks of a user are recognized by their names.'),
  endpoint: described(z.string(), 'The URL to which events are sent.'),
  events: z
    .array(eventType)
    .min(1, { error: 'must not be empty' })
    .default([...EVENT_TYPES])
    .meta({ description: 'The types of the events that are sent. By default, all.' }),
  user: owner,
});

const content = {
  user: owner,
  files: optionalList(
    z.string().refine((path) => path !== '' && path !== '-', { error: 'must be the path of a file' }),
    'Paths of documents, relative to this file.',
  ),
  to: optionalList(
    z.string(),
    'Recipients in signing order, as `tx send --to` takes them: "Name <email>", optionally with ",role=proxy".',
  ),
  fields: optionalList(
    z.union([z.string(), z.record(z.string(), z.unknown())], { error: 'must be a string or an object' }),
    'Fields, as `tx send --field` takes them, or as objects as in a file for `--fields`. A recipient without a field gets a signature.',
  ),
  description: text().optional(),
  subject: line(0, LIMITS.textLength).optional().meta({ description: 'The subject of the emails.' }),
  message: text().optional().meta({ description: 'The text of the emails.' }),
  alias: line(0, LIMITS.personNameLength)
    .optional()
    .meta({ description: 'The name that the emails are sent under.' }),
  expires: integer(LIMITS.expirationDaysMin, LIMITS.expirationDaysMax)
    .optional()
    .meta({ description: 'The number of days after which the transaction expires.' }),
};

const template = z.strictObject({
  name: described(
    line(1, LIMITS.transactionNameLength - TEMPLATE_DRAFT.length),
    'Templates of a company are recognized by their names.',
  ),
  ...content,
});

const transaction = z.strictObject({
  name: described(transactionName, 'Transactions of a user are recognized by their names.'),
  ...content,
  templates: optionalList(transactionName, 'Names of templates whose content is added.'),
  notify: z.string().optional().meta({
    description: 'The URL to which the events of this transaction are sent, as in `tx send --notify`.',
  }),
  state: oneOf(SEED_STATES, 'is not a state. Use one of')
    .default('started')
    .meta({ description: 'The state that it is taken to.' }),
  signed: integer(0, LIMITS.recipientsPerTransaction).default(0).meta({
    description: 'How many recipients sign first. In the state completed, all of them do.',
  }),
  values: z.record(z.string(), z.record(z.string(), text())).default({}).meta({
    description: 'What recipients fill in: values by the label of the field, by the email of the recipient.',
  }),
  reason: text(LIMITS.reasonLength, 1)
    .default('Seeded')
    .meta({ description: 'The reason of a rejection or cancellation.' }),
});

export const seedSchema = z.strictObject({
  $schema: z.string().optional().meta({ description: 'The address of this schema, for editors.' }),
  users: optionalList(user, 'Users are recognized by their email addresses.'),
  applications: optionalList(application, 'OAuth applications.'),
  templates: optionalList(template, 'Reusable templates.'),
  webhooks: optionalList(webhook, 'Webhooks. They are registered before transactions are made.'),
  transactions: optionalList(transaction, 'Transactions, made in this order.'),
});

export type Seed = z.output<typeof seedSchema>;
/** As it is written; an omitted property has its default. */
export type SeedInput = z.input<typeof seedSchema>;
export type SeedTransaction = Seed['transactions'][number];
export type SeedTemplate = Seed['templates'][number];
