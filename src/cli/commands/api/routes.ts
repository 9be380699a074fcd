import type { Operation } from '../../../api/contract/operation.ts';
import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'List the API operations and their paths',
  details:
    "Paths that the service's specification does not define are marked as assumed. To override a path, " +
    'use `esign config set routes.OPERATION "METHOD /path"` or ESIGN_ROUTES.',
  arguments: [],
  options: {},
  json: '{items: [{id, method, path, overridden, scope, assumed, extension, summary}]}',
  examples: [{ line: 'esign api routes', about: 'List the operations with their methods and paths' }],
  async run(context) {
    const { ASSUMED_ROUTES } = await import('../../../api/contract/assumed-routes.ts');
    const { API_OPERATIONS } = await import('../../../api/contract/operations.ts');
    const { parseRoute } = await import('../../../api/path.ts');
    const { routes } = await context.connections.profile();
    const items = Object.entries(API_OPERATIONS).map(([id, operation]: [string, Operation]) => {
      const other = parseRoute(routes[id] ?? '');
      const { method, path } = other ?? operation;
      return {
        id,
        method,
        path,
        overridden: other !== undefined,
        scope: typeof operation.access === 'object' ? operation.access.scope : null,
        assumed: other ? null : (ASSUMED_ROUTES[id] ?? null),
        extension: operation.extension === true,
        summary: operation.summary,
      };
    });
    const mark = ({ overridden, assumed, extension }: (typeof items)[number]): string =>
      [overridden ? 'overridden' : '', assumed ? `assumed ${assumed}` : '', extension ? 'extension' : '']
        .filter((word) => word !== '')
        .join(', ');
    return {
      kind: 'list',
      json: { items },
      empty: '',
      table: {
        columns: ['OPERATION', 'METHOD', 'PATH', 'SCOPE', ''],
        rows: items.map((item) => [item.id, item.method, item.path, item.scope, mark(item)]),
      },
    };
  },
});
