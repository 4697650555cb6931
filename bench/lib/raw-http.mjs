/**
 * HTTP/1.1 over bare sockets, for what stands around a measured server: the fewer cycles load and agents take, the more of a
 * small machine is left to what is measured. Knows bodies with a length and in chunks, and nothing else.
 */

const headEnd = Buffer.from('\r\n\r\n');

/**
 * Takes messages out of what a socket brings.
 *
 * @param {(head: string, body: string) => void} found called with each whole message; the head in lower case
 * @returns {(chunk: Buffer) => void}
 */
export function messagesIn(found) {
  let held = null;
  return (chunk) => {
    held = held ? Buffer.concat([held, chunk]) : chunk;
    while (held) {
      const at = held.indexOf(headEnd);
      if (at < 0) return;
      const head = held.latin1Slice(0, at).toLowerCase();
      const body = bodyAt(held, at + headEnd.length, head);
      if (!body) return;
      const text = body.text;
      held = body.end < held.length ? held.subarray(body.end) : null;
      found(head, text);
    }
  };
}

function bodyAt(held, from, head) {
  const [, length] = /\r\ncontent-length: *(\d+)/.exec(head) ?? [];
  if (length !== undefined) {
    const end = from + Number(length);
    return held.length < end ? null : { text: held.utf8Slice(from, end), end };
  }
  if (!head.includes('\r\ntransfer-encoding: chunked')) return { text: '', end: from };
  let text = '';
  for (let at = from; ; ) {
    const line = held.indexOf('\r\n', at);
    if (line < 0) return null;
    const size = Number.parseInt(held.latin1Slice(at, line), 16);
    const end = line + 2 + size + 2;
    if (held.length < end) return null;
    if (size === 0) return { text, end };
    text += held.utf8Slice(line + 2, end - 2);
    at = end;
  }
}
