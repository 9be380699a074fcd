import { sandboxOperations } from '../../../api/contract/operations.ts';
import { defineCommand } from '../../command/command.ts';
import { list, object, prints, text } from '../../command/json-output.ts';
import { listRecords, showRecord } from '../../command/record.ts';
import { checkValue } from '../../input/check-value.ts';

export const commands = {
  save: defineCommand({
    summary: 'Save the state of the sandbox',
    details:
      'Saves everything: transactions, users, events, emails, and the clock. A snapshot with this name is replaced. The sandbox may be served meanwhile.',
    arguments: [{ name: 'name', summary: 'Name of the snapshot, in lowercase letters, digits and hyphens' }],
    options: {},
    json: prints(object({ name: text })),
    examples: [
      { line: 'esign sandbox snapshot save before-signing', about: 'Save a state that tests begin with' },
    ],
    async check(_, { args: { name } }) {
      checkValue(sandboxOperations['sandbox.save_snapshot'].params, { name }, { name: 'NAME' });
    },
    async run(context, { args }) {
      const { client } = await context.connections.sandbox();
      await client['sandbox.save_snapshot']({ params: { name: args.name }, body: {} });
      return showRecord(
        { name: args.name },
        { name: 'Snapshot' },
        { headline: 'Saved the state of the sandbox.' },
      );
    },
  }),

  restore: defineCommand({
    summary: 'Restore a saved state of the sandbox',
    details:
      'What happened after the snapshot is lost. The URL and the keys stay. The sandbox may be served meanwhile.',
    arguments: [
      {
        name: 'name',
        completes: 'snapshot',
        summary: 'Name of the snapshot, in lowercase letters, digits and hyphens',
      },
    ],
    options: {},
    json: prints(object({ name: text })),
    examples: [
      {
        line: 'esign sandbox snapshot restore before-signing',
        about: 'Begin the next test with the same state',
      },
    ],
    async check(_, { args: { name } }) {
      checkValue(sandboxOperations['sandbox.restore_snapshot'].params, { name }, { name: 'NAME' });
    },
    async run(context, { args }) {
      const { client } = await context.connections.sandbox();
      await client['sandbox.restore_snapshot']({ params: { name: args.name }, body: {} });
      return showRecord(
        { name: args.name },
        { name: 'Snapshot' },
        { headline: 'Restored the state of the sandbox.' },
      );
    },
  }),

  list: defineCommand({
    summary: 'List the snapshots of the sandbox',
    arguments: [],
    options: {},
    json: prints(list(object({ name: text, saved_at: text }))),
    examples: [{ line: 'esign sandbox snapshot list', about: 'List the saved states' }],
    async run(context) {
      const { client } = await context.connections.sandbox();
      const { items } = await client['sandbox.list_snapshots']();
      return listRecords(
        items,
        'There are no snapshots. To save one, run `esign sandbox snapshot save NAME`.',
        { Name: 'name', Saved: ({ saved_at }) => ({ instant: saved_at }) },
        { json: items },
      );
    },
  }),

  delete: defineCommand({
    summary: 'Delete a snapshot of the sandbox',
    arguments: [
      {
        name: 'name',
        completes: 'snapshot',
        summary: 'Name of the snapshot, in lowercase letters, digits and hyphens',
      },
    ],
    options: {},
    json: prints(object({ name: text })),
    examples: [{ line: 'esign sandbox snapshot delete before-signing', about: 'Delete a snapshot' }],
    async check(_, { args: { name } }) {
      checkValue(sandboxOperations['sandbox.delete_snapshot'].params, { name }, { name: 'NAME' });
    },
    async run(context, { args }) {
      const { client } = await context.connections.sandbox();
      await client['sandbox.delete_snapshot']({ params: { name: args.name } });
      return showRecord({ name: args.name }, { name: 'Snapshot' }, { headline: 'Deleted the snapshot.' });
    },
  }),
};
