import { sha256 } from '../platform/secrets/crypto';
import { statusOf } from '../protocol/a2a/core/events';
import { toMoneyText } from '../protocol/ap2/money';
import { streamTaskEvents } from '../tasks';
import { MAX_BODY_LENGTH, MAX_TITLE_LENGTH } from './limits';
import type { WebPushKind } from './schema';
import type { Delivery } from './store/delivery-rows';

/** What the service worker of a device displays (public/sw.js). */
export interface WebPushMessage {
  title: string;
  body: string;
  /** A notification with the same tag replaces the earlier one: one per conversation or order. */
  tag: string;
  /** The path of the exact message. */
  url: string;
  /** Time of the event, milliseconds since 1970. */
  at: number;
}

/** The texts of a lock screen: no names, no amounts, nothing that an agent wrote. */
const privateTexts: Record<WebPushKind, string> = {
  question: 'An agent has a question',
  finished: 'A long task has ended',
  cart: 'An agent sent you an offer',
  approval: 'An agent needs your approval',
  payment: 'There is a payment alert',
};

/** Returns the message of a delivery. Contains private content only if the user chose so. */
export async function messageOf(delivery: Delivery): Promise<WebPushMessage> {
  const { conversationId, orderId, event, at, showsContent } = delivery;
  const texts = showsContent ? await contentOf(delivery) : { title: 'Parley', body: privateTexts[delivery.kind] };
  return {
    title: clip(texts.title, MAX_TITLE_LENGTH),
    body: clip(texts.body, MAX_BODY_LENGTH),
    tag: sha256(conversationId ?? orderId ?? event).slice(0, 32),
    url: pathOf(delivery),
    at: at.getTime(),
  };
}

/** Returns the path of the message in its conversation; of the order or the chain if there is no conversation. */
function pathOf({ kind, conversationId, taskId, orderId }: Delivery): string {
  if (conversationId !== null) return `/chat/${conversationId}?at=${taskId}`;
  if (kind === 'approval') return `/chat/chains/${taskId}`;
  return `/orders/${orderId}`;
}

async function contentOf(delivery: Delivery): Promise<{ title: string; body: string }> {
  const { kind, taskId, currency, amount, isAutomatic } = delivery;
  const title = delivery.agentName ?? 'Parley';
  const conversation = delivery.title ?? '';
  const money = currency === null || amount === null ? '' : toMoneyText({ currency, minor: amount });
  switch (kind) {
    case 'question':
      return { title, body: (taskId && (await questionOf(taskId))) || privateTexts.question };
    case 'finished':
      return { title, body: `Task ended: ${conversation}` };
    case 'cart':
      return { title, body: `Offer: ${money}` };
    case 'approval':
      return { title, body: `Wants to call another agent: ${conversation}` };
    case 'payment':
      return { title, body: isAutomatic ? `Paid automatically: ${money}` : `Payment alert: ${money}` };
  }
}

/** Returns the text of the task's latest status; null if it has none. */
async function questionOf(taskId: string): Promise<string | null> {
  let found: string | null = null;
  for await (const { event } of streamTaskEvents(taskId)) {
    const status = statusOf(event);
    if (status)
      found = (status.message?.parts ?? []).flatMap((part) => (part.kind === 'text' ? part.text : [])).join(' ');
  }
  return found;
}

/** Removes characters that are invisible or change the direction of other text, and shortens the rest. */
function clip(text: string, length: number): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = [...clean];
  return characters.length <= length ? clean : `${characters.slice(0, length - 1).join('')}…`;
}
