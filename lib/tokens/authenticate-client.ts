import { createCache } from '../platform/cache';
import type { AppActor } from '../platform/context';
import { constantTimeEqual, sha256 } from '../platform/crypto';
import { hashClientSecret, isClientId } from './client-secret';
import { findActiveApp } from './find-active-app';
import { recordLastUsed } from './record-last-used';
import { type ClientRecord, findClient, touchSecret } from './store/apps';

/** Stands in for a client that does not exist, so that refusing it costs the same. */
const dummySecrets: Secret[] = [{ id: '', hash: 'A'.repeat(43) }];

/** Secrets that were right, by SHA-256, for as long as the client is in memory: their HMAC takes five times as long. */
const verifiedSecrets = new WeakMap<ClientRecord, Map<string, Secret>>();

type Secret = ClientRecord['secrets'][number];

const clients = createCache<ClientRecord | null>({ name: 'clients', topic: 'app', max: 10_000, load: findClient });

/**
 * The app that these credentials belong to, or null, as when its owner is suspended; an unknown client and a wrong secret
 * cannot be told apart by the answer or by its time. Answers from memory that notices empty.
 */
export async function authenticateClient(given: {
  clientId: string;
  clientSecret: string;
  now: Date;
}): Promise<AppActor | null> {
  const { clientId, now } = given;
  const known = clients.peek(clientId);
  const digest = sha256(given.clientSecret);
  const secret = known && verifiedSecrets.get(known)?.get(digest);
  const found = known && secret ? { client: known, secret } : await verifySecret({ ...given, digest });
  if (!found || !(await findActiveApp(found.secret.id, now))) return null;
  recordLastUsed(found.secret.id, now, touchSecret);
  return { kind: 'app', appId: found.client.appId, clientId, credentialId: found.secret.id };
}

async function verifySecret({
  clientId,
  clientSecret,
  digest,
}: {
  clientId: string;
  clientSecret: string;
  digest: string;
}): Promise<{ client: ClientRecord; secret: Secret } | null> {
  const client = isClientId(clientId) ? await clients.get(clientId) : null;
  const hash = hashClientSecret(clientSecret);
  const secret = (client?.secrets ?? dummySecrets).find((one) => constantTimeEqual(one.hash, hash));
  if (!client || !secret) return null;
  const secrets = verifiedSecrets.get(client) ?? new Map<string, Secret>();
  verifiedSecrets.set(client, secrets.set(digest, secret));
  return { client, secret };
}
