/**
 * HTTP/1.1 over plain sockets, for load generators and agents, so that most of a small machine's CPU is left to the
 * measured server. Supports only Content-Length and chunked bodies.
 */

const headEnd = Buffer.from('\r\n\r\n');

/**
 * Parses messages from a socket's chunks.
 *
 * @param {(head: string, body: string) => void} onMessage called with each complete message; the head in lower case
 * @returns {(chunk: Buffer) => void}
 */
export function messagesIn(onMessage) {
  let buffered = null;
  return (chunk) => {
    buffered = buffered ? Buffer.concat([buffered, chunk]) : chunk;
    while (buffered) {
      const at = buffered.indexOf(headEnd);
      if (at < 0) return;
      const head = buffered.latin1Slice(0, at).toLowerCase();
      const body = bodyAt(buffered, at + headEnd.length, head);
      if (!body) return;
      const text = body.text;
      buffered = body.end < buffered.length ? buffered.subarray(body.end) : null;
      onMessage(head, text);
    }
  };
}

function bodyAt(buffered, from, head) {
  const [, length] = /\r\ncontent-length: *(\d+)/.exec(head) ?? [];
  if (length !== undefined) {
    const end = from + Number(length);
    return buffered.length < end ? null : { text: buffered.utf8Slice(from, end), end };
  }
  if (!head.includes('\r\ntransfer-encoding: chunked')) return { text: '', end: from };
  let text = '';
  for (let at = from; ; ) {
    const line = buffered.indexOf('\r\n', at);
    if (line < 0) return null;
    const size = Number.parseInt(buffered.latin1Slice(at, line), 16);
    const end = line + 2 + size + 2;
    if (buffered.length < end) return null;
    if (size === 0) return { text, end };
    text += buffered.utf8Slice(line + 2, end - 2);
    at = end;
  }
}
