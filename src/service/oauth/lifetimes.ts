// How long what is issued to an application stays good.
import { LIMITS } from '../../api/contract/limits.ts';
import { addMs, type Instant } from '../../common/instant.ts';
import type { Tables } from '../store/schema.ts';

/**
 * The refresh token of an application with a secret does not expire (assumed: A22). Each of a public application is replaced when it is used, and
 * ends where it is not used for long (RFC 9700 §4.14.2).
 */
export const refreshExpiryOf = ({ is_public }: Pick<Tables['client'], 'is_public'>, now: Instant) =>
  is_public === 1 ? addMs(now, LIMITS.publicRefreshTokenLifetimeMs) : null;

/** Whether two times are less than `ms` apart, in either order: the clock may have been set back between them. */
export const isWithin = (ms: number, a: Instant, b: Instant): boolean => a < addMs(b, ms) && b < addMs(a, ms);
