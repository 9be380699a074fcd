// `tx show --watch`: keeps the page of a transaction up to date until it has ended or Ctrl-C comes. On a terminal it redraws
// the alternate screen in place, and leaves that screen whatever happens; a pipe gets a line, and `--json` an
// object, whenever something has changed.
import type { ReceivedTransaction } from '../../../../api/contract/received.ts';
import type { Uses } from '../../../command/context.ts';
import type { Outcome } from '../../../command/outcome.ts';
import type { Connection } from '../../../connection/connection.ts';
import type { Streams } from '../../../terminal/streams.ts';
import { withSigningPages } from '../../../transactions/signing-pages.ts';
import { currentRecipient, outcomeOf } from '../../../transactions/view.ts';
import { onStatusChange, waitUntil } from '../../../transactions/wait.ts';
import { shownJson, transactionPage } from './transaction-page.ts';

const OWN_SCREEN = '\u001b[?1049h\u001b[?25l';
const LEAVE_SCREEN = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const REST_OF_LINE = '\u001b[K';
const REST_OF_SCREEN = '\u001b[J';

export async function watchTransaction(
  context: Uses<'history' | 'process' | 'settings' | 'terminal'>,
  connection: Connection,
  transactionId: string,
): Promise<Outcome> {
  const params = { transactionId };
  const read = () => connection.client['transaction.detail']({ params });
  const first = await read();
  await context.history.saveRecent();
  const { out } = context.terminal.streams;
  const watch = (seen: (transaction: ReceivedTransaction) => void) =>
    waitUntil(context.process, read, { target: 'any', timeoutMs: undefined }, seen);
  if (!out.isTerminal || context.settings.json) {
    const printing: Promise<void>[] = [];
    const print = async (transaction: ReceivedTransaction) =>
      context.terminal.print(line(transaction, await withSigningPages(connection, transaction)));
    await watch(onStatusChange((transaction) => void printing.push(print(transaction))));
    await Promise.all(printing);
    return { kind: 'text', text: '', json: undefined };
  }
  const { transaction } = await runOnOwnScreen(out, async (draw) => {
    const show = async (transaction: ReceivedTransaction) =>
      draw(
        await context.terminal.draw(
          transactionPage(transaction, await withSigningPages(connection, transaction)),
        ),
      );
    await show(first);
    return watch((transaction) => void show(transaction));
  });
  return transactionPage(transaction, connection);
}

type Screen = Streams['out'];

async function runOnOwnScreen<T>(
  out: Screen,
  work: (draw: (page: string) => void) => Promise<T>,
): Promise<T> {
  let isLeft = false;
  out.write(OWN_SCREEN);
  try {
    return await work((page) => {
      if (isLeft) return;
      // Overwrites the last page in one write without clearing it first, so that nothing flickers.
      const lines = page
        .trimEnd()
        .split('\n')
        .slice(0, Math.max(1, (out.rows ?? 24) - 1));
      out.write(`${HOME}${lines.map((one) => one + REST_OF_LINE).join('\r\n')}${REST_OF_SCREEN}`);
    });
  } finally {
    isLeft = true;
    out.write(LEAVE_SCREEN);
  }
}

/** Makes one line for a pipe, or one object for `--json`. */
function line(transaction: ReceivedTransaction, connection: Connection): Outcome {
  const current = currentRecipient(transaction);
  return {
    kind: 'list',
    json: undefined,
    lines: [shownJson(transaction, connection)],
    empty: '',
    table: {
      columns: [],
      rows: [[transaction.updated_at, transaction.id, outcomeOf(transaction), current?.email]],
    },
  };
}
