// Files: the upload of spec §4, and reading a stored file back (extension).
import * as z from 'zod';
import { lazySchema } from './lazy-schema.ts';
import { neededId, record } from './lenient.ts';
import { LIMITS } from './limits.ts';
import type { Operation } from './operation.ts';
import { receivedRemarks } from './received.ts';
import { remark } from './remarks.ts';
import { extension, id, line, queryInteger } from './values.ts';

export const fileOperations = {
  'file.upload': {
    method: 'POST',
    path: '/v1/file/upload',
    access: { scope: 'file:create' },
    multipart: lazySchema(() => z.object({ name: line(1, LIMITS.fileNameLength).optional() })),
    success: {
      status: 201,
      schema: lazySchema(() =>
        z.strictObject({
          token: z.string().min(1),
          presigned_url: z.url().optional().meta({
            description:
              'URL of the stored file, valid for one hour. It returns a PDF: an image or a Word document was converted when it was uploaded.',
          }),
          remarks: extension(z.array(remark).optional(), 'What could not be kept or displayed.'),
        }),
      ),
    },
    received: record({ token: neededId, remarks: receivedRemarks }),
    problems: [
      'file_missing',
      'file_empty',
      'file_too_large',
      'file_type_not_accepted',
      'document_encrypted',
      'document_unreadable',
      'document_too_long',
      'document_too_complex',
      'documents_busy',
    ],
    source: 'spec §4 Upload file',
    assumed: ['A26', 'A27', 'A28', 'A29'],
    idempotent: true,
    isLong: true,
    summary: 'Upload a file and get a token for it',
  },
  'file.content': {
    method: 'GET',
    path: '/v1/file/{fileId}',
    access: { scope: 'transaction:read' },
    params: lazySchema(() => z.object({ fileId: id })),
    success: { status: 200, schema: lazySchema(() => z.any()), binary: true },
    problems: ['file_not_found', 'document_too_complex', 'documents_busy'],
    source: 'spec §2 Document (file, pages[].file)',
    extension: true,
    summary: 'Read a stored file: a document (always as PDF), or the image of a page (PNG)',
  },
  'file.presigned': {
    method: 'GET',
    path: '/files/{fileId}',
    access: 'public',
    params: lazySchema(() => z.object({ fileId: id })),
    query: lazySchema(() =>
      z.object({
        expires: queryInteger(0, Number.MAX_SAFE_INTEGER),
        signature: line(1, LIMITS.tokenLength),
      }),
    ),
    success: { status: 200, schema: lazySchema(() => z.any()), binary: true },
    problems: ['link_invalid', 'file_not_found', 'document_too_complex', 'documents_busy'],
    source: 'spec §2 File token (presigned_url)',
    assumed: ['A28'],
    extension: true,
    summary: 'Read a stored file (a document always as PDF) by its signed URL, which is valid for an hour',
  },
} as const satisfies Record<string, Operation>;
