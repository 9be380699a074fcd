import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Create what a file describes in the sandbox',
  details:
    'The file is YAML or JSON and has the lists users, applications, templates, webhooks and transactions; paths in it are relative ' +
    'to it. Transactions are taken to their state by real operations, so that events, emails and evidence are real. What exists is ' +
    'recognized by its name and kept, so that the command can be run again. Everything in the file is checked before anything is created. ' +
    'docs/testing.md describes the file, and docs/seed.schema.json is its JSON Schema for editors.',
  arguments: [{ name: 'file', completes: 'file', summary: 'YAML or JSON file; - reads standard input' }],
  options: {
    'dry-run': { summary: 'Check the file and print what would be created' },
  },
  json: '[{kind, name, result, id?, status?, secrets?}]; the secrets are shown only once',
  examples: [
    {
      line: 'esign sandbox seed world.yaml',
      about: 'Create the users, templates and transactions of a test',
    },
    { line: 'esign sandbox seed world.yaml --dry-run', about: 'Check the file' },
  ],
  async run(context, { args, options }) {
    const { openSeed } = await import('../../seeding/seed-sandbox.ts');
    const { seed } = await openSeed(args.file, context);
    const isDryRun = options['dry-run'];
    const things = await seed(await context.connections.sandbox(), { isDryRun });
    const { seedOutcome } = await import('../../seeding/seed-sandbox.ts');
    return seedOutcome(things, isDryRun);
  },
});
