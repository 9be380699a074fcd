// Runs in a child process of a test: opens the built service, sends it requests, and writes lines to the parent. Each line
// is written without delay: an answer after it arrived, an attempt before it is made.
import { readFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createService } from '../../../dist/service.js';

const PDF = readFileSync(new URL('../../fixtures/contract.pdf', import.meta.url));

/** Writes whole lines synchronously, so that no output is lost when this process is killed. */
export const writeLine = (line) => writeSync(1, `${JSON.stringify(line)}\n`);

/** @returns the service of that folder; unexpected errors are reported to the parent */
export function openService(dataDir, more = {}) {
  return createService({
    ...more,
    dataDir,
    onError: (error) => writeLine({ failed: String(error?.stack ?? error) }),
  });
}

export function apiOf({ fetch, origin, ownToken, controlSecret }) {
  async function send(method, path, body, headers = {}) {
    const response = await fetch(
      new Request(origin + path, {
        method,
        headers: {
          authorization: `Bearer ${ownToken}`,
          'x-esign-control': controlSecret,
          ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      }),
    );
    return { status: response.status, body: await response.json() };
  }
  return {
    send,
    get: (path) => send('GET', path),
    /** A PDF of its own: the same contract with something after its end. @returns the file's token */
    async upload(tag) {
      const form = new FormData();
      form.set('name', `${tag}.pdf`);
      form.set('file', new Blob([PDF, `\n% ${tag}\n`]), `${tag}.pdf`);
      return (await send('POST', '/v1/file/upload', form)).body.token;
    },
  };
}

const PEOPLE = ['Sandbox Sender <sender@esign.test>', 'Ada <ada@example.com>', 'Bob <bob@example.com>'];

/** Body of an update: one document at least, the sender and this number of signers. */
export const updateBody = (detail, name, signers) => ({
  name,
  documents: detail.template.documents.map(({ id, index }) => ({ id, index, isLoading: false })),
  recipients: PEOPLE.slice(0, signers + 1).map((person, index) => ({
    role: index === 0 ? 'sender' : 'signer',
    index,
    name: person.split(' <')[0],
    email: /<(.*)>/.exec(person)[1],
  })),
});

/** Body of fields: one signature for each signer. */
export const fieldsBody = ({ template }) => ({
  fields: template.recipients
    .filter(({ role }) => role === 'signer')
    .map(({ id }) => ({
      document_id: template.documents[0].id,
      recipient_id: id,
      page: 0,
      width: 100,
      height: 30,
      positionX: 72,
      positionY: 72,
      type: 'signature',
    })),
});

/** Reads lines from the parent, one at a time: each is a command. `end` lets the process end. */
export function fromParent() {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  return { next: async () => JSON.parse((await lines.next()).value), end: () => process.stdin.destroy() };
}
