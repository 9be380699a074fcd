// Injects faults into requests, for tests of scripts and of our own commands: ESIGN_FAULTS=lose_answer:3,refuse_connection:5,exit:4 breaks the third request
// after the service acted on it, the fifth before it is sent, and ends the process before the fourth; mistake:N throws an
// unexpected error.
import { type Transport, type TransportFault, withFaults } from '../../api/transport.ts';
import { cliError } from '../command/errors.ts';
import { killSelf } from './edges.ts';

const RULE = /^(lose_answer|refuse_connection|exit|mistake):(\d{1,4})$/;

export function parseFaults(text: string): (transport: Transport) => Transport {
  const rules = new Map<number, string>();
  for (const rule of text.split(',')) {
    const match = RULE.exec(rule.trim());
    if (!match)
      throw cliError('variable_invalid', {
        sentence: `"${rule}" is not a valid value for ESIGN_FAULTS.`,
        hint: 'Use lose_answer:N, refuse_connection:N, exit:N or mistake:N.',
      });
    rules.set(Number(match[2]), match[1] ?? '');
  }
  return (transport) =>
    withFaults(transport, (_request, count) => {
      const rule = rules.get(count);
      if (rule === 'exit') killSelf();
      if (rule === 'mistake') throw new TypeError('A mistake on purpose.');
      return rule === 'lose_answer' || rule === 'refuse_connection' ? (rule as TransportFault) : undefined;
    });
}
