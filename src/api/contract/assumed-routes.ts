// Lists the routes that the specification does not show. Errors name them, so this file loads nothing: a command that sends no request needs no schema.

/** Operations whose method and path the specification does not show, each with the open point that chose them (decisions/0001: A1 to A6). */
export const ASSUMED_ROUTES: Readonly<Record<string, string>> = {
  'transaction.detail': 'A1',
  'transaction.use_templates': 'A2',
  'transaction.cancel': 'A3',
  'template.detail': 'A4',
  'template.list': 'A4',
  'webhook.create': 'A5',
  'webhook.list': 'A5',
  'webhook.delete': 'A6',
};
