// Operations whose method and path the specification does not show (assumed: A1–A6).
export const ROUTES_ASSUMED: ReadonlySet<string> = new Set([
  'transaction.detail',
  'transaction.use_templates',
  'transaction.cancel',
  'template.detail',
  'template.list',
  'webhook.create',
  'webhook.list',
  'webhook.delete',
]);
