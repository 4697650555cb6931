import {
  hashText,
  isJsonObject,
  type JsonObject,
  type JWK,
  onlyMandateOf,
  readJws,
  referencesOf,
  splitSdJwt,
  verifyJws,
  verifyPair,
  verifySdJwt,
} from '@parley/agent/ap2';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { checkAssertion } from '@/lib/identity/proofs/passkey-authentication';
import { readWebhookEvent } from '@/lib/payments/charges/stripe-events';
import { checkCart } from '@/lib/protocol/ap2/check-cart';
import { checkoutViolations, paymentViolations } from '@/lib/protocol/ap2/check-constraints';
import { readConfirmation } from '@/lib/protocol/ap2/read-confirmation';
import { canonicalJson } from '@/lib/protocol/jcs';
import { type ChainReading, verifyChain } from './verify-chain';

/** One case of a vector file: the expected verdict, and ours. */
export interface Answer {
  name: string;
  /** Any of these. */
  expected: string[];
  answer: () => Promise<string>;
}

interface Case {
  name: string;
  expect: string;
}

interface Sequel {
  /** Earlier cases, by name. */
  after?: string[];
}

interface CartFile {
  now: string;
  verifier: { merchantIssuer: string; marketplace: string };
  keys: { merchant_public: JWK };
  cart_hash: string;
  cases: (Case & Sequel & { cart?: JsonObject; text?: string; optional?: boolean })[];
}

/** AP2 0.1 CartMandates. A replay is detected as in C14: by the `jti` of an earlier offer. */
function checkCarts(file: CartFile): Answer[] {
  const trust = {
    keys: [file.keys.merchant_public],
    issuer: file.verifier.merchantIssuer,
    subject: null,
    audience: file.verifier.marketplace,
    now: new Date(file.now),
  };
  const check = ({ cart, text }: CartFile['cases'][number]) => checkCart(text ?? JSON.stringify(cart), trust);
  return file.cases.map((found) => ({
    name: found.name,
    expected: found.optional ? [found.expect, 'ok'] : [found.expect],
    async answer() {
      const before = file.cases.filter(({ name }) => found.after?.includes(name));
      const seen = await Promise.all(before.map(async (one) => (await check(one)).jti));
      const { code, jti, cartHash } = await check(found);
      if (code === null && file.cart_hash && found.name === 'valid' && cartHash !== file.cart_hash) return 'wrong hash';
      return code ?? (seen.includes(jti) ? 'replayed_cart' : 'ok');
    },
  }));
}

interface PairFile {
  now: string;
  latest_checkout_hash: string;
  expected_audience: { checkout: string; payment: string };
  keys: { market_public: JWK; merchant_public: JWK };
  references: Record<'checkout_spec_style' | 'checkout_sdk_style' | 'payment_spec_style' | 'payment_sdk_style', string>;
  receipts: { checkout: string; payment: string };
  cases: (Case & Sequel & { checkout_mandate: string; payment_mandate: string })[];
}

/** Closed AP2 0.2 mandates, and the receipts that refer to them. */
function checkPairs(file: PairFile): Answer[] {
  const { keys, expected_audience: audience, latest_checkout_hash: latestCheckout } = file;
  const verify = (found: PairFile['cases'][number], seen: Set<string>) =>
    verifyPair(
      { checkout: found.checkout_mandate, payment: found.payment_mandate },
      {
        keys: [keys.market_public],
        merchantKeys: [keys.merchant_public],
        audience,
        latestCheckout,
        now: new Date(file.now),
        seen: (id) => seen.has(id) || !seen.add(id),
      },
    );
  const pairs = file.cases.map((found) => ({
    name: found.name,
    expected: [found.expect],
    async answer() {
      const seen = new Set<string>();
      for (const before of file.cases) if (found.after?.includes(before.name)) await verify(before, seen);
      const read = await verify(found, seen);
      return read.ok ? 'ok' : read.code;
    },
  }));
  return [...pairs, ...checkReceipts(file)];
}

