// Addresses of pages that people receive. Pages themselves do not import this file.

/**
 * spec §4 Start: under {app_url}, carrying a token query parameter.
 * @param mark says how the recipient gets this link (`link-origin.ts`)
 */
export const signingUrl = (origin: string, token: string | null, mark?: string): string =>
  `${origin}/sign?token=${token}${mark === undefined ? '' : `&by=${mark}`}`;

/** The page of a transaction in the dashboard, for its sender. */
export const transactionUrl = (origin: string, id: string): string => `${origin}/transactions/${id}`;

/** Signs in to the dashboard once. The token is in the query, which is never logged. */
export const signInUrl = (origin: string, token: string): string =>
  `${origin}/sign-in/link?${new URLSearchParams({ token })}`;
