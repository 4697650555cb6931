import type { Message, Part, StreamEvent } from '../wire.js';
import { AgentReply } from './agent-reply.js';
import { statusEvent, type TaskIds, type TurnOutput } from './turn.js';

/**
 * Maximum length of a text event, in UTF-16 code units. Longer texts become several events, so that each fits into a
 * frame.
 */
const MAX_TEXT_LENGTH = 32_768;

/** Converts a handler's output to events. Text and parts become chunks of one artifact, the answer. */
export class Answer {
  private hasChunks = false;
  /** A message is the whole answer unless more output follows it. */
  private pendingMessage: Message | null = null;
  private readonly artifactId: string;

  constructor(
    private readonly ids: TaskIds,
    runId: string,
  ) {
    // The same for every attempt, so that a second attempt replaces the first; a different one for the next turn of the
    // task.
    this.artifactId = `answer-${runId.split(':').at(-1)}`;
  }

  /** Returns the events of one output. */
  eventsOf(output: TurnOutput): StreamEvent[] {
    if (output === '') return [];
    const earlier = this.flush();
    if (typeof output === 'string') return [...earlier, ...split(output).map((text) => this.chunk([{ text }]))];
    if (output instanceof AgentReply) return output.parts.length > 0 ? [...earlier, this.chunk(output.parts)] : earlier;
    if ('message' in output) {
      this.pendingMessage = output.message;
      return earlier;
    }
    const isEvent = 'task' in output || 'statusUpdate' in output || 'artifactUpdate' in output;
    return [...earlier, isEvent ? output : this.chunk([output])];
  }

  /** Returns the event that completes the task. */
  completed(): StreamEvent {
    const message = this.pendingMessage ?? undefined;
    this.pendingMessage = null;
    return statusEvent(this.ids, 'TASK_STATE_COMPLETED', message);
  }

  private flush(): StreamEvent[] {
    const message = this.pendingMessage;
    this.pendingMessage = null;
    return message ? [statusEvent(this.ids, 'TASK_STATE_WORKING', message)] : [];
  }

  private chunk(parts: Part[]): StreamEvent {
    const append = this.hasChunks;
    this.hasChunks = true;
    return { artifactUpdate: { ...this.ids, artifact: { artifactId: this.artifactId, parts }, append } };
  }
}

function split(text: string): string[] {
  if (text.length <= MAX_TEXT_LENGTH) return [text];
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += MAX_TEXT_LENGTH / 2) {
    pieces.push(characters.slice(at, at + MAX_TEXT_LENGTH / 2).join(''));
  }
  return pieces;
}
