// The eight scopes of spec §5, in the order the specification lists them, each with what it grants.

export const SCOPES = {
  'transaction:read': 'view transactions',
  'transaction:create': 'create transactions on your behalf',
  'transaction:update': 'change, start and cancel transactions',
  'webhook:read': 'view the webhooks of your company',
  'webhook:create': 'create webhooks',
  'webhook:remove': 'delete the webhooks of your company',
  'file:create': 'upload files',
  'template:read': 'view templates',
} as const;

export type Scope = keyof typeof SCOPES;

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);
