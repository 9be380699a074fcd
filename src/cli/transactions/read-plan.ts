// Reads a plan that `tx send` has stored, and refuses one that cannot be read before anything is done.
import * as z from 'zod';
import { ANCHOR_POSITIONS } from '../../placement/anchors.ts';
import { cliError } from '../command/errors.ts';
import { PLAN_VERSION, type Plan } from './plan.ts';

const versioned = z.looseObject({ version: z.int().min(1) });

const person = z.looseObject({ name: z.string(), email: z.string() });
const position = z.int().min(0);
const pageNumber = z.union([position, z.literal('last')]);
const box = z.looseObject({
  page: position,
  positionX: z.number(),
  positionY: z.number(),
  width: z.number(),
  height: z.number(),
});

/** The properties that the execution of a plan needs. All others are text for people, or are sent unchanged. */
const shape = versioned.extend({
  id: z.string(),
  files: z.array(
    z.looseObject({
      path: z.string(),
      name: z.string(),
      sha256: z.string(),
      pages: z.array(z.looseObject({ width: z.number(), height: z.number() })).nullable(),
    }),
  ),
  templates: z.array(z.string()),
  sender: person.nullable(),
  recipients: z.array(
    person.extend({ role: z.enum(['sender', 'signer', 'proxy']), id: z.string().optional() }),
  ),
  fills: z.array(position).optional(),
  fields: z.array(
    z
      .looseObject({
        type: z.string(),
        page: pageNumber.optional(),
        anchor: z.looseObject({ text: z.string(), at: z.enum(ANCHOR_POSITIONS) }).optional(),
        document: position,
        recipient: z.string(),
        of: position.optional(),
        properties: z.looseObject({}),
        source: z.string(),
      })
      .refine(({ page, anchor }) => (page === undefined) !== (anchor === undefined)),
  ),
  boxesFor: z.array(position),
  places: z.array(box).optional(),
  drawn: z
    .array(z.looseObject({ document: position, field: z.looseObject({ value: z.string() }) }))
    .optional(),
  emptied: z
    .array(
      z.looseObject({
        document: position,
        places: z.array(z.looseObject({ page: position, annotation: position })),
      }),
    )
    .optional(),
  removed: z
    .array(
      z.looseObject({
        document: position,
        texts: z.array(z.looseObject({ page: position, index: position, text: z.string() })),
      }),
    )
    .optional(),
  data: z
    .array(
      z.looseObject({
        label: z.string(),
        recipient: z.string().optional(),
        value: z.union([z.string(), z.number(), z.boolean()]),
      }),
    )
    .optional(),
  warnings: z.array(z.looseObject({ document: z.string() })).optional(),
  texts: z.looseObject({ name: z.string().optional() }),
  notify: z.string().nullable(),
  draft: z.boolean(),
});

type Stored = z.infer<typeof shape>;

/** Reads a plan. @throws CliError when a newer version wrote it, or when it is damaged */
export function readPlan(content: unknown, id: string): Plan {
  const { version = 0 } = versioned.safeParse(content).data ?? {};
  if (version > PLAN_VERSION) throw cliError('plan_newer', { plan: id });
  const { data } = shape.safeParse(content);
  if (!data || data.id !== id || !isWhole(data)) throw cliError('plan_unreadable', { plan: id });
  return data as unknown as Plan;
}

/** Whether every position exists. */
function isWhole({ files, fields, recipients, boxesFor, fills = [] }: Stored): boolean {
  return (
    [...boxesFor, ...fills].every((at) => at < recipients.length) &&
    fields.every(({ document, of = 0 }) => document < files.length && (of === 0 || of < recipients.length))
  );
}
