import { sha256 } from '../platform/secrets/crypto';
import { statusOf } from '../protocol/a2a/core/events';
import { streamTaskEvents } from '../tasks';
import { type Translation, translationFor } from '../texts/sent-texts';
import { MAX_BODY_LENGTH, MAX_TITLE_LENGTH } from './limits';
import type { WebPushKind } from './schema';
import type { Delivery } from './store/delivery-rows';

/** The message that the service worker of a device displays (public/sw.js). */
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

/**
 * Returns the message of a delivery, in the user's language. Contains private content only if the user chose to receive
 * it.
 */
export async function messageOf(delivery: Delivery): Promise<WebPushMessage> {
  const { conversationId, orderId, event, at, showsContent } = delivery;
  const translation = translationFor(delivery.locale);
  const texts = showsContent
    ? await contentOf(delivery, translation)
    : { title: 'Parley', body: privateText(delivery.kind, translation) };
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

/** Returns the text for a lock screen. It contains no names, no amounts, and nothing that an agent wrote. */
function privateText(kind: WebPushKind, { t }: Translation): string {
  return t(`notifications.private.${kind}`);
}

async function contentOf(delivery: Delivery, texts: Translation): Promise<{ title: string; body: string }> {
  const { userId, kind, taskId, currency, amount, isAutomatic } = delivery;
  const { t } = texts;
  const title = delivery.agentName ?? 'Parley';
  const conversation = delivery.title ?? '';
  const money = currency === null || amount === null ? '' : { currency, minor: amount };
  switch (kind) {
    case 'question':
      return {
        title,
        body: (taskId && (await questionOf({ principal: userId, id: taskId }))) || privateText(kind, texts),
      };
    case 'finished':
      return { title, body: t('notifications.finished', { conversation }) };
    case 'cart':
      return { title, body: t('notifications.cart', { amount: money }) };
    case 'approval':
      return { title, body: t('notifications.approval', { conversation }) };
    case 'payment':
      return { title, body: t(isAutomatic ? 'notifications.paid' : 'notifications.payment', { amount: money }) };
  }
}

/** Returns the text of the task's latest status; null if it has none. */
async function questionOf(task: Parameters<typeof streamTaskEvents>[0]): Promise<string | null> {
  let found: string | null = null;
  for await (const { event } of streamTaskEvents(task)) {
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
