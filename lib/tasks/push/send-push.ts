import { ParleyError } from '../../platform/errors';
import { fetchExternal } from '../../platform/http-client/safe-fetch';
import { sha256 } from '../../platform/secrets/crypto';
import { signPush } from '../../tokens';
import { redactSecrets } from '../agent-client/redact-secrets';
import { MAX_PUSH_RESPONSE_BYTES, PUSH_RESPONSE_EXCERPT_BYTES, PUSH_TIMEOUT_MS } from '../limits';
import { openSecrets } from '../store/push/push-config-rows';
import type { PushWork } from '../store/push/push-deliveries';

/** The outcome of one attempt. `gone` means that it must not be retried. */
export type PushOutcome =
  | { kind: 'delivered' }
  | { kind: 'failed' | 'gone'; reason: string; httpStatus: number | null; answer: string };

/** Returns the delivery id, which is the same for every attempt, so that receivers can deduplicate. */
export function deliveryId({ taskId, id }: Pick<PushWork, 'taskId' | 'id'>, seq: number): string {
  return sha256(JSON.stringify([taskId, id, seq])).slice(0, 32);
}

/** Makes one delivery attempt through safe-fetch, signed by Parley and with the client's own token and credentials. */
export async function sendPush(
  work: Pick<PushWork, 'taskId' | 'id' | 'url' | 'secrets'>,
  push: { seq: number; contentType: string; body: string },
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<PushOutcome> {
  const { token, authentication } = openSecrets(work.secrets);
  const claims = { audience: new URL(work.url).origin, taskId: work.taskId, bodyHash: sha256(push.body) };
  const headers = {
    'content-type': push.contentType,
    'parley-delivery': deliveryId(work, push.seq),
    'parley-signature': await signPush(claims, now),
    ...(token && { 'x-a2a-notification-token': token }),
    ...(authentication?.credentials && {
      authorization: `${authentication.scheme} ${authentication.credentials}`,
    }),
  };
  try {
    const response = await fetchExternal({
      url: work.url,
      method: 'POST',
      headers,
      body: push.body,
      signal,
      waitMs: PUSH_TIMEOUT_MS,
      waitFor: 'whole',
      silenceTimeoutMs: PUSH_TIMEOUT_MS,
      maxBytes: MAX_PUSH_RESPONSE_BYTES,
    });
    // A 2xx status is an acknowledgment, even if the body cannot be read.
    const excerpt = await readExcerpt(response.chunks()).catch(() => '');
    return outcomeOf(response.status, excerpt);
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = error instanceof ParleyError ? error.code : 'agent_timeout';
    return { kind: reason === 'url_refused' ? 'gone' : 'failed', reason, httpStatus: null, answer: '' };
  }
}

/** Returns the part of a response that users see. Reading the body releases the connection. */
async function readExcerpt(body: AsyncIterable<Uint8Array>): Promise<string> {
  for await (const chunk of body) {
    const text = new TextDecoder().decode(chunk.subarray(0, PUSH_RESPONSE_EXCERPT_BYTES)).replaceAll('\0', '\ufffd');
    return redactSecrets(text);
  }
  return '';
}

function outcomeOf(status: number, answer: string): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  return { kind: status === 410 ? 'gone' : 'failed', reason: `http_${status}`, httpStatus: status, answer };
}
