// Describes for a list whether the mail server has accepted an email.
type MailDelivery = { state: string; reason?: string | null | undefined } | null | undefined;

export function deliveryWords(delivery: MailDelivery): string {
  if (!delivery) return 'in the mailbox only';
  const { state, reason } = delivery;
  return reason ? `${state}: ${reason}` : state;
}
