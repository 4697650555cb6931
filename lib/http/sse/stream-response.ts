import { type EventStream, HEARTBEAT, HEARTBEAT_MS } from './event-stream';

/** A stream as a web `Response`, for where there is no connection to write to. Batches are pulled one by one. */
export function streamResponse(stream: EventStream): Response {
  const encoder = new TextEncoder();
  let heartbeatTimer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearInterval(heartbeatTimer);
    stream.markEnded();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const heartbeat = encoder.encode(HEARTBEAT);
        heartbeatTimer = setInterval(() => controller.enqueue(heartbeat), HEARTBEAT_MS);
        heartbeatTimer.unref();
      },
      async pull(controller) {
        try {
          const text = await stream.next();
          if (text !== null) return controller.enqueue(encoder.encode(text));
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      async cancel() {
        end();
        await stream.cancel();
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { headers: stream.headers });
}
