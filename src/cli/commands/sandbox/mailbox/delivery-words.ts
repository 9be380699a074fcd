// How an email stands with the mail server, for a list.
type MailDelivery = { state: string; reason?: string | null | undefined } | null | undefined;

export function deliveryWords(delivery: MailDelivery): string {
  if (!delivery) return 'in the mailbox only';
  const { state, reason } = delivery;
  return reason ? `${state}: ${reason}` : state;
}
