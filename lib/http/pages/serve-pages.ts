import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import type { Request, Response } from 'express';
import { sessionCookieFromHeader } from '../request';
import { deferScripts } from './defer-scripts';
import { injectEventReplay } from './event-replay';
import { rewriteHead } from './rewrite-head';

export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const compress = compression();

/**
 * Next's answers, compressed with Brotli or gzip as the browser can read. To people who are not signed in a page is shown
 * before its scripts are fetched; who is signed in came to do something, and has the scripts already. What either does before
 * the page listens is kept.
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