/** Both forms of a reference, and the two receipts. */
function checkReceipts({ now, keys, cases, references, receipts }: PairFile): Answer[] {
  const [valid] = cases;
  const trust = { keys: [keys.merchant_public], issuer: 'https://merchant.example', cartId: '', now: new Date(now) };
  const merchant = async (reference: string): Promise<string> => {
    const data = { 'ap2.CheckoutReceipt': receipts.checkout };
    const read = await readConfirmation(data, { ...trust, references: [reference] });
    return read?.outcome === 'invalid' ? read.code : (read?.outcome ?? 'none');
  };
  return [
    {
      name: 'references of the valid pair',
      expected: [Object.values(references).sort().join(' ')],
      async answer() {
        const found = [
          await referencesOf(valid?.checkout_mandate ?? ''),
          await referencesOf(valid?.payment_mandate ?? ''),
        ];
        return found
          .flatMap(({ whole, leaf }) => [whole, leaf])
          .sort()
          .join(' ');
      },
    },
    {
      name: 'receipt of the merchant',
      expected: ['confirmed'],
      answer: () => merchant(references.checkout_spec_style),
    },
    {
      name: 'receipt of the merchant, for another mandate',
      expected: ['wrong_reference'],
      answer: () => merchant(references.payment_spec_style),
    },
    {
      name: 'receipt of the payment',
      expected: [references.payment_spec_style],
      async answer() {
        const read = await verifyJws(receipts.payment, { keys: [keys.market_public] });
        return read.ok ? String(read.payload.reference) : read.code;
      },
    },
  ];
}

interface DocsFile {
  cnf_jwk: JWK;
  verify_at: number;
  tokens: { id: string; token: string; segments: DocsSegment[]; closed_hop_signature?: string }[];
}

interface DocsSegment {
  header: JsonObject;
  payload_keys: string[];
  disclosures: number;
  vct: string;
  sd_hash_recomputed?: string;
  checkout_hash_recomputed?: string;
  reference_spec_style: string;
  reference_sdk_style: string;
}

/** Tokens printed in AP2's documentation. The root key is unpublished, so each hop is verified separately. */
function checkDocs({ cnf_jwk: key, verify_at: at, tokens }: DocsFile): Answer[] {
  return tokens.map(({ id, token, segments, closed_hop_signature: signature }) => ({
    name: id,
    expected: ['ok'],
    async answer() {
      const all = token.split('~~').map((hop, index, { length }) => (index === length - 1 ? hop : `${hop}~`));
      if (all.length !== segments.length) return 'another number of segments';
      for (const [index, segment] of segments.entries()) {
        const fault = await faultOfSegment(all[index] ?? '', segment, { key, at, before: all[index - 1] ?? null });
        if (fault) return fault;
      }
      const last = splitSdJwt(all.at(-1) ?? '');
      const read = last && signature ? await verifySdJwt(last, { key }) : null;
      return signature && !read?.ok ? 'closed hop not signed by cnf' : 'ok';
    },
  }));
}

async function faultOfSegment(
  hop: string,
  segment: DocsSegment,
  { key, at, before }: { key: JWK; at: number; before: string | null },
): Promise<string | null> {
  const parts = splitSdJwt(hop);
  const jws = parts && readJws(parts.jwt);
  if (!parts || !jws || parts.disclosures.length !== segment.disclosures) return 'not read';
  if (canonicalJson(jws.header) !== canonicalJson(segment.header)) return 'header';
  if (Object.keys(jws.payload).join() !== segment.payload_keys.join()) return 'members of the payload';
  const { whole, leaf } = await referencesOf(hop);
  if (whole !== segment.reference_spec_style || leaf !== segment.reference_sdk_style) return 'references';
  if (segment.sd_hash_recomputed && (await hashText(before ?? '')) !== jws.payload.sd_hash) return 'sd_hash';
  const read = await verifySdJwt(parts, { key });
  if (!read.ok) return jws.payload.sd_hash === undefined && read.code === 'bad_signature' ? null : read.code;
  const mandate = onlyMandateOf(read.claims);
  if (mandate?.vct !== segment.vct) return 'vct';
  const isInTime = typeof jws.payload.iat !== 'number' || jws.payload.iat <= at;
  const { checkout_jwt: checkout } = mandate;
  const hash = typeof checkout === 'string' ? await hashText(checkout) : segment.checkout_hash_recomputed;
  return isInTime && hash === segment.checkout_hash_recomputed ? null : 'checkout_hash';
}

