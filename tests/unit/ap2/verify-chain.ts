import {
  hashText,
  isInTime,
  type JsonObject,
  type JWK,
  type MandateFault,
  onlyMandateOf,
  readConfirmedKey,
  splitSdJwt,
  verifySdJwt,
} from '@parley/agent/ap2';

/** Maximum hops of a mandate chain. */
const MAX_CHAIN_LENGTH = 8;
/** Maximum difference between the clocks of delegates, as in AP2's SDK. */
const DELEGATE_CLOCK_SKEW_SECONDS = 300;

/** The reasons why a chain of mandates is invalid, in order of the checks on each hop. */
export type ChainFault = MandateFault | 'wrong_nonce' | 'wrong_link' | 'no_confirmed_key';

export interface ChainExpectation {
  /** Trusted keys of root mandates. */
  keys: readonly JWK[];
  /** The expected audience and nonce of the last hop. */
  audience: string;
  nonce: string;
  now: Date;
}

export type ChainReading =
  | { ok: true; open: JsonObject[]; closed: JsonObject; openHash: string }
  | { ok: false; code: ChainFault };

type HopReading =
  | { ok: true; claims: JsonObject; mandate: JsonObject; header: JsonObject }
  | { ok: false; code: ChainFault };

const OPEN = /^mandate\.(checkout|payment)\.open\.1$/;
const CLOSED = /^mandate\.(checkout|payment)\.1$/;

/**
 * Verifies a chain of mandates (AP2 0.2) joined by `~~`: an open mandate signed by a trusted key, then hops signed by
 * the key in the previous `cnf`, over the previous hash. The last is closed, with this audience and nonce. `openHash`
 * is the value of a `payment.reference` constraint.
 */
export async function verifyChain(chain: string, expected: ChainExpectation): Promise<ChainReading> {
  const hops = splitChain(chain);
  if (hops.length < 2 || hops.length > MAX_CHAIN_LENGTH) return { ok: false, code: 'malformed_sd_jwt' };
  const open: JsonObject[] = [];
  let keys: { keys: readonly JWK[] } | { key: JWK } = { keys: expected.keys };
  let previous = '';
  for (const [at, hop] of hops.entries()) {
    const isLast = at === hops.length - 1;
    const read = await readHop(hop, keys, expected.now);
    if (!read.ok) return read;
    const code = at === 0 ? null : await linkErrorOf(read, { previous, isLast, expected });
    if (code) return { ok: false, code };
    const vct = String(read.mandate.vct);
    if (!(isLast ? CLOSED : OPEN).test(vct)) return { ok: false, code: 'wrong_vct' };
    if (isLast) return { ok: true, open, closed: read.mandate, openHash: await hashText(hops[0] ?? '') };
    const key = readConfirmedKey(read.mandate.cnf);
    if (!key) return { ok: false, code: 'no_confirmed_key' };
    open.push(read.mandate);
    keys = { key };
    previous = hop;
  }
  return { ok: false, code: 'malformed_sd_jwt' };
}

/** The hops of a chain, each with its trailing tilde. */
function splitChain(chain: string): string[] {
  const hops = chain.split('~~');
  return hops.map((hop, at) => (at === hops.length - 1 ? hop : `${hop}~`));
}

async function readHop(hop: string, keys: { keys: readonly JWK[] } | { key: JWK }, now: Date): Promise<HopReading> {
  const parts = splitSdJwt(hop);
  if (!parts || parts.keyBinding !== null) return { ok: false, code: 'malformed_sd_jwt' };
  const read = await verifySdJwt(parts, keys);
  if (!read.ok) return { ok: false, code: read.code };
  const mandate = onlyMandateOf(read.claims);
  if (!mandate) return { ok: false, code: 'not_one_mandate' };
  const inTime =
    isInTime(read.claims, now, DELEGATE_CLOCK_SKEW_SECONDS) && isInTime(mandate, now, DELEGATE_CLOCK_SKEW_SECONDS);
  return inTime ? { ...read, mandate } : { ok: false, code: 'mandate_expired' };
}

/** A hop must reference the previous one by exactly one hash, and have an audience and a nonce. */
async function linkErrorOf(
  { claims, mandate, header }: HopReading & { ok: true },
  { previous, isLast, expected }: { previous: string; isLast: boolean; expected: ChainExpectation },
): Promise<ChainFault | null> {
  if (header.typ !== (isLast ? 'kb+sd-jwt' : 'kb+sd-jwt+kb')) return 'wrong_link';
  if (isLast && mandate.cnf !== undefined) return 'wrong_link';
  const { aud, nonce, sd_hash: sdHash, issuer_jwt_hash: issuerJwtHash } = claims;
  const isLinked =
    (sdHash === undefined) !== (issuerJwtHash === undefined) &&
    (sdHash === undefined
      ? issuerJwtHash === (await hashText(previous.split('~')[0] ?? ''))
      : sdHash === (await hashText(previous)));
  if (!isLinked) return 'wrong_link';
  if (typeof aud !== 'string' || (isLast && aud !== expected.audience)) return 'wrong_audience';
  return typeof nonce !== 'string' || (isLast && nonce !== expected.nonce) ? 'wrong_nonce' : null;
}
