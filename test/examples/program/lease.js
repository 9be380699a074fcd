// The program that is tested: it sends leases to tenants.
import { openAsBlob } from 'node:fs';

/** Sends a lease to a tenant, who has 14 days to sign it. @returns the ID of the transaction */
export async function sendLease(client, tenant) {
  const { token } = await client.files.upload(await openAsBlob('contract.pdf'), { name: 'lease.pdf' });
  const { id } = await client.transactions.create({ name: 'Lease' });
  const { document_id } = await client.transactions.addDocument(id, { token });
  const { name, email } = await client.users.me();
  await client.transactions.update(id, {
    name: 'Lease',
    expiration_days: 14,
    documents: [{ id: document_id, index: 0 }],
    recipients: [
      { role: 'sender', index: 0, name, email },
      { role: 'signer', index: 1, ...tenant },
    ],
  });
  const { template } = await client.transactions.get(id);
  const [{ id: recipient_id }] = template.recipients.filter(({ role }) => role === 'signer');
  const place = { page: 0, positionX: 72, positionY: 600, width: 160, height: 40 };
  await client.transactions.setFields(id, {
    fields: [{ type: 'signature', document_id, recipient_id, ...place }],
  });
  await client.transactions.start(id);
  return id;
}
