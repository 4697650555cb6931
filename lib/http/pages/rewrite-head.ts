import type { ServerResponse } from 'node:http';

const endOfHead = '</head>';
/** How much is held of an answer whose head has no end yet, bytes; then it is given on as it is. */
const maxHeadBytes = 65_536;

/**
 * Has the head of a page rewritten as it goes out. What is no HTML passes untouched, and so does what comes after the head.
 */
export function rewriteHead(response: ServerResponse, rewrite: (head: string) => string): void {
  const { write, end } = response;
  let buffered = Buffer.alloc(0);
  const isPage = (): boolean => String(response.getHeader('content-type')).startsWith('text/html');
  const passThrough = (): void => {
    Object.assign(response, { write, end });
  };
  /** What may be sent now; null while the head is not there as a whole. */
  const transform = (chunk: Uint8Array | string, last: boolean): Uint8Array | string | null => {
    if (buffered.length === 0 && !isPage()) {
      passThrough();
      return chunk;
    }
    buffered = Buffer.concat([buffered, Buffer.from(chunk as Uint8Array)]);
    const at = buffered.indexOf(endOfHead);
    if (at < 0 && !last && buffered.length < maxHeadBytes) return null;
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
