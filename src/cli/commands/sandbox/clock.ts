import type { Client } from '../../../api/client.ts';
import { durationOf, type Instant } from '../../../common/instant.ts';
import { defineCommand } from '../../command/command.ts';
import { boolean, list, nullable, number, object, only, prints, text } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { showRecord, time } from '../../command/record.ts';
import { invalidValue } from '../../command/wrong-input.ts';
import { parseClockTime } from '../../input/parse-input.ts';

const CLOCK = { now: text, real_time: text, is_paused: boolean };

export const commands = {
  show: defineCommand({
    summary: 'Show the time by the clock of the sandbox',
    details:
      'Everything that people see and that rules compare follows this clock: expiry, retries, codes, tokens, dates in emails. ' +
      'TLS, certificates and seals use the time of this machine.',
    arguments: [],
    options: {},
    json: prints(object(CLOCK)),
    examples: [{ line: 'esign sandbox clock show', about: 'Show what time it is in the sandbox' }],
    async run(context) {
      const { client } = await context.connections.sandbox();
      return clockOutcome(await client['sandbox.clock']());
    },
  }),

  set: defineCommand({
    summary: 'Set the clock of the sandbox, forward or back',
    details:
      'The clock jumps, and what became due meanwhile happens after that, as when a laptop wakes up. To let each thing happen at ' +
      'its time, run `esign sandbox clock advance`.',
    arguments: [
      { name: 'instant', summary: 'Time such as 2030-01-01T09:00:00Z, or 2030-01-01 for midnight UTC' },
    ],
    options: {},
    json: prints(object(CLOCK)),
    examples: [
      { line: 'esign sandbox clock set 2030-01-01', about: 'Begin the year 2030' },
      {
        line: 'esign sandbox clock set 2026-12-31T23:59:30Z',
        about: 'Set the clock to half a minute before the new year',
      },
    ],
    async check(_, { args: { instant } }) {
      parseClockTime('INSTANT', instant);
    },
    async run(context, { args }) {
      const body = {
        to: parseClockTime('INSTANT', args.instant),
      };
      const { client } = await context.connections.sandbox();
      return clockOutcome(await client['sandbox.set_clock']({ body }), 'Set the clock of the sandbox.');
    },
  }),

  advance: defineCommand({
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
    json: prints(
      object({
        ...CLOCK,
        status: only('ready'),
        fired: list(
          object({
            type: only('transaction_expired', 'delivery_attempted'),
            at: text,
            transaction_id: text,
            id: text,
            attempt: nullable(
              object({
                kind: text,
                endpoint: text,
                ok: boolean,
                status: nullable(number),
                why: nullable(text),
                next_at: nullable(text),
              }),
            ),
          }),
        ),
        fired_total: number,
      }),
    ),
    examples: [
      { line: 'esign sandbox clock advance 30d', about: 'Let a month pass, so that transactions expire' },
      { line: 'esign sandbox clock advance 75h', about: 'Let all attempts to deliver an event be made' },
    ],
    async check(_, { args: { duration } }) {
      advanceOf(duration);
    },
    async run(context, { args }) {
      const body = advanceOf(args.duration);
      const { client } = await context.connections.sandbox();
      return advancedOutcome(await client['sandbox.advance_clock']({ body }));
    },
  }),

  pause: defineCommand({
    summary: 'Stop the clock of the sandbox',
    details: 'While it is stopped, it can be set and advanced.',
    arguments: [],
    options: {
      at: { value: 'INSTANT', summary: 'Set it to this time first, such as 2030-01-01T09:00:00Z' },
    },
    json: prints(object(CLOCK)),
    examples: [
      { line: 'esign sandbox clock pause', about: 'Stop the clock where it is' },
      {
        line: 'esign sandbox clock pause --at 2030-01-01',
        about: 'Make a test see the same time in each run',
      },
    ],
    async check(_, { options: { at } }) {
      if (at !== undefined) parseClockTime('INSTANT', at);
    },
    async run(context, { options: { at } }) {
      const body = at === undefined ? {} : { at: parseClockTime('INSTANT', at) };
      const { client } = await context.connections.sandbox();
      return clockOutcome(await client['sandbox.pause_clock']({ body }), 'Stopped the clock of the sandbox.');
    },
  }),

  resume: defineCommand({
    summary: 'Let the clock of the sandbox run again',
    details:
      'It runs on from the time that it shows. To return to real time, run `esign sandbox clock reset`.',
    arguments: [],
    options: {},
    json: prints(object(CLOCK)),
    examples: [{ line: 'esign sandbox clock resume', about: 'Let a stopped clock run again' }],
    async run(context) {
      const { client } = await context.connections.sandbox();
      const clock = await client['sandbox.resume_clock']({ body: {} });
      return clockOutcome(clock, 'The clock of the sandbox is running.');
    },
  }),

  reset: defineCommand({
    summary: 'Set the clock of the sandbox to real time',
    arguments: [],
    options: {},
    json: prints(object(CLOCK)),
    examples: [{ line: 'esign sandbox clock reset', about: 'Use the time of this machine again' }],
    async run(context) {
      const { client } = await context.connections.sandbox();
      const clock = await client['sandbox.reset_clock']({ body: {} });
      return clockOutcome(clock, 'The clock of the sandbox shows real time.');
    },
  }),
};

