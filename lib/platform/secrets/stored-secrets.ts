import { nodeIsDeadSql } from '../bus';
import { databaseCodeOf } from '../db/database-errors';
import { row, text, textArray } from '../db/rows';
import { execute } from '../db/sql';
import { REENCRYPT_BATCH } from '../limits';
import { env } from '../runtime/env';
import {
  hasRootSecret,
  isSealedByCurrentKey,
  SEALED_COLUMNS,
  type SealedColumn,
  type StoredPurpose,
  seal,
  sealingKeyIds,
  setRootSecret,
  unseal,
} from './crypto';

const rootSecretRow = row({ sealed: text() });

/**
 * Loads the root secret, from which every hash, MAC and derived id is computed. The first node creates it from
 * KEY_ENCRYPTION_KEY, from which older releases derive keys. Does nothing if it is already loaded.
 *
 * @returns why this node cannot use it; null if it can, or if the migrations have not been applied yet
 */
export async function loadRootSecret(): Promise<string | null> {
  if (hasRootSecret()) return null;
  try {
    const { KEY_ENCRYPTION_KEY, KEY_DECRYPTION_KEY } = env();
    let sealed = await selectSealed();
    if (sealed === null && KEY_DECRYPTION_KEY !== undefined)
      return 'KEY_DECRYPTION_KEY: found a value; expected none at the first start of this release, which stores the root secret';
    if (sealed === null) {
      const statement = 'INSERT INTO root_secret (sealed) VALUES ($1) ON CONFLICT DO NOTHING';
      await execute('create-root-secret', statement, [seal('root-secret', KEY_ENCRYPTION_KEY)]);
      sealed = await selectSealed();
    }
    if (sealed === null) return 'found no root secret in the database; expected the one that this node created';
    return open(sealed);
  } catch (error) {
    // The schema does not have the table yet: the node is not ready until the migrations are applied.
    if (databaseCodeOf(error) === '42P01') return null;
    throw error;
  }
}

/**
 * Returns why the stored root secret cannot be used; null if it can be used, or does not exist yet. Changes no data.
 */
export async function findRootSecretError(): Promise<string | null> {
  const sealed = await selectSealed();
  return sealed === null ? null : open(sealed);
}

async function selectSealed(): Promise<string | null> {
  return (await rootSecretRow.queryFirst('root-secret', 'SELECT sealed FROM root_secret'))?.sealed ?? null;
}

function open(sealed: string): string | null {
  try {
    setRootSecret(unseal('root-secret', sealed));
    return null;
  } catch {
    return (
      'KEY_ENCRYPTION_KEY: found a value that cannot decrypt the root secret in the database; ' +
      'expected the value that it was encrypted with'
    );
  }
}

/** The rows of one encrypted column. */
interface SealedCount {
  table: string;
  rows: number;
  /** Rows that only KEY_DECRYPTION_KEY decrypts. */
  outdated: number;
  /** The primary keys of rows that neither key decrypts, at most ten. */
  unreadable: string[];
}

/** A stored text that the current key may not decrypt. */
interface SealedRow {
  key: string[];
  sealed: string;
}

const sealedRow = row({ key: textArray(), sealed: text() });
const peerRow = row({ id: text(), release: text() });
const MAX_NAMED_ROWS = 10;

/** Counts the rows of every encrypted column by the key that decrypts them. */
export async function countSealed(): Promise<SealedCount[]> {
  const counts: SealedCount[] = [];
  for (const purpose of storedPurposes()) {
    const { table } = SEALED_COLUMNS[purpose];
    const count: SealedCount = { table, rows: 0, outdated: 0, unreadable: [] };
    for await (const batch of batchesOf(purpose)) {
      count.rows += batch.length;
      for (const { key, sealed } of batch) addRow(count, { purpose, key, sealed });
    }
    counts.push(count);
  }
  return counts;
}

function addRow(count: SealedCount, { purpose, key, sealed }: SealedRow & { purpose: StoredPurpose }): void {
  if (isSealedByCurrentKey(purpose, sealed)) return;
  try {
    unseal(purpose, sealed);
    count.outdated += 1;
  } catch {
    if (count.unreadable.length < MAX_NAMED_ROWS) count.unreadable.push(key.join(' '));
  }
}

