/** Half a surrogate pair. JSON can hold one; UTF-8 and URLs cannot, and `encodeURIComponent` throws. */
export const LONE_SURROGATE = /[\ud800-\udfff]/u;
