import { sha256 } from '../../platform/crypto';
import { asParleyError } from '../../platform/errors';
import { fetchExternal } from '../../platform/safe-fetch';
import { signPush } from '../../tokens';
import type { PushWork } from '../store/push-deliveries';
import { redactSecrets } from '../upstream/redact-secrets';
import { openSecrets } from './push-secrets';

/** How long a receiver may take, milliseconds (A2A 1.0 §4.3.3 recommends 10 to 30 s). */
const responseTimeoutMs = 15_000;
const maxResponseBytes = 1_048_576;
const excerptBytes = 500;

/** How one attempt went. `gone`: no other attempt makes sense. */
export type PushOutcome =
  | { kind: 'taken' }
  | { kind: 'failed' | 'gone'; reason: string; httpStatus: number | null; answer: string };

/** The name of one delivery: the same at every attempt, so that receivers can drop repetitions. */
export function deliveryId({ taskId, id }: Pick<PushWork, 'taskId' | 'id'>, seq: number): string {
  return sha256(JSON.stringify([taskId, id, seq])).slice(0, 32);
}

/** One attempt to deliver: signed by us, with the caller's own token and credentials, by the guarded way out alone. */
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
      waitMs: responseTimeoutMs,
      waitFor: 'whole',
      silenceTimeoutMs: responseTimeoutMs,
      maxBytes: maxResponseBytes,
    });
    // Who said that they took it has taken it, whatever becomes of the rest of their answer.
    const excerpt = await readExcerpt(response.chunks()).catch(() => '');
    return outcomeOf(response.status, excerpt);
  } catch (error) {
    if (signal.aborted) throw error;
    const known = asParleyError(error);
    const reason = known?.code ?? 'agent_timeout';
    return { kind: reason === 'url_refused' ? 'gone' : 'failed', reason, httpStatus: null, answer: '' };
  }
}

/** What people are shown of an answer. Reading begins in any case, so that the connection is given back. */
async function readExcerpt(body: AsyncIterable<Uint8Array>): Promise<string> {
  for await (const chunk of body) {
    const text = new TextDecoder().decode(chunk.subarray(0, excerptBytes)).replaceAll('\0', '\ufffd');
    return redactSecrets(text);
  }
  return '';
}

function outcomeOf(status: number, answer: string): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'taken' };
  return { kind: status === 410 ? 'gone' : 'failed', reason: `http_${status}`, httpStatus: status, answer };
}
