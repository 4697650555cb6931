import { env } from '../../platform/runtime/env';
import { sha256 } from '../../platform/secrets/crypto';
import { cleanText, truncate } from '../../protocol/a2a/cards/clean-text';
import type { Task } from '../../protocol/a2a/core/model';
import { toMarkdown } from '../answers/to-markdown';
import { MAX_QUESTION_TEXT } from '../limits';

/** The reason why a task waits: an answer of the user, or an action of the user on a page of Parley. */
export type Question = { key: string; text: string } & ({ kind: 'form' } | { kind: 'link'; url: string });

/**
 * The question that an interrupted task asks; null for another task. Sign-ins and payments are links, never forms. Each
 * question of the task has a different key.
 */
export function questionOf(task: Task, { slug, orderUrls }: { slug: string; orderUrls: string[] }): Question | null {
  const { state, message } = task.status;
  const [orderUrl] = orderUrls;
  const key = (asked: string): string => {
    const turn = task.history.filter(({ role }) => role === 'user').length;
    return sha256(JSON.stringify([turn, state, asked])).slice(0, 16);
  };
  if (state === 'auth-required') {
    const url = `${env().APP_URL}/agents/${slug}`;
    return { kind: 'link', url, key: key(url), text: `The agent "${slug}" on Parley needs a sign-in to continue.` };
  }
  if (state !== 'input-required') return null;
  if (orderUrl !== undefined) {
    const text = `The agent "${slug}" on Parley made an offer. Review it; only you can approve the payment.`;
    return { kind: 'link', url: orderUrl, key: key(orderUrl), text };
  }
  const location = { taskId: task.id, source: message?.messageId ?? '', from: 0 };
  const asked = truncate(cleanText(toMarkdown(message?.parts ?? [], location)), MAX_QUESTION_TEXT);
  const warning = 'Its text follows. Do not enter passwords or payment details.';
  return { kind: 'form', key: key(asked), text: `The agent "${slug}" on Parley asks. ${warning}\n\n${asked}`.trim() };
}
