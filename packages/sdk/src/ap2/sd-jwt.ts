import { hashText, readBase64url, readUtf8 } from './digest.js';
import { type JwsFault, type JwsKeys, verifyJws } from './jws.js';
import { isJsonObject, type JsonObject, type JsonValue, readStrictJson } from './strict-json.js';

/** Reason why an SD-JWT is invalid, in the order of the checks. */
export type SdJwtFault = 'malformed_sd_jwt' | JwsFault | 'unreferenced_disclosure' | 'duplicate_disclosure';

/** A parsed SD-JWT (RFC 9901 §4). Nothing in it is verified. */
export interface SdJwt {
  /** The issuer's JWT. */
  jwt: string;
  disclosures: string[];
  /** The holder's key binding JWT; null if there is none. */
  keyBinding: string | null;
  /** Everything except the key binding, including the trailing tilde: the input of `sd_hash`. */
  signed: string;
}

export type SdJwtReading =
  | { ok: true; header: JsonObject; claims: JsonObject }
  /** `outer` is the payload of the signed JWT, if the error is in the disclosures. */
  | { ok: false; code: SdJwtFault; outer?: JsonObject };

const MAX_DISCLOSURES = 200;

/** Parses an SD-JWT; null for any other text, including one without the trailing tilde. */
export function splitSdJwt(token: string): SdJwt | null {
  const [jwt, ...rest] = token.split('~');
  const last = rest.pop();
  if (!jwt || last === undefined || rest.length > MAX_DISCLOSURES || rest.includes('')) return null;
  if (last !== '' && !last.includes('.')) return null;
  return { jwt, disclosures: rest, keyBinding: last || null, signed: token.slice(0, token.length - last.length) };
}

/**
 * Verifies the issuer's signature and inserts every disclosure (RFC 9901 §7.1), strictly: a disclosure that is
 * unreferenced, referenced twice or repeated is refused. Withheld members are missing.
 */
export async function verifySdJwt({ jwt, disclosures }: SdJwt, keys: JwsKeys): Promise<SdJwtReading> {
  const read = await Promise.all(disclosures.map(readDisclosure));
  if (read.includes(null)) return { ok: false, code: 'malformed_sd_jwt' };
  const known = read.filter((disclosure) => disclosure !== null);
  const signed = await verifyJws(jwt, keys);
  if (!signed.ok) return signed;
  const { _sd_alg, ...payload } = signed.payload;
  if (_sd_alg !== undefined && _sd_alg !== 'sha-256') return { ok: false, code: 'malformed_sd_jwt' };
  const opener = new Opener(new Map(known.map((disclosure) => [disclosure.digest, disclosure])));
  const claims = opener.open(payload);
  if (opener.fault || !isJsonObject(claims)) return { ok: false, code: 'malformed_sd_jwt' };
  const code = opener.faultOf(known);
  return code ? { ok: false, code, outer: payload } : { ok: true, header: signed.header, claims };
}

interface Disclosure {
  digest: string;
  /** Null for an array element. */
  name: string | null;
  value: JsonValue;
}

async function readDisclosure(text: string): Promise<Disclosure | null> {
  const bytes = readBase64url(text);
  const json = bytes && readUtf8(bytes);
  const parts = json === null ? undefined : readStrictJson(json);
  if (!Array.isArray(parts) || typeof parts[0] !== 'string') return null;
  const [, first, second] = parts;
  const digest = await hashText(text);
  if (parts.length === 2 && first !== undefined) return { digest, name: null, value: first };
  const isNamed = parts.length === 3 && typeof first === 'string' && second !== undefined;
  return isNamed && first !== '_sd' && first !== '...' ? { digest, name: first, value: second } : null;
}

/** Replaces digests by their disclosures, and records which digests it found. */
class Opener {
  fault = false;
  private readonly met = new Set<string>();
  private metTwice = false;

  constructor(private readonly disclosures: ReadonlyMap<string, Disclosure>) {}

  open(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.flatMap((element) => this.openElement(element));
    return isJsonObject(value) ? this.openObject(value) : value;
  }

  faultOf(disclosures: Disclosure[]): SdJwtFault | null {
    if (disclosures.some(({ digest }) => !this.met.has(digest))) return 'unreferenced_disclosure';
    return this.metTwice || this.disclosures.size < disclosures.length ? 'duplicate_disclosure' : null;
  }

  private openElement(element: JsonValue): JsonValue[] {
    if (!isJsonObject(element) || !('...' in element)) return [this.open(element)];
    const disclosure = this.find(element['...']);
    if (Object.keys(element).length !== 1 || (disclosure && disclosure.name !== null)) this.fault = true;
    return disclosure ? [this.open(disclosure.value)] : [];
  }

  private openObject({ _sd, ...plain }: JsonObject): JsonObject {
    const opened = Object.entries(plain).map(([name, member]) => [name, this.open(member ?? null)] as const);
    if ('...' in plain || (_sd !== undefined && !Array.isArray(_sd))) this.fault = true;
    const hidden = (Array.isArray(_sd) ? _sd : []).flatMap((digest) => {
      const disclosure = this.find(digest);
      if (!disclosure) return [];
      if (disclosure.name === null || Object.hasOwn(plain, disclosure.name)) this.fault = true;
      return [[disclosure.name ?? '', this.open(disclosure.value)] as const];
    });
    if (new Set(hidden.map(([name]) => name)).size < hidden.length) this.fault = true;
    return Object.fromEntries([...opened, ...hidden]);
  }

  private find(digest: JsonValue | undefined): Disclosure | undefined {
    if (typeof digest !== 'string') {
      this.fault = true;
      return undefined;
    }
    // A repeated digest is refused at the end; inserting it again could recurse infinitely.
    if (this.met.has(digest)) {
      this.metTwice = true;
      return undefined;
    }
    this.met.add(digest);
    return this.disclosures.get(digest);
  }
}
