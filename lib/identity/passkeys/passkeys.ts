import {
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { appendAudit, passkeyChanged } from '../../observability';
import type { Call, Ctx } from '../../platform/context';
import { inTransaction, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/runtime/log';
import { authorize, requireFreshAuth } from '../authorization';
import { passkeyNotFound, passkeyRejected } from '../errors';
import { recordChange } from '../guards/changes';
import { proveChange } from '../guards/prove-change';
import { MAX_PASSKEY_TRANSPORTS, MAX_PASSKEYS, PASSKEY_CHALLENGE_MS } from '../limits';
import { relyingParty } from '../proofs/passkey-authentication';
import type { PasskeyResponse, PasskeyView } from '../schema-views';
import {
  deletePasskey,
  insertPasskey,
  type Passkey,
  selectPasskeys,
  snapshotPasskeys,
  updatePasskeyName,
} from '../store/passkey-rows';
import { consumeChallenge, saveChallenge } from '../store/sign-in-proofs';

/**
 * Returns the user's passkeys, oldest first.
 * @throws {ParleyError} `unauthenticated`
 */
export async function listPasskeys({ ctx }: { ctx: Ctx }): Promise<PasskeyView[]> {
  const { userId } = authorize(ctx.actor, 'account');
  return (await selectPasskeys(userId)).map(toPasskeyView);
}

/**
 * Renames one of the user's passkeys.
 * @throws {ParleyError} `unauthenticated`; `not_found`, also for another user's passkey
 */
export async function renamePasskey({ ctx, input }: Call<{ id: string; name: string }>): Promise<void> {
  const { userId } = authorize(ctx.actor, 'account');
  if (!(await updatePasskeyName(userId, input.id, input.name))) throw passkeyNotFound();
}

/**
 * Deletes one of the user's passkeys.
 * @throws {ParleyError} `unauthenticated`; `passkey_required`, `passkey_refused`, `sign_in_again`; `not_found`, also for
 *   another user's passkey
 */
export async function removePasskey({
  ctx,
  input: { id, assertion },
}: Call<{ id: string; assertion?: PasskeyResponse }>): Promise<void> {
  const { userId } = authorize(ctx.actor, 'account');
  if (!(await selectPasskeys(userId)).some((own) => own.id === id)) throw passkeyNotFound();
  await proveChange(ctx, { guard: 'passkey.remove', detail: { id } }, assertion);
  await inTransaction(async (tx) => {
    const before = await snapshotPasskeys(tx, userId);
    if (!(await deletePasskey(tx, userId, id))) throw passkeyNotFound();
    await recordChange(tx, ctx, { userId, kind: 'passkey.remove', subject: 'passkeys', facts: null, before });
    await appendAudit(tx, passkeyChanged(ctx, { userId, id, change: 'removed' }));
  });
}

function toPasskeyView({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}

/** COSE algorithms ES256 and RS256: every authenticator supports one of them. */
const ALGORITHMS = [-7, -257];

/**
 * Creates WebAuthn registration options (PublicKeyCredentialCreationOptionsJSON), valid for five minutes and one
 * response. The first passkey requires a recent sign-in; further ones are confirmed when they are added.
 * @throws {ParleyError} `unauthenticated`, `sign_in_again`
 */
export async function createRegistrationOptions({ ctx }: { ctx: Ctx }): Promise<object> {
  const { userId, email } = authorize(ctx.actor, 'account');
  const known = await selectPasskeys(userId);
  if (known.length === 0) await requireFreshAuth({ ctx });
  const options = await generateRegistrationOptions({
    rpName: 'Parley',
    rpID: relyingParty().id,
    userID: new TextEncoder().encode(userId),
    userName: email,
    timeout: PASSKEY_CHALLENGE_MS,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  const expiresAt = new Date(ctx.now.getTime() + PASSKEY_CHALLENGE_MS);
  await saveChallenge({ challenge: options.challenge, userId, purpose: 'enroll', expiresAt }, ctx.now);
  return options;
}

/**
 * Stores a new passkey if the authenticator created it for our origin and challenge, with user verification (WebAuthn
 * §7.1), and, unless it is the first one, an earlier passkey confirms it.
 * @throws {ParleyError} `unauthenticated`; `passkey_required`, `passkey_refused`, `sign_in_again`; `conflict` if it is
 *   already registered or the user has 20
 */
export async function verifyRegistration({
  ctx,
  input,
}: Call<{ name: string; credential: RegistrationResponseJSON; assertion?: PasskeyResponse }>): Promise<PasskeyView> {
  const { userId } = authorize(ctx.actor, 'account');
  const { name, credential, assertion } = input;
  const { attestationObject } = credential.response;
  await proveChange(ctx, { guard: 'passkey.add', detail: { name, attestationObject } }, assertion);
  const registered = await verify(ctx, userId, credential);
  const { id, publicKey, counter, transports = [] } = registered;
  const passkey: Passkey = {
    id,
    userId,
    name,
    publicKey,
    counter,
    transports: transports.slice(0, MAX_PASSKEY_TRANSPORTS),
    createdAt: ctx.now,
    lastUsedAt: null,
  };
  await inTransaction((tx) => store(tx, ctx, passkey));
  return toPasskeyView(passkey);
}

async function store(tx: Tx, ctx: Ctx, passkey: Passkey): Promise<void> {
  const { userId, id } = passkey;
  const before = await snapshotPasskeys(tx, userId);
  if (before.length >= MAX_PASSKEYS) {
    throw new ParleyError('conflict', `You have ${MAX_PASSKEYS} passkeys, which is the limit. Remove one first.`);
  }
  if (!(await insertPasskey(tx, passkey))) throw new ParleyError('conflict', 'This passkey is already registered.');
  await recordChange(tx, ctx, { userId, kind: 'passkey.add', subject: 'passkeys', facts: null, before });
  await appendAudit(tx, passkeyChanged(ctx, { userId, id, change: 'added' }));
}

async function verify(ctx: Ctx, userId: string, response: RegistrationResponseJSON) {
  const expectedChallenge = await consumeChallenge({ userId, purpose: 'enroll', now: ctx.now });
  if (!expectedChallenge) throw passkeyRejected();
  const { id, origin } = relyingParty();
  const expected = { expectedChallenge, expectedOrigin: origin, expectedRPID: id, requireUserVerification: true };
  const result = await verifyRegistrationResponse({
    ...expected,
    response,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    log.info('passkey.rejected', { requestId: ctx.requestId, ...errorFields(error) });
    throw passkeyRejected();
  });
  if (!result.verified) throw passkeyRejected();
  return result.registrationInfo.credential;
}
