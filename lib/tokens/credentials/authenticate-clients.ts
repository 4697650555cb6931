import { findUser } from '../../identity';
import { createCache } from '../../platform/cache';
import type {
  AppActor,
  GuestActor,
  OAuthClientActor,
  PublicClientActor,
  PublicClientId,
  UserActor,
} from '../../platform/context';
import { newId } from '../../platform/ids';
import { constantTimeEqual, hmac, newSecret, sha256 } from '../../platform/secrets/crypto';
import { DAY_MS } from '../../platform/time';
import { refuse } from '../errors';
import { APP_CREDENTIAL_CACHE_SIZE, CLIENT_CACHE_SIZE, MAX_CLIENT_ID_LENGTH } from '../limits';
import {
  type AppCredentialRecord,
  type ClientRecord,
  findAppCredential,
  findClient,
  touchSecret,
} from '../store/app-credentials';
import type { NewSecretRow } from '../store/client-rows';
import { recordLastUsed } from '../store/last-used';

/** The client of Parley's agent probes. It belongs to no user and no app, so it cannot pay and has no grants. */
export const PROBE_CLIENT = {
  principal: 'prb_00000000000000000000',
  credentialId: 'prb_00000000000000000000',
  clientId: 'parley-probe',
} as const;

type Secret = ClientRecord['secrets'][number];

/** Compared if the client does not exist, so that the rejection takes as long as that of a wrong secret. */
const DUMMY_SECRETS: Secret[] = [{ id: '', hash: 'A'.repeat(43) }];

/** Verified secrets by SHA-256 while the client is cached, because their HMAC takes five times as long. */
const verifiedSecrets = new WeakMap<ClientRecord, Map<string, Secret>>();

const clients = createCache<ClientRecord | null>({ topic: 'app', max: CLIENT_CACHE_SIZE, load: findClient });

/** App credentials by the id of a secret, or of the app itself. */
const appCredentials = createCache<AppCredentialRecord | null>({
  topic: 'credential',
  max: APP_CREDENTIAL_CACHE_SIZE,
  load: findAppCredential,
});

/**
 * Returns the app with these credentials; null if they are wrong or its owner is suspended. Neither the result nor its
 * timing distinguishes an unknown client from a wrong secret. Cached; notifications invalidate the entry.
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
  if (!client || !secret) return refuse(client ? 'client_secret' : 'client_unknown');
  const secrets = verifiedSecrets.get(client) ?? new Map<string, Secret>();
  verifiedSecrets.set(client, secrets.set(digest, secret));
  return { client, secret };
}

/**
 * Finds the app with this client id; null if it is unknown or its owner is suspended. Client ids that are not ours
 * cause no query.
 */
export async function findAppClient(clientId: string, now: Date): Promise<ClientRecord | null> {
  const client = isClientId(clientId) ? await clients.get(clientId) : null;
  return client && (await findActiveApp(client.appId, now)) ? client : null;
}

/**
 * Finds the app of a secret (`sec_…`) or app id; null if it is unknown, the secret has expired, or the app's owner is
 * suspended.
 */
export async function findActiveApp(credentialId: string, now: Date): Promise<AppCredentialRecord | null> {
  const app = await appCredentials.get(credentialId);
  if (!app || (app.expiresAt !== null && app.expiresAt <= now)) return null;
  const owner = await findUser(app.ownerId);
  return owner && !owner.suspended ? app : null;
}

/**
 * Returns the public client with this id: one of Parley's own, or an external one, which is not looked up because its
 * codes and tokens are bound to its id. Returns null for an app, which has a secret, and for other texts.
 */
export function findNamedClient(clientId: string): PublicClientActor | OAuthClientActor | null {
  if (clientId === 'parley-cli' || clientId === 'parley-web') return { kind: 'public-client', clientId };
  return /^(?:https?:\/\/|reg\.)/.test(clientId) && clientId.length <= MAX_CLIENT_ID_LENGTH
    ? { kind: 'oauth-client', clientId }
    : null;
}

/**
 * Returns the client to which a user's tokens are issued: the browser for a session or guest, the command line for an
 * access token.
 */
export function defaultClientId({ credential }: UserActor | GuestActor): PublicClientId {
  return credential.kind === 'session' || credential.kind === 'guest' ? 'parley-web' : 'parley-cli';
}

const SECRET_PREFIX = 'parley_cs_';

/** Creates a client secret of 256 random bits, which is shown once, and the row that stores its hash. */
export function newClientSecret(now: Date, expiresInDays?: number): { clientSecret: string; row: NewSecretRow } {
  const clientSecret = newSecret(SECRET_PREFIX);
  const row = {
    id: newId('sec'),
    prefix: clientSecret.slice(0, SECRET_PREFIX.length + 6),
    secretHash: hashClientSecret(clientSecret),
    createdAt: now,
    expiresAt: expiresInDays === undefined ? null : new Date(now.getTime() + expiresInDays * DAY_MS),
  };
  return { clientSecret, row };
}

/** Returns the hash that is stored instead of a client secret. */
function hashClientSecret(clientSecret: string): string {
  return hmac('client-secret', clientSecret);
}

/** Returns the client id of an app, which ends in a MAC that only this server can compute. */
export function clientIdOf(appId: string): string {
  return `${appId}.${hmac('client-id', appId).slice(0, 11)}`;
}

/**
 * Returns true for ids from {@link clientIdOf}. Invented ids cause no query, and rejecting them takes as long as
 * rejecting a wrong secret.
 */
export function isClientId(clientId: string): boolean {
  return constantTimeEqual(clientId, clientIdOf(clientId.slice(0, clientId.lastIndexOf('.'))));
}
