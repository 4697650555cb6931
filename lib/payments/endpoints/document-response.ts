import { type CompleteResponse, respond } from '../../http/respond';

/** A file that a domain made. */
export interface DocumentFile {
  name: string;
  mediaType: string;
  body: string | Uint8Array;
}

/**
 * Returns a file that only its user may have: browsers save it, keep no copy in a cache, and run nothing in it.
 */
export function documentResponse({ name, mediaType, body }: DocumentFile): CompleteResponse<string | Uint8Array> {
  return respond(200, body, {
    'content-type': mediaType,
    'content-disposition': `attachment; filename="${name}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
}
