import webPush from 'web-push';
import { hasCode } from '../platform/errors';
import { fetchExternal } from '../platform/http-client/safe-fetch';
import { MAX_PUSH_SERVICE_RESPONSE_BYTES, RETRY_MAX_MS, SEND_TIMEOUT_MS } from './limits';
import type { WebPushMessage } from './message';
import type { Subscription, WebPushKind } from './schema';
import { vapidKeys, vapidSubject } from './vapid';

/**
 * The result of one request to a push service. `gone`: the subscription has ended. `busy`: may be repeated, but not
 * before `retryAfterMs`. `refused`: must not be repeated.
 */
export type SendResult =
  | { kind: 'accepted' }
  | { kind: 'gone' }
  | { kind: 'refused'; reason: string }
  | { kind: 'busy'; reason: string; retryAfterMs: number };

/** Kinds for which the user's input is needed wake a device that saves power (RFC 8030 §5.3). */
const urgencies: Record<WebPushKind, 'high' | 'normal'> = {
  question: 'high',
  cart: 'high',
  approval: 'high',
  finished: 'normal',
  payment: 'normal',
};

interface OutgoingMessage {
  subscription: Subscription;
  kind: WebPushKind;
  message: WebPushMessage;
  /** Time for which the push service keeps the message for a device that is offline. */
  ttlSeconds: number;
}

/**
 * Encrypts a message for a device (RFC 8291), signs the request (RFC 8292) and sends it through the address guard. A
 * later message with the same tag replaces one that the push service has not delivered yet.
 * @throws if `signal` aborts
 */
export async function sendMessage(
  { subscription, kind, message, ttlSeconds }: OutgoingMessage,
  signal: AbortSignal,
): Promise<SendResult> {
  const { endpoint, headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(message), {
    vapidDetails: { subject: vapidSubject(), ...vapidKeys() },
    contentEncoding: 'aes128gcm',
    urgency: urgencies[kind],
    topic: message.tag,
    TTL: ttlSeconds,
  });
  try {
    const response = await fetchExternal({
      url: endpoint,
      method: 'POST',
      headers: toTexts(headers),
      body,
      signal,
      waitMs: SEND_TIMEOUT_MS,
      waitFor: 'whole',
      silenceTimeoutMs: SEND_TIMEOUT_MS,
      maxBytes: MAX_PUSH_SERVICE_RESPONSE_BYTES,
    });
    // Reading the body releases the connection. Its text is neither stored nor displayed.
    await Promise.resolve(response.buffer(MAX_PUSH_SERVICE_RESPONSE_BYTES)).catch(() => undefined);
    return resultOf(response.status, response.headers['retry-after']);
  } catch (error) {
    if (signal.aborted) throw error;
    if (hasCode(error, 'url_refused')) return { kind: 'refused', reason: 'url_refused' };
    return { kind: 'busy', reason: 'unreachable', retryAfterMs: 0 };
  }
}

/** Converts the values to texts. Omits the length, which the HTTP client sets itself. */
function toTexts(headers: Record<string, string | number>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  return Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

function resultOf(status: number, retryAfter: string | undefined): SendResult {
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  // 401 and 403: the subscription has another key of this site, from before an exchange.
  if ([401, 403, 404, 410].includes(status)) return { kind: 'gone' };
  const reason = `http_${status}`;
  if (status !== 429 && status < 500) return { kind: 'refused', reason };
  return { kind: 'busy', reason, retryAfterMs: toMs(retryAfter) };
}

/** Reads `Retry-After` in both forms (RFC 9110 §10.2.3), at most {@link RETRY_MAX_MS}. */
function toMs(retryAfter: string | undefined): number {
  if (retryAfter === undefined) return 0;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), RETRY_MAX_MS) : 0;
}
