import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Stop the clock of the sandbox',
  details: 'While it is stopped, it can be set and advanced.',
  arguments: [],
  options: {
    at: { value: 'INSTANT', summary: 'Set it to this time first, such as 2030-01-01T09:00:00Z' },
  },
  json: '{now, real_time, is_paused}',
  examples: [
    { line: 'esign sandbox clock pause', about: 'Stop the clock where it is' },
    { line: 'esign sandbox clock pause --at 2030-01-01', about: 'Make a test see the same time in each run' },
  ],
  async check(_, { options: { at } }) {
    if (at !== undefined) (await import('../../../input/parse-input.ts')).parseClockTime('INSTANT', at);
  },
  async run(context, { options: { at } }) {
    const body =
      at === undefined
        ? {}
        : { at: (await import('../../../input/parse-input.ts')).parseClockTime('INSTANT', at) };
    const { client } = await context.connections.sandbox();
    const { clockOutcome } = await import('./clock-outcome.ts');
    return clockOutcome(await client['sandbox.pause_clock']({ body }), 'Stopped the clock of the sandbox.');
  },
});
