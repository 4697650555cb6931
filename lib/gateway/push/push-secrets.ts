import { seal, unseal } from '../../platform/crypto';
import type { PushTarget } from '../../protocol/a2a/core/push';

type Secrets = Pick<PushTarget, 'token' | 'authentication'>;

const purpose = 'push-config';

/** The caller's token and credentials as they are kept. */
export function sealSecrets({ token, authentication }: Secrets): string {
  return seal(purpose, JSON.stringify({ token, authentication }));
}

export function openSecrets(sealed: string): Secrets {
  return JSON.parse(unseal(purpose, sealed)) as Secrets;
}
