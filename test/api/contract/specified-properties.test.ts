// Properties of requests and answers, compared with docs/service.md: what stands in its rules is promised, and everything else is
// marked as an extension, described, and optional, because another service does not have it.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../src/api/contract/openapi/document.ts';

type Schema = {
  $ref?: string;
  items?: Schema;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  'x-extension'?: true;
};
type Operation = {
  operationId: string;
  'x-extension'?: true;
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const { paths, components } = openApiDocument('/') as unknown as Document;
const { schemas } = components;
const service = readFileSync(new URL('../../../docs/service.md', import.meta.url), 'utf8');

/** The words in the backticks of a text. */
const wordsIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => code.match(/[A-Za-z_]+/g) ?? []);

/** The text of rules, by their numbers. */
function ruleText(...numbers: string[]): string {
  return numbers
    .map((number) => {
      const row = new RegExp(
        `^(?:\\| ${number} \\||- \\*\\*${number}\\*\\* )[^\\n]*(?:\\n  [^\\n]*)*`,
        'm',
      ).exec(service);
      if (!row) throw new Error(`docs/service.md has no rule ${number}.`);
      return row[0];
    })
    .join('\n');
}

const rules = (section: number, first: number, last: number): string =>
  ruleText(...Array.from({ length: last - first + 1 }, (_, at) => `${section}.${first + at}`));

/** The names in the second cell of the rows of a table. */
const columnOf = (text: string): string[] =>
  text.split('\n').flatMap((row) => wordsIn(row.split('|')[2] ?? ''));

/** Which properties each object has by the rules: all of them, and no others. */
const RESOURCES: Record<string, string[]> = {
  Transaction: columnOf(rules(2, 3, 23)),
  Template: columnOf(rules(2, 24, 37)),
  Recipient: columnOf(rules(2, 38, 47)),
  Document: columnOf(rules(2, 48, 52)),
  Field: columnOf(rules(2, 54, 73)),
  StoredFile: wordsIn(ruleText('2.51')).filter((word) => word !== 'file'),
  Page: wordsIn(ruleText('2.52')).filter((word) => word !== 'pages'),
  Pagination: wordsIn(ruleText('4.58')).filter((word) => word !== 'meta'),
};

/** Objects of requests, which take these properties. */
const INPUTS: Record<string, string[]> = {
  DocumentInput: wordsIn(ruleText('2.53')),
  RecipientInput: wordsIn(ruleText('4.17')),
  FieldInput: [...(RESOURCES.Field ?? []), ...wordsIn(ruleText('4.29'))],
};

/** What the rules of an operation name. */
const OPERATIONS: Record<string, string[]> = {
  'transaction.create': wordsIn(rules(4, 3, 5)),
  'transaction.update': wordsIn(`${rules(4, 9, 18)}${ruleText('4.19')}`),
  'file.upload': wordsIn(rules(4, 20, 24)),
  'transaction.add_document': wordsIn(rules(4, 25, 27)),
  'transaction.fields': wordsIn(rules(4, 28, 30)),
  'transaction.start': wordsIn(rules(4, 31, 33)),
  'transaction.detail': [],
  'transaction.use_templates': wordsIn(ruleText('4.39')),
  'transaction.cancel': wordsIn(rules(4, 43, 44)),
  'template.detail': wordsIn(ruleText('4.48')),
  'template.list': wordsIn(rules(4, 50, 51)),
  'webhook.create': wordsIn(rules(4, 53, 54)),
  'webhook.list': wordsIn(ruleText('4.57')),
  'oauth.exchange_code': wordsIn(rules(5, 22, 23)),
  'oauth.refresh_token': wordsIn(rules(5, 27, 28)),
};

const nameOf = ({ $ref }: Schema): string | undefined => $ref?.replace('#/components/schemas/', '');

/** Properties that are neither marked nor allowed, through all that is not marked, as `Object.property`. */
function unmarkedIn(schema: Schema, allowed: readonly string[], name: string): string[] {
  const shared = nameOf(schema);
  if (shared !== undefined) {
    const own = RESOURCES[shared] ?? INPUTS[shared];
    return unmarkedIn(schemas[shared] as Schema, own ?? allowed, shared);
  }
  return [
    ...(schema.items ? unmarkedIn(schema.items, allowed, name) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([property, inside]) => {
      if (inside['x-extension']) return [];
      const deeper = unmarkedIn(inside, allowed, `${name}.${property}`);
      return allowed.includes(property) ? deeper : [`${name}.${property}`, ...deeper];
    }),
  ];
}

const specified = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .filter((operation) => !operation['x-extension'] && operation.operationId !== 'oauth.authorize');

describe('the properties of requests and answers', () => {
  test('are listed for every operation of the specification', () => {
    expect(specified.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(OPERATIONS).sort());
  });

  test.each(specified)(
    'of $operationId stand in docs/service.md or are marked as extensions',
    (operation) => {
      const { operationId, requestBody, responses } = operation;
      const success = responses['200'] ?? responses['201'];
      const media = [requestBody?.content, success?.content].flatMap((content) =>
        Object.values(content ?? {}),
      );
      const allowed = OPERATIONS[operationId] ?? [];
      expect(media.flatMap(({ schema }) => unmarkedIn(schema, allowed, operationId))).toEqual([]);
    },
  );

  test.each(Object.keys(RESOURCES))(
    'of %s are all that docs/service.md names, none of them optional',
    (name) => {
      const { properties = {}, required = [] } = schemas[name] as Schema;
      const own = Object.keys(properties).filter((property) => !properties[property]?.['x-extension']);
      expect(own.sort()).toEqual([...new Set(RESOURCES[name])].sort());
      expect([...required].sort()).toEqual(own.sort());
    },
  );

  test.each([
    ['TransactionCreatedData', '6.7'],
    ['TransactionStartedData', '6.8'],
    ['TransactionCompletedData', '6.9'],
    ['TransactionExpiredData', '6.10'],
    ['RecipientSubmittedData', '6.11'],
    ['TransactionRejectedData', '6.12'],
    ['TransactionCancelledData', '6.13'],
    ['TransactionCreatedEvent', '6.3', '6.4', '6.5', '6.6', '6.7'],
  ])('of the event data %s stand in docs/service.md or are marked as extensions', (name, ...numbers) => {
    expect(unmarkedIn(schemas[name] as Schema, wordsIn(ruleText(...numbers)), name)).toEqual([]);
  });

  test('that are extensions are described, optional, and listed in docs/service.md', () => {
    const marked = Object.entries(schemas).flatMap(([name, { properties = {}, required = [] }]) =>
      Object.entries(properties)
        .filter(([, schema]) => schema['x-extension'])
        .map(([property, { description = '' }]) => ({
          row: `| \`${name}\` | \`${property}\` | ${description} |`,
          isOptional: !required.includes(property),
          isDescribed: description !== '',
        })),
    );
    expect(marked.length).toBeGreaterThan(12);
    expect(marked.filter(({ isOptional, isDescribed }) => !isOptional || !isDescribed)).toEqual([]);
    expect(marked.filter(({ row }) => !service.includes(row))).toEqual([]);
  });
});