interface SdkFile {
  now: string;
  market_public: JWK;
  merchant_public: JWK;
  direct: { checkout_mandate: string; payment_mandate: string; checkout_hash: string };
  autonomous: {
    checkout_chain: string;
    payment_chain: string;
    aud: { checkout: string; payment: string };
    nonce: { checkout: string; payment: string };
    open_checkout_hash: string;
  };
  chain_negative: { name: string; chain: string; aud: string; nonce: string; should: string }[];
  constraints: SdkConstraint[];
}

interface SdkConstraint {
  kind: string;
  name: string;
  open: JsonObject;
  closed: JsonObject;
  checkout: JsonObject;
  context: { total_amount?: number; total_uses?: number } | null;
  open_checkout_hash: string | null;
  sdk: string;
  spec?: string;
}

/** Output of AP2's own SDK: a pair, chains, and its verdicts on constraints. */
function checkSdk(file: SdkFile): Answer[] {
  const { market_public: market, merchant_public: merchant, direct, autonomous } = file;
  const now = new Date(file.now);
  const verify = (chain: string, audience: string, nonce: string) =>
    verifyChain(chain, { keys: [market], audience, nonce, now });
  const pair: Answer = {
    name: 'direct pair',
    expected: ['ok'],
    async answer() {
      const tokens = { checkout: direct.checkout_mandate, payment: direct.payment_mandate };
      const trust = { keys: [market], merchantKeys: [merchant], audience: null, now };
      const read = await verifyPair(tokens, { ...trust, latestCheckout: direct.checkout_hash });
      return read.ok ? 'ok' : read.code;
    },
  };
  const chains = (['checkout', 'payment'] as const).map((kind) => ({
    name: `${kind} chain`,
    expected: ['ok'],
    async answer() {
      const read = await verify(autonomous[`${kind}_chain`], autonomous.aud[kind], autonomous.nonce[kind]);
      return violationsOfChain(read, autonomous.open_checkout_hash);
    },
  }));
  const negative = file.chain_negative.map(({ name, chain, aud, nonce, should }) => ({
    name,
    expected: [should],
    answer: async () => ((await verify(chain, aud, nonce)).ok ? 'ok' : 'rejected'),
  }));
  return [pair, ...chains, ...negative, ...file.constraints.map(checkConstraint)];
}

function violationsOfChain(read: ChainReading, openCheckoutHash: string): string {
  if (!read.ok) return read.code;
  const [open = {}] = read.open;
  const { checkout_jwt: jwt } = read.closed;
  if (typeof jwt === 'string') {
    if (read.openHash !== openCheckoutHash) return 'another hash of the open mandate';
    return checkoutViolations({ open, checkout: readJws(jwt)?.payload ?? {} }).join() || 'ok';
  }
  const spent = { totalAmount: null, totalUses: null };
  return paymentViolations({ open, closed: read.closed, spent, openCheckoutHash }).join() || 'ok';
}

/** The specification takes precedence over the SDK. The SDK decides only where the specification is unclear. */
function checkConstraint(found: SdkConstraint): Answer {
  const { spec, sdk } = found;
  const verdict = spec === undefined || spec === 'unclear' ? sdk : spec;
  return {
    name: `${found.kind}: ${found.name}`,
    expected: [verdict.startsWith('error:') ? 'violation' : verdict],
    async answer() {
      const violations = violationsOf(found);
      if (violations === null) return `unknown kind ${found.kind}`;
      return violations.length > 0 ? 'violation' : 'ok';
    },
  };
}

