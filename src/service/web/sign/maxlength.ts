// Limits how much a browser lets the recipient type. The service counts characters (code points), a browser counts UTF-16
// units, of which an emoji has two: with the same number on both sides a browser would truncate a value that the service
// accepts. A value that is too long gets an error at its field.
import { LIMITS } from '../../../api/contract/limits.ts';

/** @param longest in characters; what is longer than every text may be is not kept, so it cannot be typed either */
export const maxlength = (longest: number): number => Math.min(2 * longest, LIMITS.textLength);
