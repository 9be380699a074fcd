import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Set the clock of the sandbox, forward or back',
  details:
    'The clock jumps, and what became due meanwhile happens after that, as when a laptop wakes up. To let each thing happen at ' +
    'its time, run `esign sandbox clock advance`.',
  arguments: [
    { name: 'instant', summary: 'Time such as 2030-01-01T09:00:00Z, or 2030-01-01 for midnight UTC' },
  ],
  options: {},
  json: '{now, real_time, is_paused}',
  examples: [
    { line: 'esign sandbox clock set 2030-01-01', about: 'Begin the year 2030' },
    {
      line: 'esign sandbox clock set 2026-12-31T23:59:30Z',
      about: 'Set the clock to half a minute before the new year',
    },
  ],
  async check(_, { args: { instant } }) {
    (await import('../../../input/parse-input.ts')).parseClockTime('INSTANT', instant);
  },
  async run(context, { args }) {
    const body = {
      to: (await import('../../../input/parse-input.ts')).parseClockTime('INSTANT', args.instant),
    };
    const { client } = await context.connections.sandbox();
    const { clockOutcome } = await import('./clock-outcome.ts');
    return clockOutcome(await client['sandbox.set_clock']({ body }), 'Set the clock of the sandbox.');
  },
});
