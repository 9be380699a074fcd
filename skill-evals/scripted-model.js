// Stands for a model in tests of run.js. It knows the calls of each task; with --wrong it makes plausible mistakes in all of them.
import { createInterface } from 'node:readline';

const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const read = async () => JSON.parse((await input.next()).value);
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

const { id, prompt } = await read();
const idInPrompt = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(prompt)?.[0];
const urlInPrompt = /https?:\/\/\S+?(?=[,.]?\s)/.exec(prompt)?.[0];

async function run(line) {
  say({ run: line });
  return read();
}

const send = (words) => run(`esign tx send ${words} --jq .id`);

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

const isWrong = process.argv.includes('--wrong');
const answer = await (isWrong ? WRONG : RIGHT)[id]();
if (isWrong) await run(PRINTS_A_SECRET[id]);
say({ answer });
