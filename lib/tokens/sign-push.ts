import { env } from '../platform/env';
import { newUuid } from '../platform/ids';
import { signJwt } from './sign-jwt';

/** How long a receiver may take a push for fresh, seconds. */
const lifetimeSeconds = 300;

/** What one push is about. */
interface PushClaims {
  /** Origin of the receiver. */
  audience: string;
  taskId: string;
  /** SHA-256 of the body, hex. */
  bodyHash: string;
}

/**
 * A JWT that tells a receiver that the push is ours, for it, of this task and body. Its type is its own, so that it opens
 * nothing where agent tokens do (RFC 8725 §3.11); verifiable at our JWKS.
 */
export async function signPush({ audience, taskId, bodyHash }: PushClaims, now: Date): Promise<string> {
  const iat = Math.floor(now.getTime() / 1000);
  const claims = {
    iss: env().APP_URL,
    aud: audience,
    iat,
    exp: iat + lifetimeSeconds,
    jti: newUuid(),
    task_id: taskId,
    request_body_sha256: bodyHash,
  };
  return signJwt('push+jwt', claims, now);
}
