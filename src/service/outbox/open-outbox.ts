// Puts the outbox of a service together. Loaded when something is delivered, and not before.

import type { Ping } from '../../api/contract/events.ts';
import { instantOf } from '../../common/instant.ts';
import type { Webhook } from '../store/webhooks.ts';
import type { AttemptResult } from './attempt.ts';
import { messageOf, secretsOfWebhook } from './message.ts';
import type { OutboxOptions } from './options.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createPoster, type PosterOptions } from './post.ts';

export type OpenOutbox = Outbox & {
  /** One message of the type `ping`, now; nothing of it is written down. */
  ping(webhook: Webhook): Promise<AttemptResult>;
  close(): void;
};

export function openOutbox(options: Omit<OutboxOptions, 'poster'> & { posting: PosterOptions }): OpenOutbox {
  const { store, clock, realClock, ids, posting } = options;
  const poster = createPoster(posting);
  return {
    ...createOutbox({ ...options, poster }),
    ping(webhook) {
      const id = ids();
      const created = instantOf(clock());
      const ping: Ping = { created, id, type: 'ping', data: { id: webhook.id } };
      const body = Buffer.from(JSON.stringify(ping));
      const secrets = secretsOfWebhook(webhook, store.keys, created);
      return poster.post(messageOf(webhook.endpoint, { id, body }, secrets, realClock()));
    },
    close: () => poster.close(),
  };
}