/**
 * Re-encrypts every row that only KEY_DECRYPTION_KEY decrypts, in batches, with KEY_ENCRYPTION_KEY. Skips a row that
 * changed in the meantime, because the writer of the change encrypts it. Idempotent; may be interrupted and repeated.
 * {@link countSealed} must be called first.
 *
 * @returns the number of rows written, by table
 */
export async function reencryptAll(): Promise<Map<string, number>> {
  const written = new Map<string, number>();
  for (const purpose of storedPurposes()) {
    const { table } = SEALED_COLUMNS[purpose];
    let count = 0;
    for await (const batch of batchesOf(purpose)) count += await reencrypt(purpose, batch);
    written.set(table, count);
  }
  return written;
}

async function reencrypt(purpose: StoredPurpose, batch: SealedRow[]): Promise<number> {
  const outdated = batch.filter(({ sealed }) => !isSealedByCurrentKey(purpose, sealed));
  if (outdated.length === 0) return 0;
  const { table, column, key } = columnOf(purpose);
  const names = Object.keys(key);
  const given = names.map((_, index) => `$${index + 3}::text[]`).join(', ');
  const matches = Object.entries(key).map(([name, type]) => `t.${name} = n.${name}::${type}`);
  return execute(
    `reencrypt-${table}`,
    `UPDATE ${table} t SET ${column} = n.sealed FROM unnest($1::text[], $2::text[], ${given}) AS n(was, sealed, ${names.join(', ')})
     WHERE ${matches.join(' AND ')} AND t.${column} = n.was`,
    [
      outdated.map(({ sealed }) => sealed),
      outdated.map(({ sealed }) => seal(purpose, unseal(purpose, sealed))),
      ...names.map((_, index) => outdated.map((row) => row.key[index])),
    ],
  );
}

/** Returns the running nodes that do not encrypt with this process's key, or cannot decrypt its texts. */
export async function findNodesWithOtherKeys(which: 'encrypt' | 'decrypt'): Promise<string[]> {
  const [own = '', other] = sealingKeyIds();
  // Releases that do not support the exchange have no ids; no such node may run while keys are exchanged.
  const isOther = which === 'encrypt' ? 'key_ids[1] IS DISTINCT FROM $1' : 'NOT $1 = ANY(key_ids)';
  try {
    const peers = await peerRow.query(
      `nodes-with-other-keys-${which}`,
      `SELECT id, release FROM node WHERE ${isOther} AND (key_ids <> '{}' OR $2::bool) AND NOT ${nodeIsDeadSql('id')} ORDER BY id`,
      [own, other !== undefined],
    );
    return peers.map(({ id, release }) => `${id} (release ${release})`);
  } catch (error) {
    // The schema does not have the table or the column yet.
    if (['42P01', '42703'].includes(databaseCodeOf(error))) return [];
    throw error;
  }
}

function storedPurposes(): StoredPurpose[] {
  return Object.keys(SEALED_COLUMNS) as StoredPurpose[];
}

function columnOf(purpose: StoredPurpose): SealedColumn {
  return SEALED_COLUMNS[purpose];
}

/** Yields the rows of a column in the order of their primary key. */
async function* batchesOf(purpose: StoredPurpose): AsyncGenerator<SealedRow[]> {
  const { table, column, key } = columnOf(purpose);
  const names = Object.keys(key);
  const order = names.join(', ');
  const select = `SELECT ARRAY[${names.map((name) => `${name}::text`).join(', ')}] AS key, ${column} AS sealed FROM ${table}`;
  const after = Object.values(key).map((type, index) => `$${index + 1}::${type}`);
  const end = `ORDER BY ${order} LIMIT ${REENCRYPT_BATCH}`;
  let batch = await sealedRow.query(`sealed-first-${table}`, `${select} ${end}`);
  while (batch.length > 0) {
    yield batch;
    const last = batch.at(-1)?.key;
    const next = `${select} WHERE (${order}) > (${after.join(', ')}) ${end}`;
    batch = await sealedRow.query(`sealed-next-${table}`, next, last);
  }
}
