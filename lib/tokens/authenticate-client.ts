import { createCache } from '../platform/cache';
import type { AppActor } from '../platform/context';
import { equalInConstantTime } from '../platform/crypto';
import { hashClientSecret, isClientId } from './client-secret';
import { noteUse } from './last-used';
import { type ClientRecord, findClient, touchSecret } from './store/apps';

/** Stands in for a client that does not exist, so that refusing it costs the same. */
const nobody: ClientRecord['secrets'] = [{ id: '', hash: 'A'.repeat(43), expiresAt: null }];

const clients = createCache<ClientRecord | null>({ name: 'clients', topic: 'app', max: 10_000, load: findClient });

/**
 * The app that these credentials belong to, or null; an unknown client and a wrong secret cannot be told apart by the
 * answer or by its time. Answers from memory that notices empty.
 */
export async function authenticateClient(given: {
  clientId: string;
  clientSecret: string;
  now: Date;
}): Promise<AppActor | null> {
  const { clientId, now } = given;
  const client = isClientId(clientId) ? await clients.get(clientId) : null;
  const hash = hashClientSecret(given.clientSecret);
  const secret = (client?.secrets ?? nobody).find((known) => equalInConstantTime(known.hash, hash));
  if (!client || !secret || (secret.expiresAt !== null && secret.expiresAt <= now)) return null;
  noteUse(secret.id, now, touchSecret);
  return { kind: 'app', appId: client.appId, clientId, credentialId: secret.id };
}
