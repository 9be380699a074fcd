// Lists the operations whose method and path the specification does not show, with the open point that chose them. They are
// apart from the table of operations, so that an error can name the point without loading every schema.

/** decisions/0001: A1 to A6. */
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
