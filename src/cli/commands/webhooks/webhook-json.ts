// The description of the JSON that the commands for webhooks print.

export const WEBHOOK_JSON =
  '{id, name, endpoint, events, enabled, created_at, rotated_at, disabled_at, disabled_reason, deliveries: {waiting, delivered, undelivered}, success_rate, last_attempts: [{at, ok, status, why, answer, duration_ms, next_at, event: {id, type}}]}';
