// Templates: the two reading operations of spec §4.
import * as z from 'zod';
import { FIELD_TYPES } from './fields.ts';
import { lazySchema } from './lazy-schema.ts';
import { list, neededId, neededText, record, someList, someNumber, someRecord, someText } from './lenient.ts';
import { LIMITS } from './limits.ts';
import type { Operation } from './operation.ts';
import { ROLES } from './recipients.ts';
import { extension, id, line, pageQuery, pagination, receivedPages } from './values.ts';

const recipientShape = { id: someText, name: someText, email: someText, role: someText };

const detail = record({
  id: neededId,
  name: neededText,
  description: someText,
  recipients: someList(record({ ...recipientShape, index: someNumber })),
  fields: someList(
    record({ id: someText, label: someText, type: someText, recipient: someRecord(recipientShape) }),
  ),
});

export const templateOperations = {
  'template.detail': {
    method: 'GET',
    path: '/v1/template/{templateId}',
    access: { scope: 'template:read' },
    params: lazySchema(() => z.object({ templateId: id })),
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({
          id,
          name: z.string(),
          description: z.string(),
          // The specification shows recipients beside their fields only, and not in which order they act.
          recipients: extension(
            z.array(
              z.strictObject({
                id,
                name: z.string(),
                email: z.string(),
                role: z.enum(ROLES),
                index: z.int().min(0),
              }),
            ),
            'All recipients in signing order, including those without fields.',
          ),
          fields: z.array(
            z.strictObject({
              id,
              label: z.string(),
              type: z.enum(FIELD_TYPES),
              recipient: z.strictObject({ id, name: z.string(), email: z.string(), role: z.enum(ROLES) }),
            }),
          ),
        }),
      ),
    },
    received: detail,
    problems: ['template_not_found'],
    source: 'spec §4 Get template',
    assumed: ['A4', 'A7'],
    summary: 'Get a template and its fields',
  },
  'template.list': {
    method: 'GET',
    path: '/v1/template',
    access: { scope: 'template:read' },
    query: lazySchema(() => z.object({ search: line(0, LIMITS.searchLength).optional(), ...pageQuery })),
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({ items: z.array(z.strictObject({ id, name: z.string() })), meta: pagination }),
      ),
    },
    received: record({ items: list(record({ id: neededId, name: someText })), meta: receivedPages }),
    problems: [],
    source: 'spec §4 List templates',
    assumed: ['A4', 'A7', 'A33'],
    summary: 'List templates, newest first',
  },
} as const satisfies Record<string, Operation>;
