import { isListening, onConnectionGap, subscribe } from '../../platform/bus';
import { once } from '../../platform/runtime/once';
import { CLOCK_SKEW_SECONDS } from '../../protocol/limits';
import { AGENT_TOKEN_TTL_SECONDS } from '../limits';
import { insertRevokedId, isRevokedId, listRevokedIds } from '../store/rejected-ids';

/** Maximum time for which a token can be accepted. */
const RETENTION_MS = (AGENT_TOKEN_TTL_SECONDS + CLOCK_SKEW_SECONDS) * 1000;

/**
 * Ids of revoked tokens, each stored for as long as its token could be accepted. Times are monotonic, in milliseconds.
 */
export class RevokedIds {
  /** The expiry time of each id, oldest first. */
  private readonly entries = new Map<string, number>();

  get size(): number {
    return this.entries.size;
  }

  has(jti: string): boolean {
    return this.entries.has(jti);
  }

  /** Adds an id and removes expired ones. Does not change the expiry of an id that was added before. */
  add(jti: string, now: number): void {
    for (const [id, until] of this.entries) {
      if (until > now) break;
      this.entries.delete(id);
    }
    if (!this.entries.has(jti)) this.entries.set(jti, now + RETENTION_MS);
  }
}

interface RevocationState {
  ids: RevokedIds;
  /** Set while all ids have been loaded from the database; reset when notifications may have been missed. */
  loaded: Promise<void> | null;
}

const revocations = once((): RevocationState => {
  const state: RevocationState = { ids: new RevokedIds(), loaded: null };
  subscribe('revoked', '*', (jti) => state.ids.add(jti, performance.now()));
  onConnectionGap(() => {
    state.loaded = null;
  });
  return state;
});

/**
 * Returns true if the token with this id was revoked on any node. Queries the database while LISTEN is disconnected.
 */
export async function isRevoked(jti: string, now: Date): Promise<boolean> {
  if (!isListening()) return isRevokedId(jti);
  const state = revocations();
  state.loaded ??= load(state, now);
  await state.loaded;
  return state.ids.has(jti);
}

/** Revokes one token by its id on every node. `expiresAt` is the token's expiry. */
export async function revokeTokenId(token: { jti: string; expiresAt: Date; now: Date }): Promise<void> {
  await insertRevokedId(token);
}

async function load(state: RevocationState, now: Date): Promise<void> {
  try {
    for (const jti of await listRevokedIds(now)) state.ids.add(jti, performance.now());
  } catch (error) {
    state.loaded = null;
    throw error;
  }
}
