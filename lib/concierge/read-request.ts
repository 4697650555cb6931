import { z } from 'zod';
import type { Message, Part, Task } from '../protocol/a2a/core/model';
import { isObject, type JsonObject, nonEmptyString } from '../protocol/json';

/** The maximum price that the user permits for a task, minor units. */
const priceLimitSchema = z.object({ amount: z.int().min(0), currency: z.string() });
export type PriceLimit = z.infer<typeof priceLimitSchema>;

/** The agent and skill that the request specifies, as in Society AI. */
export interface Executor {
  slug: string;
  skill: string | undefined;
}

/** Returns the last message of the caller. */
export function lastMessageOf({ history }: Pick<Task, 'history'>): Message {
  const message = history.findLast(({ role }) => role === 'user');
  if (!message) throw new Error('a task begins with a message');
  return message;
}

/** Returns the parts of these messages of the caller, in order. */
export function partsOf({ history }: Pick<Task, 'history'>, messageIds: string[]): Part[] {
  const messages = history.filter(({ role, messageId }) => role === 'user' && messageIds.includes(messageId));
  return messages.flatMap(({ parts }) => parts);
}

export function textOf(parts: Part[]): string {
  const texts = parts.map((part) => (part.kind === 'text' ? part.text.trim() : ''));
  return texts.filter((text) => text !== '').join('\n');
}

/**
 * Reads the agent that the metadata of a request or of its message specifies: `executor.name` with `skill_used`, or
 * `agent`. The concierge's own name selects no agent.
 */
export function readExecutor(metadata: (JsonObject | undefined)[], ownSlug: string): Executor | null {
  for (const given of metadata) {
    if (!given) continue;
    const executor = isObject(given.executor) ? nonEmptyString(given.executor.name) : undefined;
    const slug = executor ?? nonEmptyString(given.agent);
    if (slug !== undefined && slug !== ownSlug) return { slug, skill: nonEmptyString(given.skill_used) };
  }
  return null;
}

/** Reads `parley.maxPrice` of the request or of its message; null if there is none. */
export function readMaxPrice(metadata: (JsonObject | undefined)[]): PriceLimit | null {
  for (const given of metadata) {
    const parsed = priceLimitSchema.safeParse(given?.['parley.maxPrice']);
    if (parsed.success) return parsed.data;
  }
  return null;
}
