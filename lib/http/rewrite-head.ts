import type { ServerResponse } from 'node:http';

const endOfHead = '</head>';
/** How much is held of an answer whose head has no end yet, bytes; then it is given on as it is. */
const mostHeadBytes = 65_536;

/**
 * Has the head of a page rewritten as it goes out. What is no HTML passes untouched, and so does what comes after the head.
 */
export function rewriteHead(response: ServerResponse, rewritten: (head: string) => string): void {
  const { write, end } = response;
  let held = Buffer.alloc(0);
  const isPage = (): boolean => String(response.getHeader('content-type')).startsWith('text/html');
  const letThrough = (): void => {
    Object.assign(response, { write, end });
  };
  /** What may be sent now; null while the head is not there as a whole. */
  const take = (chunk: Uint8Array | string, last: boolean): Uint8Array | string | null => {
    if (held.length === 0 && !isPage()) {
      letThrough();
      return chunk;
    }
    held = Buffer.concat([held, Buffer.from(chunk as Uint8Array)]);
    const at = held.indexOf(endOfHead);
    if (at < 0 && !last && held.length < mostHeadBytes) return null;
    letThrough();
    if (at < 0) return held;
    if (!response.headersSent) response.removeHeader('content-length');
    return Buffer.concat([Buffer.from(rewritten(held.toString('utf8', 0, at))), held.subarray(at)]);
  };
  Object.assign(response, {
    write(chunk: Uint8Array | string, ...rest: unknown[]): boolean {
      const given = take(chunk, false);
      return given === null || Reflect.apply(write, response, [given, ...rest]);
    },
    end(chunk: Uint8Array | string | undefined, ...rest: unknown[]): ServerResponse {
      const given = take(chunk ?? '', true);
      return Reflect.apply(end, response, given?.length ? [given, ...rest] : rest);
    },
  });
}