type ClockNow = Awaited<ReturnType<Client['sandbox.clock']>>;

type Advanced = Awaited<ReturnType<Client['sandbox.advance_clock']>>;

const clockOutcome = (clock: ClockNow, headline?: string): Outcome =>
  showRecord(clock, CLOCK_LABELS, { ...(headline !== undefined && { headline }) });

const CLOCK_LABELS = {
  now: time('Sandbox clock'),
  real_time: time('Real time'),
  is_paused: (value: boolean) => ({ ...(value && { label: 'Paused' }), value }),
};

function advancedOutcome(advanced: Advanced): Outcome {
  const { fired, fired_total } = advanced;
  const columns = ['Time', 'What happened', 'Transaction', { name: 'Result', fit: 'wraps' as const }];
  const rows = fired.map((event) => [
    { instant: event.at },
    happeningOf(event),
    event.transaction_id,
    resultOf(event),
  ]);
  const hidden = fired_total - fired.length;
  return showRecord(
    advanced,
    { ...CLOCK_LABELS, fired_total: (value) => ({ ...(hidden > 0 && { label: 'In all' }), value }) },
    {
      headline: `Moved the clock of the sandbox. ${fired_total === 0 ? 'Nothing became due.' : ''}`.trim(),
      ...(rows.length > 0 && { tables: [{ key: 'fired', title: 'What became due', columns, rows }] }),
    },
  );
}

type Fired = Advanced['fired'][number];

function happeningOf({ attempt }: Fired): string {
  if (!attempt) return 'Transaction expired';
  return attempt.kind === 'mail' ? 'Email sent' : 'Event sent';
}

function resultOf({ attempt }: Fired): string {
  if (!attempt) return '';
  const to = attempt.kind === 'mail' ? '' : ` to ${attempt.endpoint}`;
  return attempt.ok ? `delivered${to}` : `failed${to}: ${attempt.why ?? `status ${attempt.status}`}`;
}

/** How far the clock is advanced: `by` milliseconds, or `to` an instant. */
function advanceOf(text: string): { by: number } | { to: Instant } {
  const by = durationOf(text);
  if (by !== undefined) return { by };
  if (!/^\d{4}-/.test(text))
    throw invalidValue({
      name: 'DURATION',
      value: text,
      use: 'a duration such as 30d, 12h, 10m or 90s, or an instant such as 2030-01-01',
    });
  return { to: parseClockTime('INSTANT', text) };
}
