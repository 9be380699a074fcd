// Reads a body as text, counting while it comes, so that no length header is believed.

export async function readBody(request: Request, limitBytes: number): Promise<{ text: string } | 'too_large' | 'not_utf8'> {
  if (!request.body) return { text: '' };
  const declared = Number(request.headers.get('content-length'));
  if (declared > limitBytes) return 'too_large';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > limitBytes) return 'too_large';
    chunks.push(chunk);
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch {
    return 'not_utf8';
  }
}
