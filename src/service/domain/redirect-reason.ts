// Says why an attempt failed that was redirected, with and without what the receiver wrote.

/** The receiver wrote `where`. */
export const redirectReason = (status: number, where: string): string =>
  `it responded with HTTP status ${status}, a redirect to "${where}". ${NOT_FOLLOWED}`;

const NOT_FOLLOWED = 'Redirects are not followed';
const REDIRECT = new RegExp(`, a redirect to ".*"\\. ${NOT_FOLLOWED}`, 's');

/**
 * Removes from a reason what the receiver wrote. Only the owner of the machine sees responses of receivers: to others they
 * would show what answers inside the network of this machine (decision 0038).
 */
export const reasonForOthers = (why: string): string =>
  why.replace(REDIRECT, `, a redirect. ${NOT_FOLLOWED}`);
