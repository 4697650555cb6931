import { findUser } from '../../identity';
import { createCache } from '../../platform/cache';
import type { AppActor, OAuthClientActor, PublicClientActor, PublicClientId, UserActor } from '../../platform/context';
import { constantTimeEqual, sha256 } from '../../platform/secrets/crypto';
import { recordLastUsed } from '../access-tokens/record-last-used';
import { APP_CREDENTIAL_CACHE_SIZE, CLIENT_CACHE_SIZE, MAX_CLIENT_ID_LENGTH } from '../limits';
import {
  type AppCredentialRecord,
  type ClientRecord,
  findAppCredential,
  findClient,
  touchSecret,
} from '../store/app-credentials';
import { hashClientSecret, isClientId } from './client-secrets';

/** The client of Parley's agent probes. It belongs to no user and no app, so it cannot pay and has no grants. */
export const PROBE_CLIENT = {
  principal: 'prb_00000000000000000000',
  credentialId: 'prb_00000000000000000000',
  clientId: 'parley-probe',
} as const;

type Secret = ClientRecord['secrets'][number];

/** Compared when the client does not exist, so that refusing it takes as long. */
const DUMMY_SECRETS: Secret[] = [{ id: '', hash: 'A'.repeat(43) }];

/** Verified secrets by SHA-256, while the client is cached: because their HMAC takes five times as long. */
const verifiedSecrets = new WeakMap<ClientRecord, Map<string, Secret>>();

const clients = createCache<ClientRecord | null>({
  topic: 'app',
  max: CLIENT_CACHE_SIZE,
  load: findClient,
});

/** App credentials by the id of a secret, or of the app itself. */
const appCredentials = createCache<AppCredentialRecord | null>({
  topic: 'credential',
  max: APP_CREDENTIAL_CACHE_SIZE,
  load: findAppCredential,
});

/**
 * The app with these credentials; null when they are wrong or its owner is suspended. The result and its time do not
 * distinguish an unknown client from a wrong secret. Cached; notifications invalidate the entry.
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
  const secret = (client?.secrets ?? DUMMY_SECRETS).find((candidate) => constantTimeEqual(candidate.hash, hash));
  if (!client || !secret) return null;
  const secrets = verifiedSecrets.get(client) ?? new Map<string, Secret>();
  verifiedSecrets.set(client, secrets.set(digest, secret));
  return { client, secret };
}

/** The app with this client id, if its owner is not suspended. Client ids that are not ours cause no query. */
export async function findAppClient(clientId: string, now: Date): Promise<ClientRecord | null> {
  const client = isClientId(clientId) ? await clients.get(clientId) : null;
  return client && (await findActiveApp(client.appId, now)) ? client : null;
}

/** The app of a secret (`sec_…`) or app id, if the secret has not expired and the app's owner is not suspended. */
export async function findActiveApp(credentialId: string, now: Date): Promise<AppCredentialRecord | null> {
  const app = await appCredentials.get(credentialId);
  if (!app || (app.expiresAt !== null && app.expiresAt <= now)) return null;
  const owner = await findUser(app.ownerId);
  return owner && !owner.suspended ? app : null;
}

/**
 * The public client with this id: one of Parley's own, or an external one, which is not looked up, because its codes
 * and tokens are bound to its id. Null for an app, which has a secret, and for other texts.
 */
export function findNamedClient(clientId: string): PublicClientActor | OAuthClientActor | null {
  if (clientId === 'parley-cli' || clientId === 'parley-web') return { kind: 'public-client', clientId };
  return /^(?:https?:\/\/|reg\.)/.test(clientId) && clientId.length <= MAX_CLIENT_ID_LENGTH
    ? { kind: 'oauth-client', clientId }
    : null;
}

/** The client that a user's tokens are issued to: the browser for a session, the command line for an access token. */
export function defaultClientId(user: UserActor): PublicClientId {
  return user.credential.kind === 'session' ? 'parley-web' : 'parley-cli';
}
