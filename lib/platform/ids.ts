import { hash, randomFillSync } from 'node:crypto';

/** Prefixes of Parley's own ids. Tasks, contexts, messages and artifacts belong to A2A and have bare UUIDs. */
export type IdPrefix =
  | ('usr' | 'gst' | 'ses' | 'acc' | 'pat' | 'con' | 'app' | 'sec' | 'blk' | 'dlg' | 'agt' | 'ver' | 'cnv' | 'shr')
  | ('call' | 'req')
  | ('prb' | 'col' | 'svs' | 'apr')
  | ('mem' | 'inv' | 'run' | 'itn' | 'chg' | 'dev')
  | ('rev' | 'exm' | 'rpt' | 'mod' | 'stp')
  | ('pln' | 'pap' | 'tch')
  | ('ord' | 'apv' | 'spa' | 'sta' | 'rcp' | 'rfd' | 'top' | 'ltx' | 'lac' | 'ern' | 'fsc')
  | ('pyo' | 'sla')
  | ('dsp' | 'dse' | 'dsf' | 'dsn' | 'bdp')
  | ('txr' | 'ppr')
  | ('pyr' | 'xpm' | 'xqt');

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns a new id of a Parley object: the prefix and 100 random bits, URL-safe. */
export function newId(prefix: IdPrefix): string {
  const random = pooledRandomBytes(idBytes);
  for (let at = 0; at < idBytes; at++) idBuffer[at] = alphabet.charCodeAt((random[at] ?? 0) & 31);
  return `${prefix}_${idBuffer.toString('latin1')}`;
}

const idBytes = 20;
const idBuffer = Buffer.alloc(idBytes);
const pool = Buffer.alloc(8_192);
let poolOffset = pool.length;

/** Returns random bytes from a pool, because a system call per id would take several times longer than the rest. */
function pooledRandomBytes(bytes: number): Buffer {
  if (poolOffset + bytes > pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  poolOffset += bytes;
  return pool.subarray(poolOffset - bytes, poolOffset);
}

/** Returns random bytes in hex, for example for the ids of W3C Trace Context. */
export function newHex(bytes: number): string {
  return pooledRandomBytes(bytes).toString('hex');
}

const hex = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join(''));
const uuidBuffer = Buffer.alloc(36, '-');

/** Returns a new random id for an A2A object such as a message or artifact (RFC 9562 §5.4). */
export function newUuid(): string {
  return formatUuid(pooledRandomBytes(16), 4);
}

/**
 * Returns a new id for rows of large tables (tasks, contexts). It is time-ordered (RFC 9562 §5.7), so that inserts stay
 * local in indexes, and has 74 random bits.
 */
export function newUuidV7(now: Date): string {
  const bytes = pooledRandomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  return formatUuid(bytes, 7);
}

/** Writes into one buffer, which is faster than joining strings. */
function formatUuid(bytes: Buffer, version: number): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  for (let at = 0, to = 0; at < 16; at++) {
    if (to === 8 || to === 13 || to === 18 || to === 23) to++;
    const from = 2 * (bytes[at] ?? 0);
    uuidBuffer[to++] = hex[from] ?? 0;
    uuidBuffer[to++] = hex[from + 1] ?? 0;
  }
  return uuidBuffer.toString('latin1');
}

/** Derives a UUID from a text (RFC 9562 §5.8). Deterministic. */
export function deriveUuid(text: string): string {
  const hex = hash('sha256', text).slice(0, 32);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns true for text that a `uuid` column accepts. */
export function isUuid(value: string): boolean {
  return uuid.test(value);
}
