// Writes schemas of the OpenAPI document as TypeScript. The type of a response depends on the service S that the user says the client is for: esign's
// own sends what its contract promises; of another, a property is certain only where the client checks that it is there, and names of a set are open.
import { PROMISED } from '../src/api/contract/openapi/schemas.ts';

/** @param schema an object, or several of them */
export function requestType(name, schema) {
  const comment = doc(schema.description, '');
  if (schema.oneOf || schema.allOf)
    return `${comment}export type ${name} = ${typeOf(schema, CLOSED.test(name) ? closed : open)};`;
  const properties = Object.entries(schema.properties).map(([key, property]) => {
    const mark = schema.required?.includes(key) ? '' : '?';
    const noted = { ...property, description: noteOf(name, key, property) };
    const type = TYPES[`${name}.${key}`] ?? typeOf(property, CLOSED.test(name) ? closed : open);
    const text = [noted.description?.replace(/(?<![.!?])$/, '.'), ...limitsOf(noted)]
      .filter(Boolean)
      .join(' ');
    return `${doc(text, '  ')}  ${propertyName(key)}${mark}: ${type};`;
  });
  return `${comment}export interface ${name} {\n${properties.join('\n')}\n}`;
}

/**
 * @param schema an object, or several of them
 * @param checked the properties that the reader of the response has checked
 */
export function responseType(name, schema, checked) {
  const comment = doc(schema.description, '');
  if (schema.oneOf || schema.allOf)
    return `${comment}export type ${name}${PARAMETER} = ${typeOf(schema, received)};`;
  const promised = schema[PROMISED] ?? schema.required ?? [];
  const properties = Object.entries(schema.properties).map(([key, property]) => {
    const type = typeOf(property, received);
    const isChecked = checked.includes(key);
    const mark = isChecked || promised.includes(key) ? '' : '?';
    const text = noteOf(name, key, property)?.replace(/(?<![.!?])$/, '.');
    return `${doc(text, '  ')}  ${propertyName(key)}${mark}: ${isChecked ? type : `Sent<S, ${type}>`};`;
  });
  return `${comment}export interface ${name}${PARAMETER} {\n${properties.join('\n')}\n}`;
}

/** The parameter of every type that is received. */
const PARAMETER = "<S extends ServiceKind = 'esign'>";

/** Requests that only the sandbox knows have names that it knows. Others may name what only another service knows. */
const CLOSED = /^Sandbox/;

/** Texts in requests with a set of names that their schema does not have. */
const TYPES = { 'SandboxAddFaultRequest.operation': "FaultedOperation | '*'" };

/** How names of a set and named types are written. */
const open = { names: (names) => [...names, '(string & {})'].join(' | '), reference: (name) => name };
const closed = { names: (names) => names.join(' | '), reference: (name) => name };
export const received = {
  names: (names) => `Open<S, ${names.join(' | ')}>`,
  reference: (name) => `${name}<S>`,
};

