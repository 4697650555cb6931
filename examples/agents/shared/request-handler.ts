import type { AgentCard, CancelTaskRequest, Message, SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk';
import { Role } from '@a2a-js/sdk';
import { RequestMalformedError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { DefaultExecutionEventBusManager, DefaultRequestHandler, type ServerCallContext } from '@a2a-js/sdk/server';
import type { TurnExecutor } from './executor';
import { CappedTaskStore } from './task-store';

const MEMORY_BYTES = 64 * 1024 * 1024;

export interface RequestHandlerOptions {
  card: AgentCard;
  executor: TurnExecutor;
  /** Called after a task was canceled, so that the agent can discard its state. */
  onCanceled: (task: Task, subject: string) => void;
}

/** The SDK's request handler with stricter validation: see `refuse`. */
export class StrictRequestHandler extends DefaultRequestHandler {
  private readonly own: RequestHandlerOptions;

  constructor(own: RequestHandlerOptions) {
    const buses = new DefaultExecutionEventBusManager();
    const store = new CappedTaskStore(MEMORY_BYTES);
    // A question ends the stream; the answer opens a new one. No stream stays open for callers who never answer.
    const options = { keepBusAliveStates: [] };
    super(own.card, store, own.executor, buses, undefined, undefined, undefined, undefined, options);
    this.own = own;
  }

  override async sendMessage(request: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    this.refuse(request.message, context);
    return super.sendMessage(request, context);
  }

  override async *sendMessageStream(
    request: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    this.refuse(request.message, context);
    yield* super.sendMessageStream(request, context);
  }

  override async cancelTask(request: CancelTaskRequest, context: ServerCallContext): Promise<Task> {
    const task = await super.cancelTask(request, context);
    this.own.onCanceled(task, context.user?.userName ?? '');
    return task;
  }

  /** @throws {RequestMalformedError | UnsupportedOperationError} for requests that the SDK would accept */
  private refuse(message: Message | undefined, context: ServerCallContext): void {
    if (!message) throw new RequestMalformedError('params.message is missing; expected a Message.');
    if (message.role !== Role.ROLE_USER) throw new RequestMalformedError('message.role must be the user role.');
    if (message.parts.length === 0)
      throw new RequestMalformedError('message.parts is empty; expected at least one part.');
    for (const [index, { content }] of message.parts.entries()) {
      if (content === undefined || (content.$case === 'text' && typeof content.value !== 'string')) {
        throw new RequestMalformedError(`message.parts[${index}] has no content; expected text, a file or data.`);
      }
    }
    if (message.taskId && this.own.executor.isRunning(message.taskId, context.user?.userName ?? '')) {
      throw new UnsupportedOperationError('The task is still working on your last message. Wait for it, or cancel it.');
    }
  }
}
