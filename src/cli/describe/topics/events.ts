// `esign help events` and esign-events(7): the types of events, and how events are received.
import type { EventType } from '../../../api/contract/events.ts';

/** In the order of the life of a transaction. */
export const EVENT_MEANINGS: Readonly<Record<EventType, string>> = {
  transaction_created: 'A draft was created',
  transaction_started: 'A draft was started, and the first recipient is asked to sign',
  recipient_submitted: 'A recipient has signed',
  transaction_completed: 'Everyone has signed, and the documents are sealed',
  transaction_rejected: 'A recipient has rejected the transaction',
  transaction_expired: 'The transaction has expired before everyone signed',
  transaction_cancelled: 'The sender has cancelled the transaction',
};

export const EVENTS_TOPIC = `Each change of a transaction is an event. Events are sent as JSON, {created, id, type, data},
to every webhook that subscribes
to their type (\`esign webhooks create\`) and to the notification URL of the transaction (\`--notify URL\`).

# RECEIVE EVENTS

A delivery is a POST request with three headers, as described by Standard Webhooks (standardwebhooks.com), which has
libraries for most
languages:

  webhook-id         ID of the event; the same for every attempt, so that a receiver can recognize duplicates
  webhook-timestamp  Time of the attempt, in seconds since 1970
  webhook-signature  "v1," followed by the base64 HMAC-SHA256 of id.timestamp.body; for one day after a secret is replaced, two
                     of these, separated by a space

The key is the secret without whsec_, decoded from base64. It is the secret of the webhook, or for notification URLs
the notification
secret of the OAuth application (\`esign sandbox apps create\`). Verify the body exactly as received, before you parse it.

A 2xx response within 15 seconds counts as delivered. Otherwise the delivery is retried, up to ten attempts over three
days: after
5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each varied by up to 20 percent. A Retry-After header is
respected, up to one
day. A response with the status 410 disables the webhook. Redirects are not followed. Events of a transaction are sent in order; a
failing
event delays later ones only until its first attempt has failed.

# INSPECT EVENTS

\`esign events list\` lists events and their deliveries. \`esign events show ID\` shows every attempt and its response.
\`esign webhooks show ID\` shows the status of a webhook. \`esign events replay\` sends events again, with the same IDs
and bytes.

# TEST A RECEIVER ON THIS MACHINE

In the sandbox, you need neither a webhook nor a tunnel:

  # Print the secret for your receiver
  esign events listen --print-secret
  # Forward every event to your receiver
  esign events listen --forward-to http://localhost:3000/hook
  # In another terminal, cause an event
  esign events trigger transaction_completed
  # Send the events of a transaction again
  esign events replay --transaction ID --forward-to http://localhost:3000/hook

# SANDBOX

A webhook of the sandbox can use https://localhost with a certificate of the sandbox (\`esign sandbox ca issue
localhost\`). A
notification URL can also use http://localhost. All other URLs must be reachable from the internet. \`esign sandbox
serve\` delivers
events while it is running. While it is not, any other command that uses the sandbox spends up to two seconds before it exits on
delivering what is due: its own events, and those of earlier commands.`;
