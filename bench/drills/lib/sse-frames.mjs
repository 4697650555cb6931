/**
 * Iterates over the events of a stream (SSE).
 *
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<{ id: string | undefined, data: string }>}
 */
export async function* eventsIn(body) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const frames = rest.split('\n\n');
    rest = frames.pop();
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data) yield { id: /^id: (.*)$/m.exec(frame)?.[1], data };
    }
  }
}
