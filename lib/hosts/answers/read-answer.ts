import { ParleyError } from '../../platform/errors';
import { statusOf, type TaskEvent } from '../../protocol/a2a/core/events';
import { endsTurn, type Part, type Task, type TaskState, type TaskStatus } from '../../protocol/a2a/core/model';
import type { JsonObject } from '../../protocol/json';
import type { StreamItem } from '../../tasks';
import { NO_USAGE, type TokenUsage, usageIn } from './read-usage';
import { type PartLocation, toMarkdown } from './to-markdown';

/** The addition of an event to the answer: progress of the agent, or content. */
export interface AnswerDelta {
  reasoning?: string;
  content?: string;
}

/**
 * Reads one turn of a task as a chat completion: artifacts and messages are the content, texts of a working status are
 * the reasoning.
 */
export class AnswerReader {
  content = '';
  reasoning = '';
  state: TaskState = 'submitted';
  /** True if the turn may have created an offer, which only data parts do. */
  hasData = false;
  /** `task_failed` when the agent failed, rejected or canceled the task. */
  failure: ParleyError | null = null;
  /** The last usage that the agent reported in this turn. */
  usage: TokenUsage = NO_USAGE;
  readonly #taskId: string;
  /** The artifact that the content ends with. */
  #lastArtifact: string | null = null;
  /** Texts and numbers of parts so far, by artifact. */
  readonly #artifacts = new Map<string, { text: string; parts: number }>();

  constructor(taskId: string) {
    this.#taskId = taskId;
  }

  read(item: StreamItem): AnswerDelta[] {
    if ('event' in item) return this.#readEvent(item.event);
    // The task at the start of the turn; a turn that has ended consists of only its task.
    this.state = item.task.status.state;
    return endsTurn(this.state) ? this.readTask(item.task) : [];
  }

  /** Adds a paragraph to the content. */
  append(paragraph: string): AnswerDelta {
    this.#lastArtifact = null;
    return this.#addContent(this.content === '' ? paragraph : `\n\n${paragraph}`);
  }

  /** Adds the marker of the turn: part of the client's answer, not of the agent's output. */
  mark(marker: string): AnswerDelta {
    return this.#addContent(marker);
  }

  /** Reads a whole task as its answer so far. */
  readTask({ status, artifacts }: Task): AnswerDelta[] {
    const deltas = artifacts.flatMap((artifact) => this.#readArtifact({ artifact, append: false }));
    return [...deltas, ...this.#readStatus(status)];
  }

  #readEvent(event: TaskEvent): AnswerDelta[] {
    if (event.type === 'artifact' || event.type === 'status') this.#noteUsage(event.metadata);
    if (event.type === 'artifact') return this.#readArtifact(event);
    const status = statusOf(event);
    return status ? this.#readStatus(status) : [];
  }

  #readStatus(status: TaskStatus): AnswerDelta[] {
    const { state, message } = status;
    this.state = state;
    this.#noteUsage(message?.metadata);
    const text = this.#markdownOf(message?.parts ?? [], { source: message?.messageId ?? '', from: 0 });
    if (!endsTurn(state)) return text === '' ? [] : [this.#addReasoning(`${text}\n`)];
    if (state === 'failed' || state === 'rejected' || state === 'canceled') {
      this.failure = taskFailed(state, text);
      return [];
    }
    return text === '' ? [] : [this.append(text)];
  }

  #readArtifact({ artifact, append }: Pick<TaskEvent & { type: 'artifact' }, 'artifact' | 'append'>): AnswerDelta[] {
    const { artifactId, parts, metadata } = artifact;
    this.#noteUsage(metadata);
    const known = this.#artifacts.get(artifactId);
    const before = append && known ? known : { text: '', parts: 0 };
    const text = this.#markdownOf(parts, { source: artifactId, from: before.parts });
    this.#artifacts.set(artifactId, { text: before.text + text, parts: before.parts + parts.length });
    // Agents that cannot append publish the whole artifact each time.
    const added = !append && known && text.startsWith(known.text) ? text.slice(known.text.length) : text;
    if (added === '') return [];
    const continues = this.#lastArtifact === artifactId;
    const delta = continues && (append || added !== text) ? this.#addContent(added) : this.append(added);
    this.#lastArtifact = artifactId;
    return [delta];
  }

  #noteUsage(metadata: JsonObject | undefined): void {
    this.usage = usageIn(metadata) ?? this.usage;
  }

  #markdownOf(parts: Part[], location: Omit<PartLocation, 'taskId'>): string {
    this.hasData ||= parts.some(({ kind }) => kind === 'data');
    return toMarkdown(parts, { taskId: this.#taskId, ...location });
  }

  #addContent(content: string): AnswerDelta {
    this.content += content;
    return { content };
  }

  #addReasoning(reasoning: string): AnswerDelta {
    this.reasoning += reasoning;
    return { reasoning };
  }
}

function taskFailed(state: 'failed' | 'rejected' | 'canceled', text: string): ParleyError {
  return new ParleyError('task_failed', text || `The task was ${state === 'failed' ? 'not completed' : state}.`, {
    data: { state },
  });
}
