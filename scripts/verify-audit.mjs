import { createHash } from 'node:crypto';
import { CliError } from './cli-output.mjs';
import { connectTo } from './migrate.mjs';

const PAGE = 1000;
const FIRST = '0'.repeat(64);

const NEXT_PAGE = `SELECT seq, (extract(epoch FROM at) * 1000)::bigint AS ms, event, subject, actor, object, detail,
  request_id, previous, hash FROM audit_entry WHERE seq > $1 ORDER BY seq LIMIT ${PAGE}`;

/** Returns the hash of an entry, as computed by `audit_append`: one member per line, in this order. */
function hashOf(entry, previous) {
  const { seq, ms, event, subject, actor, object, detail, request_id } = entry;
  const text = [previous, seq, ms, event, subject, actor, object, detail, request_id].join('\n');
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the reason why an entry does not follow `last`, or null if it does. */
function errorOf(entry, last) {
  if (BigInt(entry.seq) !== last.seq + 1n) return `entry ${last.seq + 1n} is missing`;
  if (entry.previous !== last.hash) return `entry ${entry.seq} does not follow the one before it`;
  if (entry.hash !== hashOf(entry, last.hash)) return `entry ${entry.seq} was changed after it was written`;
  return null;
}

async function* readEntries(client) {
  for (let after = 0n; ; ) {
    const { rows } = await client.query(NEXT_PAGE, [after]);
    yield* rows;
    if (rows.length < PAGE) return;
    after = BigInt(rows.at(-1).seq);
  }
}

function readMark(text) {
  const [, seq, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? [];
  if (!seq) throw new CliError(`found ${JSON.stringify(text)}; expected a mark as printed by the last run`);
  return { seq: BigInt(seq), hash };
}

/**
 * Verifies the hash chain of the audit log from its first entry.
 *
 * @param {string} url
 * @param {string} [given] a mark of an earlier run, which the log must contain
 * @returns {Promise<{ seq: bigint, mark: string }>} the last entry
 * @throws {CliError} if the chain is broken
 */
export async function verifyAudit(url, given) {
  const mark = given === undefined ? null : readMark(given);
  const client = await connectTo(url);
  try {
    let last = { seq: 0n, hash: FIRST };
    for await (const entry of readEntries(client)) {
      const error = errorOf(entry, last);
      if (error) throw new CliError(`the audit log is broken: ${error}`);
      last = { seq: BigInt(entry.seq), hash: entry.hash };
      if (mark?.seq === last.seq && mark.hash !== last.hash) {
        throw new CliError(`the audit log is broken: entry ${mark.seq} differs from the mark`);
      }
    }
    if (mark && mark.seq > last.seq) throw new CliError(`the audit log is broken: it ends before entry ${mark.seq}`);
    return { seq: last.seq, mark: `${last.seq}:${last.hash}` };
  } finally {
    await client.end();
  }
}
