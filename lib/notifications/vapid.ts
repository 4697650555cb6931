import { createECDH } from 'node:crypto';
import { env } from '../platform/runtime/env';
import { once } from '../platform/runtime/once';
import { deriveKey } from '../platform/secrets/crypto';

/** The key pair with which this site identifies itself to push services (RFC 8292), base64url. */
interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/**
 * Returns the site's keys. They are derived from the root secret, so all nodes have the same keys and none are stored.
 * A change would end every subscription.
 */
export const vapidKeys = once((): VapidKeys => vapidKeysOf(deriveKey('web-push-vapid')));

/** Returns the key pair of a private key of 32 bytes. */
export function vapidKeysOf(privateKey: Buffer): VapidKeys {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey);
  // ECDH returns the private key without leading zeros, which senders reject.
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}

/** Returns the operator's contact for push services (RFC 8292 §2.1), which accept only https and mailto URLs. */
export function vapidSubject(): string {
  const { APP_URL, MAIL_FROM } = env();
  return APP_URL.startsWith('https:') ? APP_URL : `mailto:${/<([^>]+)>/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM}`;
}
