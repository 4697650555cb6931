import type { AgentCall } from '../agent/calls.js';

/** Ways in which a response can be broken. */
export type MockFault =
  /** No response at all. */
  | 'silent'
  /** HTTP 500 with a text. */
  | 'http-500'
  /** HTTP 200 with a page. */
  | 'html'
  /** A body that ends in the middle. */
  | 'half-json'
  | 'invalid-utf8'
  /** The id of another request. */
  | 'wrong-id'
  /** The connection breaks after the first event of a stream, or in the middle of the body. */
  | 'cut'
  /** The stream stays open after its last event. */
  | 'open';

/** Applies a fault to a response. */
export async function breakResponse(fault: MockFault, response: Response, call: AgentCall): Promise<Response> {
  const { status } = response;
  const headers = { 'content-type': response.headers.get('content-type') ?? 'application/json' };
  switch (fault) {
    case 'silent':
      return new Promise((_resolve, reject) => {
        call.request.signal.addEventListener('abort', () => reject(call.request.signal.reason), { once: true });
      });
    case 'http-500':
      return new Response('Internal Server Error', { status: 500, headers: { 'content-type': 'text/plain' } });
    case 'html':
      return new Response('<!doctype html><title>Welcome</title>', { headers: { 'content-type': 'text/html' } });
    case 'half-json': {
      const text = await response.text();
      return new Response(text.slice(0, text.length / 2), { status, headers });
    }
    case 'invalid-utf8': {
      const bytes = new TextEncoder().encode((await response.text()).replace(/"text":"/g, '"text":"\u0001'));
      // A byte that begins no character of UTF-8.
      return new Response(
        bytes.map((byte) => (byte === 1 ? 0xff : byte)),
        { status, headers },
      );
    }
    case 'wrong-id':
      return new Response((await response.text()).replaceAll(/"id":"[^"]*","result"/g, '"id":"other","result"'), {
        status,
        headers,
      });
    case 'cut':
      return new Response(cutAfterFirst(response), { status, headers });
    case 'open':
      return new Response(keptOpen(response), { status, headers });
  }
}

function cutAfterFirst({ body }: Response): ReadableStream<Uint8Array> {
  const reader = body?.getReader();
  return new ReadableStream({
    async start(controller) {
      const step = await reader?.read();
      const isStream = step?.value && new TextDecoder().decode(step.value.slice(0, 5)) === 'data:';
      if (step?.value) controller.enqueue(isStream ? step.value : step.value.slice(0, step.value.length / 2));
      void reader?.cancel().catch(() => undefined);
      controller.error(new Error('The connection was cut.'));
    },
  });
}

function keptOpen({ body }: Response): ReadableStream<Uint8Array> {
  const reader = body?.getReader();
  return new ReadableStream({
    async start(controller) {
      for (;;) {
        const step = await reader?.read();
        if (!step || step.done) return;
        controller.enqueue(step.value);
      }
    },
    cancel: () => reader?.cancel(),
  });
}
