// Stands for a model in tests of run.js. It knows the commands of each task, or the calls of tools where it gets tools; with --wrong it makes
// plausible mistakes in all of them.
import { createInterface } from 'node:readline';

const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const read = async () => JSON.parse((await input.next()).value);
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

const { id, prompt, tools } = await read();
const idInPrompt = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(prompt)?.[0];
const urlInPrompt = /https?:\/\/\S+?(?=[,.]?\s)/.exec(prompt)?.[0];

async function run(line) {
  say({ run: line });
  return read();
}

const send = (words) => run(`esign tx send ${words} --jq .id`);

/** @returns the output, or the error, of a call of a tool */
async function call(tool, input) {
  say({ call: tool, input });
  const { content } = await read();
  const [{ text }] = content;
  return JSON.parse(text.slice(text.indexOf('\n')));
}

const RIGHT = {
  'send-at-words': async () => {
    await run('esign tx text contract.pdf --page last --select items');
    await send(
      `contract.pdf --to "Ada Lovelace <ada@example.com>" --field 'signature@"For the Customer",at=below'`,
    );
    return 'Ada was asked to sign below the words.';
  },
  wait: async () => {
    const { code, out } = await run(`esign tx wait ${idInPrompt} --timeout 1m --select outcome,reason`);
    const { outcome, reason } = JSON.parse(out);
    await run(`echo ${outcome} > outcome.txt`);
    return `The wait ended with ${code}: she has ${outcome} it, because "${reason}".`;
  },
  download: async () => {
    const { out } = await run(`esign tx download ${idInPrompt} --output signed --jq '.files[].path'`);
    return `The sealed document is ${out.trim()}.`;
  },
  'verify-forged': async () => {
    const { out } = await run(`esign verify lease.pdf offer.pdf --jq '.items[] | "\\(.file) \\(.verdict)"'`);
    await run(
      `printf '%s\\n' ${out
        .trim()
        .split('\n')
        .sort()
        .map((line) => `'${line}'`)
        .join(' ')} > verdicts.txt`,
    );
    return 'Rely on lease.pdf. offer.pdf was changed after it was sealed.';
  },
  webhook: async () => {
    const { out } = await run(
      `esign webhooks create --name Orders --endpoint ${urlInPrompt} --event transaction_completed --jq .id`,
    );
    const { code } = await run(`esign webhooks ping ${out.trim()} --json`);
    return code === 0 ? 'The receiver answers.' : 'The receiver does not answer.';
  },
  replay: async () => {
    const { out } = await run(
      `esign events replay --transaction ${idInPrompt} --forward-to ${urlInPrompt} --jq .arrived`,
    );
    return `${out.trim()} events have arrived.`;
  },
  'expire-by-clock': async () => {
    await send('contract.pdf --to "Bob <bob@example.com>" --expires 30');
    await run('esign sandbox clock advance 31d --json');
    return 'It has expired.';
  },
  seed: async () => {
    await run('esign sandbox seed world.yaml --dry-run --json');
    const { out } = await run(
      `esign sandbox seed world.yaml --jq '[.[] | select(.kind == "transaction")] | length'`,
    );
    return `${out.trim()} transactions were created.`;
  },
  'template-for-others': async () => {
    const { out } = await run(`esign templates list --jq '.items[] | select(.name == "NDA") | .id'`);
    for (const person of ['Grace <grace@example.com>', 'Alan <alan@example.com>'])
      await send(`--template ${out.trim()} --to "${person}"`);
    return 'Both were asked.';
  },
  'explain-exit-9': async () => {
    const { out } = await run(`esign tx show ${idInPrompt} --select outcome,cancelled_reason`);
    const { outcome, cancelled_reason: reason } = JSON.parse(out);
    await run(`echo ${outcome} > outcome.txt`);
    return `It was ${outcome}: "${reason}".`;
  },
};

/** Each makes every check of its task fail. */
const WRONG = {
  'send-at-words': async () => {
    for (const field of ['signature@1:72pt,600pt,180x48', 'text@1:72pt,600pt,180x48'])
      await send(`contract.pdf --to "Ada <ada@example.org>" --field '${field},label=x'`);
    return 'Sent.';
  },
  wait: async () => {
    await run('echo completed > outcome.txt');
    return 'She has signed.';
  },
  download: async () => {
    await run('mkdir -p signed && cp contract.pdf signed/');
    return 'Here it is.';
  },
  'verify-forged': async () => {
    await run(`printf 'lease.pdf valid\\noffer.pdf valid\\n' > verdicts.txt`);
    return 'You can rely on both.';
  },
  webhook: async () => {
    await run(
      `esign webhooks create --name Order --endpoint ${urlInPrompt} --event transaction_started --json`,
    );
    return 'Created.';
  },
  replay: async () => {
    await run(`esign events replay --since 1d --forward-to ${urlInPrompt} --json`);
    return 'Sent.';
  },
  'expire-by-clock': async () => {
    for (const name of ['A', 'B'])
      await send(`contract.pdf --name ${name} --to "Bob <bob@example.com>" --expires 7`);
    await run('esign sandbox expire @ --json');
    return 'It has expired.';
  },
  seed: async () => {
    await run('esign sandbox seed world.yaml --dry-run --json');
    return 'Done: 7 things.';
  },
  'template-for-others': async () => {
    const { out } = await run(`esign templates list --jq '.items[].id'`);
    await send(`--template ${out.trim()}`);
    return 'Sent.';
  },
  'explain-exit-9': async () => {
    const { out } = await run(`esign tx show ${idInPrompt} --jq .status`);
    await run(`echo ${out.trim()} > outcome.txt`);
    return 'It has expired.';
  },
};

