import { EventStream } from '../../../http/sse/event-stream';
import { encodeSse } from '../../../platform/http-client/sse';
import { createWakeup } from '../../../platform/runtime/abort';
import type { McpRequest } from '../../../protocol/mcp/messages';
import { MAX_PROGRESS_TEXT } from '../../limits';
import { answerMcp, type McpCall, mcpErrorOf } from './answer-mcp';

/** A call whose progress is sent as notifications before its response. */
export function toEventStream(message: McpRequest, call: Omit<McpCall, 'onProgress'>): EventStream {
  const { ctx } = call;
  const queue: object[] = [];
  const wakeup = createWakeup();
  let isDone = false;
  const push = (value: object): void => {
    queue.push(value);
    wakeup.notify();
  };
  let progress = 0;
  const onProgress = (text: string): void => {
    const params = {
      progressToken: message.progressToken,
      progress: ++progress,
      message: text.slice(0, MAX_PROGRESS_TEXT),
    };
    push({ jsonrpc: '2.0', method: 'notifications/progress', params });
  };
  const answered = answerMcp(message, { ...call, onProgress }).then(
    (result) => push({ jsonrpc: '2.0', id: message.id, result }),
    (error) => push(mcpErrorOf(error, { message, requestId: ctx.requestId }).body),
  );
  void answered.then(() => {
    isDone = true;
    wakeup.notify();
  });
  async function* batches(): AsyncGenerator<object[]> {
    for (;;) {
      const woken = wakeup.arm();
      const batch = queue.splice(0);
      if (batch.length > 0) yield batch;
      else if (isDone) return;
      else await woken;
    }
  }
  const stream = EventStream.of({
    batches: batches(),
    encode: (value) => encodeSse({ event: 'message', data: JSON.stringify(value) }),
    onCancel: () => {
      isDone = true;
      wakeup.notify();
    },
  });
  stream.headers['x-request-id'] = ctx.requestId;
  return stream;
}
