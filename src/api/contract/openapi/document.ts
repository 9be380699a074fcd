// The table of operations, and the events, as OpenAPI 3.1. Pure: the same table gives the same document. Its readers
// have not seen our code: it names nothing that they cannot look up.
import type * as z from 'zod';
import { attempt } from '../events.ts';
import { field, fieldInput, fieldValue } from '../fields.ts';
import { LIMITS } from '../limits.ts';
import { AUTHORIZATION_PARAMETERS, AUTHORIZATION_PATH } from '../oauth.ts';
import { isScoped, type Operation, SCOPES } from '../operation.ts';
import { OPERATIONS, type OperationId } from '../operations.ts';
import { pagination } from '../paging.ts';
import { preparation, recordedPreparation } from '../preparation.ts';
import { recipient, recipientInput } from '../recipients.ts';
import { remark } from '../remarks.ts';
import { document, documentInput, sealedDocument, template, transaction } from '../transactions.ts';
import { registerEvents, webhookDeliveries } from './events.ts';
import { PROBLEM, responseComponents, responsesOf } from './responses.ts';
import {
  createNamedSchemas,
  type Json,
  jsonSchemaOf,
  type NamedSchemas,
  PROMISED,
  pascal,
} from './schemas.ts';

const TAGS: Record<string, string> = {
  transaction: 'From a draft to its end',
  file: 'Files to use as documents',
  template: 'Reusable content',
  webhook: 'URLs that events are sent to',
  event: 'What happened, and where it was delivered',
  oauth: 'Tokens for OAuth applications',
  signing: 'What a recipient does, with the token of the signing URL',
  sandbox: 'Operations that only the esign sandbox has',
};

/** @param origin where the service is reached, for the `servers` entry */
export const openApiDocument = (origin: string): Json =>
  JSON.parse(
    JSON.stringify(documentWithPromises(origin), (key, value) => (key === PROMISED ? undefined : value)),
  ) as Json;

/** The document, and in each object of a response what this service always sends, extensions as well. */
export function documentWithPromises(origin: string): Json {
  const schemas = createNamedSchemas();
  registerResources(schemas);
  const paths: Record<string, Json> = {};
  for (const id of Object.keys(OPERATIONS) as OperationId[]) {
    const operation: Operation = OPERATIONS[id];
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(id, operation, schemas),
    };
  }
  paths[AUTHORIZATION_PATH] = { get: authorization() };
  const webhooks = webhookDeliveries(schemas);
  schemas.named('Problem', PROBLEM);
  return {
    openapi: '3.1.0',
    info: {
      title: 'esign',
      version: '1',
      summary: 'Electronic signature transactions',
      description:
        'Create, send and track transactions in which people sign documents. `x-extension` marks what only the esign sandbox has. `x-assumed` lists choices by their number in docs/service.md that other services may make differently.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      ...responseComponents(),
      schemas: schemas.components(),
    },
  };
}

/** Shapes that several operations share, under the names that the rules of the service have for them. */
function registerResources(schemas: NamedSchemas): void {
  const read = (schema: z.ZodType) => jsonSchemaOf(schema, 'output');
  const written = (schema: z.ZodType) => jsonSchemaOf(schema, 'input');
  const { file, pages } = read(document).properties as { file: Json; pages: { items: Json } };
  schemas.register('StoredFile', file);
  schemas.register('Page', pages.items);
  schemas.register('Remark', read(remark));
  schemas.register('Preparation', read(recordedPreparation));
  schemas.register('Document', read(document));
  schemas.register('Recipient', read(recipient));
  schemas.register('Field', read(field));
  schemas.register('Template', read(template));
  schemas.register('SealedDocument', read(sealedDocument));
  schemas.register('Transaction', read(transaction));
  schemas.register('Pagination', read(pagination));
  schemas.register('Attempt', read(attempt));
  schemas.register('PreparationInput', written(preparation));
  schemas.register('DocumentInput', written(documentInput));
  schemas.register('RecipientInput', written(recipientInput));
  schemas.register('FieldInput', written(fieldInput));
  schemas.register('FieldValue', written(fieldValue));
  registerEvents(schemas);
  schemas.register('Webhook', read(OPERATIONS['webhook.detail'].success.schema));
  schemas.register('User', read(OPERATIONS['sandbox.add_user'].success.schema));
}

function describe(id: OperationId, operation: Operation, schemas: NamedSchemas): Json {
  const parameters = [
    ...parametersOf(operation.params, 'path'),
    ...parametersOf(operation.query, 'query'),
    ...idempotencyOf(operation),
  ];
  return {
    operationId: id,
    summary: operation.summary,
    tags: [id.split('.')[0]],
    ...(operation.assumed && { 'x-assumed': operation.assumed }),
    ...(operation.extension && { 'x-extension': true }),
    security: securityOf(operation),
    parameters,
    ...requestBodyOf(id, operation, schemas),
    responses: responsesOf(id, operation, schemas),
  };
}

const SECURITY_SCHEMES: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: Object.entries(SCOPES)
      .map(([scope, grants]) => `${scope}: ${grants}`)
      .join('\n'),
  },
  control: { type: 'apiKey', in: 'header', name: 'X-Esign-Control' },
};

function securityOf({ access }: Operation): Json[] {
  if (isScoped(access)) return [{ bearer: [access.scope] }];
  if (access === 'user') return [{ bearer: [] }];
  return access === 'control' ? [{ control: [] }] : [];
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input') as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

const idempotencyOf = ({ idempotent }: Operation): Json[] =>
  idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'Repeating a request with the same key and body returns the first response for 24 hours.',
          schema: { type: 'string', maxLength: LIMITS.idempotencyKeyLength },
          'x-extension': true,
          'x-assumed': ['A37'],
        },
      ]
    : [];

function requestBodyOf(id: OperationId, operation: Operation, schemas: NamedSchemas): Json {
  const name = `${pascal(id)}Request`;
  const example = operation.example === undefined ? {} : { example: operation.example };
  if (operation.body) {
    const schema = schemas.named(name, jsonSchemaOf(operation.body, 'input'));
    const required = !operation.body.safeParse({}).success;
    return { requestBody: { required, content: { 'application/json': { schema, ...example } } } };
  }
  if (!operation.multipart) return {};
  const form = jsonSchemaOf(operation.multipart, 'input') as { properties: Json };
  const properties = { ...form.properties, file: { type: 'string', format: 'binary' } };
  const schema = schemas.named(name, { ...form, properties, required: ['file'] });
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
}

/** The page of the authorization link (spec §5). The dashboard answers it, at {dashboard_url}. */
const authorization = (): Json => ({
  operationId: 'oauth.authorize',
  summary: 'Ask the user for consent, in a browser',
  description:
    'A page of the dashboard. The user signs in or registers and gives consent. Then the browser goes to the callback URL with `code`, or with `error=access_denied`, and with `state` if it was given.',
  tags: ['oauth'],
  'x-assumed': ['A23', 'A24'],
  security: [],
  parameters: Object.entries(AUTHORIZATION_PARAMETERS).map(([name, { isRequired, description }]) => ({
    name,
    in: 'query',
    required: isRequired,
    description,
    schema: { type: 'string', ...(name === 'redirect_uri' && { format: 'uri' }) },
    ...(!isRequired && { 'x-extension': true }),
  })),
  responses: {
    200: page('The page on which the user gives consent.'),
    303: { description: 'To the page on which the user signs in.' },
    400: page('The link is not valid. The page says why.'),
  },
});

const page = (description: string): Json => ({
  description,
  content: { 'text/html': { schema: { type: 'string' } } },
});
