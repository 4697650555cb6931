import { EventStream } from '../../http/sse/event-stream';
import type { Ctx } from '../../platform/context';
import { encodeSse } from '../../platform/sse';
import type { McpRequest } from '../../protocol/mcp/read-message';
import { MAX_PROGRESS_TEXT } from '../limits';
import { answerMcp, mcpErrorOf } from './answer-mcp';

/** A call whose progress is sent as notifications before its response. */
export function toEventStream(message: McpRequest, ctx: Ctx): EventStream {
  const queue: object[] = [];
  let wake: () => void = () => undefined;
  let isDone = false;
  const push = (value: object): void => {
    queue.push(value);
    wake();
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
  const answered = answerMcp(message, { ctx, onProgress }).then(
    (result) => push({ jsonrpc: '2.0', id: message.id, result }),
    (error) => push(mcpErrorOf(error, { message, requestId: ctx.requestId }).body),
  );
  void answered.then(() => {
    isDone = true;
    wake();
  });
  async function* batches(): AsyncGenerator<object[]> {
    while (!isDone || queue.length > 0) {
      if (queue.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const batch = queue.splice(0);
      if (batch.length > 0) yield batch;
    }
  }
  const stream = EventStream.of({
    batches: batches(),
    encode: (value) => encodeSse({ event: 'message', data: JSON.stringify(value) }),
    onCancel: () => {
      isDone = true;
      wake();
    },
  });
  stream.headers['x-request-id'] = ctx.requestId;
  return stream;
}
