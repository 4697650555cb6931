import { type Handler, type Turn, TurnError, type TurnOutput } from '../serve/turn.js';
import type { StreamEvent } from '../wire.js';
import { type ChatMessage, ContextMemory } from './context-memory.js';
import { readContent } from './read-content.js';
import { ReasoningLines } from './reasoning-lines.js';
import { type ModelEndpoint, streamCompletion } from './stream-completion.js';

export interface FromOpenAIOptions extends ModelEndpoint {
  /** The system prompt. */
  system?: string;
  /** Name and description of the card; default to those of the model. */
  name?: string;
  description?: string;
}

/** An agent for `serve({ agent, handle, … })`, or for the exports of a file for `parley serve`. */
export interface OpenAIAgent {
  handle: Handler;
  /** An agent card without URLs, which Parley adds. */
  card: object;
}

/**
 * Creates an agent that answers with a model behind an OpenAI-compatible API (`POST {url}/chat/completions`). It
 * streams, stores each conversation within limits until the process ends, reads images, and reports `usage` in the
 * metadata of its last status. A turn fails with the API's reason, unless it concerns the agent's own access.
 */
export function fromOpenAI(options: FromOpenAIOptions): OpenAIAgent {
  const memory = new ContextMemory();
  async function* handle(turn: Turn): AsyncGenerator<TurnOutput, undefined> {
    const question: ChatMessage = { role: 'user', content: readContent(turn.message.parts) };
    const key = `${turn.caller?.subject ?? ''} ${turn.contextId}`;
    const system: ChatMessage[] = options.system ? [{ role: 'system', content: options.system }] : [];
    const messages = [...system, ...memory.read(key), question];
    const reasoning = new ReasoningLines();
    let answer = '';
    let usage: object | undefined;
    for await (const delta of streamCompletion(options, { messages, signal: turn.signal })) {
      usage = delta.usage ?? usage;
      const line = delta.content ? reasoning.rest() : reasoning.add(delta.reasoning ?? '');
      if (line) yield turn.status(line);
      if (!delta.content) continue;
      answer += delta.content;
      if (!isMarker(delta.content)) yield delta.content;
    }
    if (answer === '') throw new TurnError('The model gave no answer.');
    memory.add(key, [question, { role: 'assistant', content: answer }]);
    yield completedWith(turn, usage);
  }
  return { handle, card: cardOf(options) };
}

/**
 * Returns true for invisible text that only the API reads when it receives the answer again: Parley's `/v1` appends
 * such text to answers.
 */
function isMarker(text: string): boolean {
  return /^\s*(?:\u200b|\u200c|\u200d|\u2060){64}$/.test(text);
}

function completedWith({ taskId, contextId }: Turn, usage: object | undefined): StreamEvent {
  const status = { state: 'TASK_STATE_COMPLETED' as const, timestamp: new Date().toISOString() };
  return { statusUpdate: { taskId, contextId, status, ...(usage && { metadata: { usage } }) } };
}

function cardOf({ model, name = model, description = `Answers with the model ${model}.` }: FromOpenAIOptions): object {
  return {
    name,
    description,
    version: '1.0.0',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain', 'image/png', 'image/jpeg', 'image/webp', 'image/gif'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'chat', name: 'Chat', description, tags: ['chat', 'model'] }],
  };
}
