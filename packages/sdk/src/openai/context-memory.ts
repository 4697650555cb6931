/** A message of OpenAI's chat completions. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string | ContentPart[];
}

export type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

/** Maximum UTF-16 code units of one conversation, and of all. Images count as their data URLs. */
const MAX_CONTEXT = 2_000_000;
const MAX_TOTAL = 50_000_000;
/** Maximum number of messages of one conversation that are sent again. */
const MAX_MESSAGES = 100;

interface Context {
  messages: ChatMessage[];
  length: number;
}

/**
 * Stores conversations in memory. Drops the oldest messages of a long conversation, and the least recently used
 * conversations.
 */
export class ContextMemory {
  private readonly contexts = new Map<string, Context>();
  private total = 0;

  /** Returns the earlier messages of a conversation, oldest first. */
  read(key: string): ChatMessage[] {
    return this.contexts.get(key)?.messages ?? [];
  }

  /** Adds a question and its answer. */
  add(key: string, messages: [ChatMessage, ChatMessage]): void {
    const kept = [...this.read(key), ...messages].slice(-MAX_MESSAGES);
    let length = lengthOf(kept);
    // A question is dropped together with its answer.
    while (length > MAX_CONTEXT && kept.length > 0) length -= lengthOf(kept.splice(0, 2));
    this.forget(key);
    this.contexts.set(key, { messages: kept, length });
    this.total += length;
    for (const oldest of this.contexts.keys()) {
      if (this.total <= MAX_TOTAL) return;
      this.forget(oldest);
    }
  }

  private forget(key: string): void {
    this.total -= this.contexts.get(key)?.length ?? 0;
    this.contexts.delete(key);
  }
}

/** Cost of each message, so that conversations with empty messages are dropped as well. */
const OVERHEAD = 100;

function lengthOf(messages: ChatMessage[]): number {
  return messages.reduce((sum, { content }) => sum + OVERHEAD + textLength(content), 0);
}

function textLength(content: ChatMessage['content']): number {
  if (typeof content === 'string') return content.length;
  return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text : part.image_url.url).length, 0);
}
