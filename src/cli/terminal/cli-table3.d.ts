// What is used of the inner part of cli-table3 that measures text; it comes without types.
declare module 'cli-table3/src/utils.js' {
  const utils: { strlen(text: string): number };
  export default utils;
}
