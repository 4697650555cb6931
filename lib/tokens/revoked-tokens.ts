import { isListening, onConnectionGap, subscribe } from '../platform/bus';
import { processSingleton } from '../platform/singleton';
import { CLOCK_SKEW_SECONDS } from '../protocol/limits';
import { AGENT_TOKEN_TTL_SECONDS } from './limits';
import { insertRevokedId, isRevokedId, listRevokedIds } from './store/revoked-tokens';

/** The longest time for which a token can be accepted. */
const RETENTION_MS = (AGENT_TOKEN_TTL_SECONDS + CLOCK_SKEW_SECONDS) * 1000;

interface RevokedIds {
  /** Token id → when the entry expires, monotonic, milliseconds: no change of the clock forgets it. Oldest first. */
  entries: Map<string, number>;
  /** Set when all ids are loaded from the database; reset when notifications may have been missed. */
  loaded: Promise<void> | null;
}

function revokedIds(): RevokedIds {
  return processSingleton('revoked-ids', () => {
    const state: RevokedIds = { entries: new Map(), loaded: null };
    subscribe('revoked', '*', (jti) => addEntry(state, jti));
    onConnectionGap(() => {
      state.loaded = null;
    });
    return state;
  });
}

/** True when the token with this id was revoked on any node. Queries the database while LISTEN is down. */
export async function isRevoked(jti: string, now: Date): Promise<boolean> {
  if (!isListening()) return isRevokedId(jti);
  const state = revokedIds();
  state.loaded ??= load(state, now);
  await state.loaded;
  return state.entries.has(jti);
}

/** Revokes one token by its id on every node; `expiresAt` is the token's expiry. */
export async function revokeTokenId(token: { jti: string; expiresAt: Date; now: Date }): Promise<void> {
  await insertRevokedId(token);
}

async function load(state: RevokedIds, now: Date): Promise<void> {
  try {
    for (const jti of await listRevokedIds(now)) addEntry(state, jti);
  } catch (error) {
    state.loaded = null;
    throw error;
  }
}

function addEntry({ entries }: RevokedIds, jti: string): void {
  const now = performance.now();
  for (const [id, until] of entries) {
    if (until > now) break;
    entries.delete(id);
  }
  entries.set(jti, now + RETENTION_MS);
}
