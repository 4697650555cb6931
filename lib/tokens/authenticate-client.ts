import { createCache } from '../platform/cache';
import type { AppActor } from '../platform/context';
import { equalInConstantTime, sha256 } from '../platform/crypto';
import { hashClientSecret, isClientId } from './client-secret';
import { findLiveApp } from './find-app-credential';
import { noteUse } from './last-used';
import { type ClientRecord, findClient, touchSecret } from './store/apps';

/** Stands in for a client that does not exist, so that refusing it costs the same. */
const nobody: Secret[] = [{ id: '', hash: 'A'.repeat(43) }];

/** Secrets that were right, by SHA-256, for as long as the client is in memory: their HMAC takes five times as long. */
const proven = new WeakMap<ClientRecord, Map<string, Secret>>();

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
  const known = clients.known(clientId);
  const digest = sha256(given.clientSecret);
  const secret = known && proven.get(known)?.get(digest);
  const found = known && secret ? { client: known, secret } : await prove({ ...given, digest });
  if (!found || !(await findLiveApp(found.secret.id, now))) return null;
  noteUse(found.secret.id, now, touchSecret);
  return { kind: 'app', appId: found.client.appId, clientId, credentialId: found.secret.id };
}

async function prove({
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
  const secret = (client?.secrets ?? nobody).find((one) => equalInConstantTime(one.hash, hash));
  if (!client || !secret) return null;
  const secrets = proven.get(client) ?? new Map<string, Secret>();
  proven.set(client, secrets.set(digest, secret));
  return { client, secret };
}
