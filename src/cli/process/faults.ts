// Faults on purpose, for the tests of interruption: ESIGN_FAULTS=lose_answer:3,refuse_connection:5,exit:4 breaks the
// third request after the service acted on it, the fifth before it leaves, and ends the process before the fourth.
import { type Fault, type Transport, withFaults } from '../../api/transport.ts';
import { usageError } from '../command/errors.ts';
import { killSelf } from './edges.ts';

const RULE = /^(lose_answer|refuse_connection|exit):(\d{1,4})$/;

export function faultsOf(text: string): (transport: Transport) => Transport {
  const rules = new Map<number, string>();
  for (const rule of text.split(',')) {
    const match = RULE.exec(rule.trim());
    if (!match)
      throw usageError(
        'variable_invalid',
        `ESIGN_FAULTS holds "${rule}".`,
        'Write lose_answer:N, refuse_connection:N or exit:N.',
      );
    rules.set(Number(match[2]), match[1] ?? '');
  }
  return (transport) =>
    withFaults(transport, (_request, count) => {
      const rule = rules.get(count);
      if (rule === 'exit') killSelf();
      return rule === 'lose_answer' || rule === 'refuse_connection' ? (rule as Fault) : undefined;
    });
}
