/** Names a database without user and password: `postgres://db.example.com:5432/esign`. */
export function describeDatabase(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
