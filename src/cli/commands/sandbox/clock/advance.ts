import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Advance the clock of the sandbox, and do what becomes due',
  details:
    'Everything that becomes due on the way happens at its time and in its order: transactions expire, events and emails are tried ' +
    'again. The command ends when all of it has happened, and lists it. To set the clock back, use `esign sandbox clock set`.',
  arguments: [
    {
      name: 'duration',
      summary: 'How far, such as 30d, 12h, 10m or 90s, or an instant to advance to, such as 2030-01-01',
    },
  ],
  options: {},
  json: '{now, real_time, is_paused, status: "ready", fired: [{type: "transaction_expired" | "delivery_attempted", at, transaction_id, id, attempt: {kind, endpoint, ok, status, why, next_at} | null}], fired_total}',
  examples: [
    { line: 'esign sandbox clock advance 30d', about: 'Let a month pass, so that transactions expire' },
    { line: 'esign sandbox clock advance 75h', about: 'Let all attempts to deliver an event be made' },
  ],
  async check(_, { args: { duration } }) {
    (await import('./clock-values.ts')).advanceOf(duration);
  },
  async run(context, { args }) {
    const body = (await import('./clock-values.ts')).advanceOf(args.duration);
    const { client } = await context.connections.sandbox();
    const { advancedOutcome } = await import('./clock-outcome.ts');
    return advancedOutcome(await client['sandbox.advance_clock']({ body }));
  },
});
