import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Send a test event to a webhook',
  details:
    'Sends one signed event of type ping immediately and shows the response. Nothing is recorded, and ' +
    'disabled webhooks can be pinged too. The exit code is 0 for a 2xx response and 7 otherwise.',
  arguments: [{ name: 'id', completes: 'webhook', summary: 'ID of the webhook' }],
  options: {},
  json: '{id, endpoint, ok, status, why, answer, duration_ms}',
  examples: [{ line: 'esign webhooks ping ID', about: 'Check whether the receiver responds' }],
  async run(context, { args }) {
    const { EXIT } = await import('../../command/exit-codes.ts');
    const { resultOf } = await import('../../events/view.ts');
    const { client } = await context.connections.connect();
    const answer = await client['webhook.ping']({ params: { webhookId: args.id }, body: {} });
    const { ok, status = null, why = null } = answer;
    return {
      kind: 'record',
      headline: ok ? 'The receiver accepted the event.' : 'The receiver did not accept the event.',
      json: answer,
      entries: [
        { key: 'id', label: 'Webhook', value: answer.id },
        { key: 'endpoint', label: 'Endpoint', value: answer.endpoint },
        { key: 'ok', value: ok },
        { key: 'result', label: 'Result', value: resultOf({ status, why }), tone: ok ? 'good' : 'bad' },
        { key: 'duration_ms', label: 'Duration (ms)', value: answer.duration_ms },
        { key: 'answer', label: 'Response', value: answer.answer || undefined },
      ],
      exit: ok ? EXIT.done : EXIT.network,
    };
  },
});
