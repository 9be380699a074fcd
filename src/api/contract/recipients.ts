// Recipients: their roles and colors, and the schemas of spec §2 and §4 that describe them.

import * as z from 'zod';
import { MAIL_KINDS } from './events.ts';
import { lazySchema } from './lazy-schema.ts';
import {
  neededId,
  neededText,
  type ReadBy,
  record,
  someFlag,
  someId,
  someNumber,
  someRecord,
  someText,
} from './lenient.ts';
import { LIMITS } from './limits.ts';
import { email, extension, id, instant, integer, line, oneOf } from './values.ts';

/** spec §2; a proxy acts like a signer on behalf of another person (assumed: A13). */
export const ROLES = ['sender', 'signer', 'proxy'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Names of colors (spec §2). The specification does not list them, so these are by position (assumed: A20). Each is dark enough for
 * white letters, at least 4.5 : 1.
 */
const PALETTE = {
  blue: '#1d4ed8',
  pink: '#be185d',
  green: '#15803d',
  orange: '#c2410c',
  purple: '#6d28d9',
  cyan: '#0e7490',
  red: '#b91c1c',
  olive: '#655900',
} as const;
const NAMES = Object.keys(PALETTE);

export const colorAt = (index: number): string => NAMES[index % NAMES.length] ?? 'blue';

const OTHER_COLOR = '#475569';

/** `#rrggbb`. A service may have other names, or send the color itself. */
export function colorValueOf(color: string | undefined): string {
  if (color !== undefined && Object.hasOwn(PALETTE, color)) return PALETTE[color as keyof typeof PALETTE];
  return /^#[0-9a-f]{6}$/i.test(color ?? '') ? (color as string) : OTHER_COLOR;
}

/** spec §2, Recipient. */
export const recipient = lazySchema(() =>
  z.strictObject({
    id,
    role: z.enum(ROLES),
    color: z.string(),
    index: z.int().min(0),
    name: z.string(),
    email: z.string(),
    /** The signing token of the recipient who is pending, null for the others (assumed: A38). */
    token: z.string().nullable(),
    submitted_at: instant.nullable(),
    opened_at: extension(
      instant.nullable(),
      'When the signing link of the recipient was first opened, by them or by a program such as a mail scanner.',
    ),
    undelivered_email: extension(
      z.strictObject({ kind: z.enum(MAIL_KINDS), reason: z.string(), at: instant }).nullable(),
      'The last email to the recipient, if it could not be delivered. `reason` is the end of a sentence.',
    ),
    is_current: z.boolean(),
    created_at: instant,
    updated_at: instant,
  }),
);

export type WireRecipient = z.output<typeof recipient>;

export const receivedRecipient = record({
  id: neededId,
  role: someText,
  color: someText,
  index: someNumber,
  name: neededText,
  email: neededText,
  token: someId,
  submitted_at: someText,
  opened_at: someText,
  undelivered_email: someRecord({ kind: someText, reason: someText, at: someText }),
  is_current: someFlag,
});

export type ReceivedRecipient = ReadBy<typeof receivedRecipient>;

/** A client sends any text: the service says which roles it knows. */
const roleInput: z.ZodType<Role, string> = lazySchema(() => oneOf(ROLES, 'is not a role. Use one of'));

/** spec §4, update: {id, role, color, index, name, email}; `id` is that of one who is there, or a new UUID (assumed: A20). */
export const recipientInput = lazySchema(() =>
  z.object({
    id: id.optional(),
    role: roleInput,
    color: line(1, LIMITS.colorLength).optional(),
    index: integer(0, LIMITS.recipientsPerTransaction - 1),
    name: line(1, LIMITS.personNameLength),
    email,
  }),
);
