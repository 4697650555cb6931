import { isListening, onConnectionGap, subscribe } from '../platform/bus';
import { processSingleton } from '../platform/singleton';
import { AGENT_TOKEN_TTL_SECONDS, CLOCK_SKEW_SECONDS } from '../protocol/oauth/agent-token';
import { insertRevokedId, isRevokedId, listRevokedIds } from './store/revoked-tokens';

/** No token lives longer, so neither does the memory of its id. */
const retentionMs = (AGENT_TOKEN_TTL_SECONDS + CLOCK_SKEW_SECONDS) * 1000;

interface RevokedIds {
  /** Token id → until when it is worth remembering; oldest first. */
  entries: Map<string, number>;
  /** Set once all ids of the database are in memory; emptied when notices may have been missed. */
  loaded: Promise<void> | null;
}

function revokedIds(): RevokedIds {
  return processSingleton('revoked-ids', () => {
    const state: RevokedIds = { entries: new Map(), loaded: null };
    subscribe('revoked', '*', (jti) => addEntry(state, jti, Date.now()));
    onConnectionGap(() => {
      state.loaded = null;
    });
    return state;
  });
}

/** True when the token with this id was revoked by itself, on any node. While notices are not heard, asks the database. */
export async function isRevoked(jti: string, now: Date): Promise<boolean> {
  if (!isListening()) return isRevokedId(jti);
  const state = revokedIds();
  state.loaded ??= load(state, now);
  await state.loaded;
  return state.entries.has(jti);
}

/** Revokes one token by its id, on every node; `expiresAt` is the token's own end. */
export async function revokeTokenId(token: { jti: string; expiresAt: Date; now: Date }): Promise<void> {
  await insertRevokedId(token);
}

async function load(state: RevokedIds, now: Date): Promise<void> {
  try {
    for (const jti of await listRevokedIds(now)) addEntry(state, jti, now.getTime());
  } catch (error) {
    state.loaded = null;
    throw error;
  }
}

function addEntry({ entries: known }: RevokedIds, jti: string, now: number): void {
  for (const [old, until] of known) {
    if (until > now) break;
    known.delete(old);
  }
  known.set(jti, now + retentionMs);
}
