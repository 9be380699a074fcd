import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Let the clock of the sandbox run again',
  details: 'It runs on from the time that it shows. To return to real time, run `esign sandbox clock reset`.',
  arguments: [],
  options: {},
  json: '{now, real_time, is_paused}',
  examples: [{ line: 'esign sandbox clock resume', about: 'Let a stopped clock run again' }],
  async run(context) {
    const { client } = await context.connections.sandbox();
    const { clockOutcome } = await import('./clock-outcome.ts');
    const clock = await client['sandbox.resume_clock']({ body: {} });
    return clockOutcome(clock, 'The clock of the sandbox is running.');
  },
});
