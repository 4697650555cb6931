import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import type { Request, Response } from 'express';
import { sessionCookieFromHeader } from '../credentials';
import { MAX_HEAD_BYTES } from '../limits';
import { deferScripts, injectEventReplay } from './head-scripts';

export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const compress = compression();

/**
 * Next's responses, compressed with Brotli or gzip. Every page replays events from before hydration; pages of anonymous
 * visitors defer their scripts, because only signed-in users have them cached.
 */
export function servePages(pages: PageHandler): PageHandler {
  return (request, response) =>
    new Promise((resolve, reject) => {
      compress(request as Request, response as Response, () => {
        const isAnonymous = sessionCookieFromHeader(request.headers.cookie ?? '') === null;
        rewriteHead(response, (head) => {
          const withReplay = injectEventReplay(head);
          return isAnonymous ? deferScripts(withReplay) : withReplay;
        });
        pages(request, response).then(resolve, reject);
      });
    });
}

const endOfHead = '</head>';

/**
 * Rewrites the head of an HTML response while it is written. Other responses, the body, and a head longer than {@link
 * MAX_HEAD_BYTES} are unchanged.
 */
export function rewriteHead(response: ServerResponse, rewrite: (head: string) => string): void {
  const { write, end } = response;
  let buffered = Buffer.alloc(0);
  const isPage = (): boolean => String(response.getHeader('content-type')).startsWith('text/html');
  const passThrough = (): void => {
    Object.assign(response, { write, end });
  };
  /** The bytes to send now; null while the head is incomplete. */
  const transform = (chunk: Uint8Array | string, last: boolean): Uint8Array | string | null => {
    if (buffered.length === 0 && !isPage()) {
      passThrough();
      return chunk;
    }
    buffered = Buffer.concat([buffered, Buffer.from(chunk as Uint8Array)]);
    const at = buffered.indexOf(endOfHead);
    if (at < 0 && !last && buffered.length < MAX_HEAD_BYTES) return null;
    passThrough();
    if (at < 0) return buffered;
    if (!response.headersSent) response.removeHeader('content-length');
    return Buffer.concat([Buffer.from(rewrite(buffered.toString('utf8', 0, at))), buffered.subarray(at)]);
  };
  Object.assign(response, {
    write(chunk: Uint8Array | string, ...rest: unknown[]): boolean {
      const output = transform(chunk, false);
      return output === null || Reflect.apply(write, response, [output, ...rest]);
    },
    end(chunk: Uint8Array | string | undefined, ...rest: unknown[]): ServerResponse {
      const output = transform(chunk ?? '', true);
      return Reflect.apply(end, response, output?.length ? [output, ...rest] : rest);
    },
  });
}
