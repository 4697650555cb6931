import { newUuid } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { PUSH_JWT_SECONDS } from '../limits';
import { signJwt } from './keys';

interface PushClaims {
  /** Origin of the push URL. */
  audience: string;
  taskId: string;
  /** SHA-256 of the request body, hex. */
  bodyHash: string;
}

/**
 * A JWT that authenticates a push notification: our issuer, the receiver as audience, the task and the body hash.
 * Because of its own `typ`, it is not accepted as an agent token (RFC 8725 §3.11). Verifiable with our JWKS.
 */
export async function signPush({ audience, taskId, bodyHash }: PushClaims, now: Date): Promise<string> {
  const iat = Math.floor(now.getTime() / 1000);
  const claims = {
    iss: env().APP_URL,
    aud: audience,
    iat,
    exp: iat + PUSH_JWT_SECONDS,
    jti: newUuid(),
    task_id: taskId,
    request_body_sha256: bodyHash,
  };
  return signJwt('push+jwt', claims, now);
}
