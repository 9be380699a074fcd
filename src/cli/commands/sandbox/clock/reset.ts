import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Set the clock of the sandbox to real time',
  arguments: [],
  options: {},
  json: '{now, real_time, is_paused}',
  examples: [{ line: 'esign sandbox clock reset', about: 'Use the time of this machine again' }],
  async run(context) {
    const { client } = await context.connections.sandbox();
    const { clockOutcome } = await import('./clock-outcome.ts');
    const clock = await client['sandbox.reset_clock']({ body: {} });
    return clockOutcome(clock, 'The clock of the sandbox shows real time.');
  },
});
