import { randomBytes, randomUUID } from 'node:crypto';

/** Prefixes of Parley's own objects. Tasks, contexts, messages and artifacts are A2A's and carry bare UUIDs. */
export type IdPrefix = 'usr' | 'ses' | 'acc' | 'pat' | 'app' | 'sec' | 'agt' | 'ver' | 'cnv' | 'err' | 'req';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** A new id of one of Parley's own objects: the prefix and 100 random bits, safe in URLs. */
export function newId(prefix: IdPrefix): string {
  let body = '';
  for (const byte of randomBytes(20)) body += alphabet[byte & 31];
  return `${prefix}_${body}`;
}

/** A new id for an A2A object (task, context, message, artifact). */
export function newUuid(): string {
  return randomUUID();
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for text that a `uuid` column would accept. */
export function isUuid(value: string): boolean {
  return uuid.test(value);
}