export const propertyName = (key) => (/^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`);

/** What the OpenAPI document says of a property, or what its name does not say by itself. */
const noteOf = (name, key, { description }) => {
  const note = NOTES[`${name}.${key}`] ?? NOTES[key];
  return [note, description].filter(Boolean).join(' ') || undefined;
};

const FIRST_PAGE = 'The page to begin with. Default: 1.';
const FULL_PAGE = 'How many items are requested at once. Default: 100.';

const NOTES = {
  'TemplateListQuery.page': FIRST_PAGE,
  'WebhookListQuery.page': FIRST_PAGE,
  'EventListQuery.page': FIRST_PAGE,
  'TemplateListQuery.limit': FULL_PAGE,
  'WebhookListQuery.limit': FULL_PAGE,
  'EventListQuery.limit': FULL_PAGE,
  'Field.page': 'The page that the field is on, from 0.',
  'FieldInput.page': 'The page that the field is on, from 0.',
  width: 'In points (1/72 inch).',
  height: 'In points (1/72 inch).',
  positionX: 'From the left edge of the page as it is displayed, in points (1/72 inch).',
  positionY: 'From the top edge of the page as it is displayed, in points (1/72 inch).',
  index: 'The place in the order, from 0.',
  expiration_days: 'How many days after its start the transaction expires.',
  notification_endpoint: 'A URL that receives the events of this transaction.',
  email_alias: 'The name of the sender in emails.',
  color: 'The color of the fields of this recipient.',
  regex: 'A pattern (RE2) that the value must match.',
  options: 'What can be chosen from.',
  helper_text: 'A hint for the recipient.',
  sha256: 'In hexadecimal.',
  presigned_url: 'The URL of the file, valid for one hour.',
  'Recipient.token': 'The signing token, for the recipient whose turn it is.',
  'FileUploadResponse.token': 'What `transactions.addDocument` takes.',
  'TransactionAddDocumentRequest.token': 'The token of an uploaded file.',
  'TransactionStartResponse.url': 'The signing address of the first recipient.',
  is_current: 'It is the turn of this recipient.',
  success_rate: 'The share of the last attempts that succeeded, from 0 to 1.',
  duration_ms: 'In milliseconds.',
  expires_in: 'In seconds.',
  after: 'The ID of an event: only what happened later, oldest first.',
  undelivered: 'Only events that a receiver has not received.',
  since: 'Events from this time on.',
};

/** What an ID may consist of is known to the service that made it. */
const ID_PATTERN = '^[\\w.:-]+$';

/** The limits of a value in a request, as sentences. */
function limitsOf({
  pattern,
  minLength,
  maxLength,
  minimum,
  maximum,
  exclusiveMinimum,
  minItems,
  maxItems,
  format,
}) {
  const isTime = format === 'date-time';
  return [
    maxLength !== undefined &&
      !isTime &&
      pattern !== ID_PATTERN &&
      `${minLength > 0 ? `${minLength} to` : 'At most'} ${maxLength} characters.`,
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}.`,
    exclusiveMinimum !== undefined && `More than ${exclusiveMinimum}.`,
    maxItems !== undefined && `${minItems > 0 ? `${minItems} to` : 'At most'} ${maxItems} entries.`,
    (format === 'email' || format === 'uri') && `${format === 'email' ? 'An email address' : 'A URL'}.`,
  ];
}

const doc = (text, indent) => (text ? `${indent}/** ${text.replaceAll('*/', '* /')} */\n` : '');

/** The type of a value. @param style how names are written */
export function typeOf(schema, style) {
  if (schema.$ref) return style.reference(schema.$ref.split('/').at(-1));
  if (schema.const !== undefined) return literal(schema.const);
  const union = schema.oneOf ?? schema.anyOf;
  if (union) return union.map((member) => typeOf(member, style)).join(' | ');
  if (schema.allOf) return schema.allOf.map((member) => typeOf(member, style)).join(' & ');
  if (Array.isArray(schema.type))
    return schema.type
      .map((type) =>
        typeOf({ ...schema, type, enum: schema.enum?.filter((member) => member !== null) }, style),
      )
      .join(' | ');
  if (schema.enum) return style.names(schema.enum.map(literal));
  if (schema.type === 'array') return listOf(typeOf(schema.items, style));
  if (schema.type === 'object') return recordOf(schema, style);
  if (schema.type === 'string') return schema.format === 'date-time' ? 'Instant' : 'string';
  return { number: 'number', integer: 'number', boolean: 'boolean', null: 'null' }[schema.type] ?? 'unknown';
}

const literal = (value) => (typeof value === 'string' ? `'${value}'` : String(value));

const listOf = (item) => (/[|&]/.test(item) && !item.startsWith('Open<') ? `(${item})[]` : `${item}[]`);

const recordOf = ({ additionalProperties }, style) =>
  `Record<string, ${additionalProperties ? typeOf(additionalProperties, style) : 'unknown'}>`;