/** Prints a secret of each kind, in each task another one. */
const PRINTS_A_SECRET = {
  'send-at-words': 'esign tx show @ --jq .url',
  wait: 'esign events listen --print-secret',
  download: 'esign sandbox token --raw',
  'verify-forged': 'esign sandbox token --json',
  webhook:
    'esign webhooks create --name Secret --endpoint https://hooks.example.com/x --event transaction_started',
  replay: 'esign sandbox token --control --raw',
  'expire-by-clock': 'esign sandbox apps create Orders --callback-url http://127.0.0.1:8976/callback',
  seed: 'esign sandbox token --code --raw',
  'template-for-others': `esign sandbox mailbox show "$(esign sandbox mailbox list --jq '.items[0].id')"`,
  'explain-exit-9': `esign sandbox apps create Orders --callback-url http://127.0.0.1:8976/callback --jq .client_secret`,
};

const RIGHT_BY_TOOLS = {
  'send-at-words': async () => {
    await call('read_words', { file: 'contract.pdf', page: 'last' });
    await call('send_documents', {
      files: ['contract.pdf'],
      to: ['Ada Lovelace <ada@example.com>'],
      fields: ['signature@"For the Customer",at=below'],
    });
    return 'Ada was asked to sign below the words.';
  },
  wait: async () => {
    const { outcome, reason } = await call('wait_for_transaction', { id: idInPrompt, timeout_seconds: 60 });
    return `It was ${outcome}, because "${reason}".`;
  },
  download: async () => {
    const { files } = await call('download_documents', { id: idInPrompt, directory: 'signed' });
    return `The sealed document is ${files[0].path}.`;
  },
  'verify-forged': async () => {
    const { items } = await call('verify_files', { files: ['lease.pdf', 'offer.pdf'] });
    return items.map(({ file, verdict }) => `${file.split('/').at(-1)} ${verdict}`).join('\n');
  },
  'expire-by-clock': async () => {
    await call('send_documents', {
      files: ['contract.pdf'],
      to: ['Bob <bob@example.com>'],
      expires_days: 30,
    });
    await call('sandbox_advance_clock', { duration: '31d' });
    return 'It has expired.';
  },
  'template-for-others': async () => {
    const { items } = await call('search_templates', { search: 'NDA' });
    for (const person of ['Grace <grace@example.com>', 'Alan <alan@example.com>'])
      await call('send_documents', { template: items[0].id, to: [person] });
    return 'Both were asked.';
  },
  'explain-exit-9': async () => {
    const { outcome, reason } = await call('show_transaction', { id: idInPrompt });
    return `It was ${outcome}: "${reason}".`;
  },
};

/** Each makes every check of its task fail but that of secrets: no tool returns one. */
const WRONG_BY_TOOLS = {
  'send-at-words': async () => {
    for (const field of ['signature@1:72pt,600pt,180x48', 'text@1:72pt,600pt,180x48'])
      await call('send_documents', {
        files: ['contract.pdf'],
        to: ['Ada <ada@example.org>'],
        fields: [`${field},label=x`],
      });
    return 'Sent.';
  },
  wait: async () => {
    await call('show_transaction', { id: idInPrompt });
    return 'She has signed.';
  },
  download: async () => {
    await call('download_documents', { id: idInPrompt, directory: 'signed', original: true });
    return 'Here it is.';
  },
  'verify-forged': async () => {
    await call('verify_files', { files: ['lease.pdf'] });
    return 'You can rely on both.';
  },
  'expire-by-clock': async () => {
    for (const name of ['A', 'B'])
      await call('send_documents', {
        name,
        files: ['contract.pdf'],
        to: ['Bob <bob@example.com>'],
        expires_days: 7,
      });
    await call('sandbox_advance_clock', { duration: '8d' });
    return 'It has expired.';
  },
  'template-for-others': async () => {
    const { items } = await call('search_templates', {});
    await call('send_documents', { template: items[0].id });
    return 'Sent.';
  },
  'explain-exit-9': async () => {
    const { status } = await call('show_transaction', { id: idInPrompt });
    return `It has ${status === 'cancelled' ? 'expired' : status}.`;
  },
};

const isWrong = process.argv.includes('--wrong');
if (tools) say({ answer: await (isWrong ? WRONG_BY_TOOLS : RIGHT_BY_TOOLS)[id]() });
else {
  const answer = await (isWrong ? WRONG : RIGHT)[id]();
  if (isWrong) await run(PRINTS_A_SECRET[id]);
  say({ answer });
}