function violationsOf({
  kind,
  open,
  closed,
  checkout,
  context,
  open_checkout_hash: hash,
}: SdkConstraint): string[] | null {
  if (kind === 'checkout') return checkoutViolations({ open, checkout });
  if (kind !== 'payment') return null;
  const spent = { totalAmount: context?.total_amount ?? null, totalUses: context?.total_uses ?? null };
  return paymentViolations({ open, closed, spent, openCheckoutHash: hash });
}

interface UcpFile {
  key: JWK;
  cases: (Case & { checkout: JsonObject })[];
}

function checkUcp({ key, cases }: UcpFile): Answer[] {
  const trust = { keys: [key], issuer: 'https://merchant.example', subject: null, audience: 'us', now: new Date() };
  return cases.map(({ name, expect, checkout }) => ({
    name,
    expected: [expect],
    async answer() {
      const { code } = await checkCart(JSON.stringify({ 'a2a.ucp.checkout': checkout }), trust);
      return code ?? 'ok';
    },
  }));
}

interface PasskeyFile {
  rpID: string;
  origin: string;
  credential: { id: string; cose_public_key: string; stored_counter: number };
  approval: JsonObject;
  challenge: string;
  cases: (Case & { response: AuthenticationResponseJSON })[];
}

/** Passkey assertions over an approval; the challenge is derived here from the approval. */
function checkPasskeys({ rpID, origin, credential, approval, cases }: PasskeyFile): Answer[] {
  const passkey = {
    id: credential.id,
    publicKey: new Uint8Array(Buffer.from(credential.cose_public_key, 'base64url')),
    counter: credential.stored_counter,
  };
  return cases.map(({ name, expect, response }) => ({
    name,
    expected: [expect],
    async answer() {
      const challenge = await hashText(canonicalJson(approval));
      const counter = await checkAssertion({ passkey, challenge, response, party: { id: rpID, origin } });
      return counter === null ? 'rejected' : 'ok';
    },
  }));
}

interface WebhookFile {
  received_at: number;
  cases: (Case & { body: string; header: string })[];
}

/** Payment processor webhook events; the secret comes from the environment. */
function checkWebhooks({ received_at: at, cases }: WebhookFile): Answer[] {
  return cases.map(({ name, expect, body, header }) => ({
    name,
    expected: [expect],
    async answer() {
      const read = readWebhookEvent(body, header, new Date(at * 1000));
      return typeof read === 'string' ? read : 'ok';
    },
  }));
}

type Kind = keyof typeof readers;

/** The kind of vectors in a file, by its cases' members; null when unknown. */
export function kindOf(file: unknown): Kind | null {
  if (!isJsonObject(file)) return null;
  const cases = Array.isArray(file.cases) ? file.cases : [];
  const every = (...members: string[]) =>
    cases.length > 0 && cases.every((found) => isJsonObject(found) && members.every((member) => member in found));
  if (cases.length > 0 && cases.every((found) => isJsonObject(found) && ('cart' in found || 'text' in found)))
    return 'carts';
  if (every('checkout_mandate', 'payment_mandate')) return 'pairs';
  if (every('checkout')) return 'ucp';
  if (every('response')) return 'passkeys';
  if (every('header', 'body')) return 'notices';
  if (Array.isArray(file.tokens)) return 'docs';
  const { about, now, market_public, agent_public, merchant_public, ...rest } = file;
  const isSdk = Object.keys(rest).sort().join() === 'autonomous,chain_negative,constraints,direct';
  return isSdk && [about, now, market_public, agent_public, merchant_public].every(Boolean) ? 'sdk' : null;
}

/** Every case of a file with our verdict; empty for an unknown kind. */
export function verdictsOf(text: string): Answer[] {
  const file = JSON.parse(text);
  const kind = kindOf(file);
  return kind ? readers[kind](file) : [];
}

const readers = {
  carts: checkCarts,
  pairs: checkPairs,
  ucp: checkUcp,
  passkeys: checkPasskeys,
  notices: checkWebhooks,
  docs: checkDocs,
  sdk: checkSdk,
};
