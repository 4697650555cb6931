import { Prisma } from '../../generated/prisma/client';
import { batchWrites, runBatches } from '../../platform/batches';
import type { Db } from '../../platform/db/db';
import { int4, nullable, row, text, uuid } from '../../platform/db/rows';
import { executeIn } from '../../platform/db/sql';
import { databaseOf, perDatabase, type TaskDatabase } from '../../platform/db/task-databases/task-databases';
import { atDatabase, inAvailableTaskDatabases, ofOwner } from '../../platform/db/task-databases/task-statements';
import { cutoffOf } from '../../platform/runtime/env';
import { LOST_ANSWER_SECONDS, MAX_BATCHED_TURNS } from '../limits';

/** The scope of turns: those of a user with one agent. Queries never return others. */
export interface TurnOwner {
  userId: string;
  agentId: string;
}

/** A turn whose answer the client has received. Members that are hashes are used only for comparisons. */
export interface AnsweredTurn {
  /** The hash of the end user and the token. */
  hash: string;
  endUser: string;
  contextId: string;
  /** Null if the turn did not start. */
  taskId: string | null;
  /** The number of the turn within its task, from 1. */
  taskTurn: number;
  said: string;
  instructions: string;
  chat: string | null;
  transcript: string | null;
}

const turnRow = row({
  hash: text(),
  endUser: text(),
  contextId: text(),
  taskId: nullable(uuid()),
  taskTurn: int4(),
  said: text(),
  instructions: text(),
  chat: nullable(text()),
  transcript: nullable(text()),
});
const columns = `hash, end_user AS "endUser", context_id AS "contextId", task_id AS "taskId", task_turn AS "taskTurn", said,
  instructions, chat, transcript`;

/** Returns the owner's turns with these hashes. */
export function findTurns({ userId, agentId }: TurnOwner, hashes: string[]): Promise<AnsweredTurn[]> {
  return turnRow
    .of(userId)
    .query(
      'openai-turns',
      `SELECT ${columns} FROM openai_turn WHERE user_id = $1 AND agent_id = $2 AND hash = ANY($3::text[])`,
      [userId, agentId, hashes],
    );
}

/** Finds the latest turn that ended with this transcript in a host's conversation, or null. */
export function findTurnInChat(
  { userId, agentId }: TurnOwner,
  { chat, transcript }: { chat: string; transcript: string },
): Promise<AnsweredTurn | null> {
  return turnRow.of(userId).queryFirst(
    'openai-turn-in-chat',
    `SELECT ${columns} FROM openai_turn WHERE user_id = $1 AND agent_id = $2 AND chat = $3 AND transcript = $4
     ORDER BY created_at DESC LIMIT 1`,
    [userId, agentId, chat, transcript],
  );
}

/** Returns the latest turn in a context, or null. */
export function findLatestTurn({ userId, agentId }: TurnOwner, contextId: string): Promise<AnsweredTurn | null> {
  return turnRow.of(userId).queryFirst(
    'openai-latest-turn',
    `SELECT ${columns} FROM openai_turn WHERE user_id = $1 AND agent_id = $2 AND context_id = $3
     ORDER BY created_at DESC LIMIT 1`,
    [userId, agentId, contextId],
  );
}

/**
 * Reserves the continuation of a turn for one request, by the request's hash. Returns false if another request already
 * continues it.
 */
export async function claimContinuation(
  { userId, agentId }: TurnOwner,
  { hash, next }: { hash: string; next: string },
): Promise<boolean> {
  const claimed = await ofOwner(userId).execute(
    'openai-claim-continuation',
    `UPDATE openai_turn SET next = $4
     WHERE user_id = $1 AND agent_id = $2 AND hash = $3 AND (next IS NULL OR next = $4)`,
    [userId, agentId, hash, next],
  );
  return claimed > 0;
}

/** Ends the reservation of a request that did not start a turn. */
export async function releaseContinuation(
  { userId, agentId }: TurnOwner,
  { hash, next }: { hash: string; next: string },
): Promise<void> {
  await ofOwner(userId).execute(
    'openai-release-continuation',
    `UPDATE openai_turn SET next = NULL WHERE user_id = $1 AND agent_id = $2 AND hash = $3 AND next = $4`,
    [userId, agentId, hash, next],
  );
}

type StoredTurn = TurnOwner & AnsweredTurn & { createdAt: Date };

/** The writer of each database, so that an unavailable one delays no others. */
const writerOf = perDatabase((database) =>
  batchWrites((turns: StoredTurn[]) => saveTurns(database, turns), MAX_BATCHED_TURNS),
);

/** Stores a turn. A turn that is already stored keeps its continuation. Concurrent calls share a statement. */
export async function saveTurn(turn: StoredTurn): Promise<void> {
  await writerOf(await databaseOf(turn.userId))(turn);
}

async function saveTurns(database: TaskDatabase, turns: StoredTurn[]): Promise<undefined[]> {
  // Ordered, so that concurrent statements lock rows in the same order. One statement changes each row at most once.
  const latest = new Map(turns.map((turn) => [`${turn.userId} ${turn.agentId} ${turn.hash}`, turn]));
  const rows = [...latest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, turn]) => turn);
  await atDatabase(database).execute(
    'openai-save-turns',
    `INSERT INTO openai_turn (user_id, agent_id, hash, end_user, context_id, task_id, task_turn, said, instructions, chat,
       transcript, created_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::int[], $8::text[],
       $9::text[], $10::text[], $11::text[], $12::timestamptz[])
     ON CONFLICT (user_id, agent_id, hash) DO UPDATE SET context_id = excluded.context_id, task_id = excluded.task_id,
       said = excluded.said`,
    columnsOf(rows),
  );
  return turns.map(() => undefined);
}

function columnsOf(rows: StoredTurn[]): unknown[] {
  return [
    rows.map(({ userId }) => userId),
    rows.map(({ agentId }) => agentId),
    rows.map(({ hash }) => hash),
    rows.map(({ endUser }) => endUser),
    rows.map(({ contextId }) => contextId),
    rows.map(({ taskId }) => taskId),
    rows.map(({ taskTurn }) => taskTurn),
    rows.map(({ said }) => said),
    rows.map(({ instructions }) => instructions),
    rows.map(({ chat }) => chat),
    rows.map(({ transcript }) => transcript),
    rows.map(({ createdAt }) => createdAt),
  ];
}

/** A request by its hash, and the idempotency key of its turn. */
interface LostAnswer extends TurnOwner {
  request: string;
  key: string;
}

/** Records that the client of a request received no answer. */
export async function saveLostAnswer({ userId, agentId, request, key }: LostAnswer): Promise<void> {
  await ofOwner(userId).execute(
    'openai-save-lost-answer',
    `INSERT INTO openai_lost_answer (user_id, agent_id, request, key, created_at) VALUES ($1, $2, $3, $4, now())
     ON CONFLICT DO NOTHING`,
    [userId, agentId, request, key],
  );
}

const keyRow = row({ key: text() });

/**
 * Removes one lost answer to this request that is at most {@link LOST_ANSWER_SECONDS} old, so that it is returned only
 * once. Returns its key, or null if there is none.
 */
export async function takeLostAnswer({ userId, agentId, request }: Omit<LostAnswer, 'key'>): Promise<string | null> {
  const taken = await keyRow.of(userId).queryFirst(
    'openai-take-lost-answer',
    `DELETE FROM openai_lost_answer WHERE ctid = (
       SELECT ctid FROM openai_lost_answer WHERE user_id = $1 AND agent_id = $2 AND request = $3
         AND created_at > now() - $4 * interval '1 second'
       ORDER BY created_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING key`,
    [userId, agentId, request, LOST_ANSWER_SECONDS],
  );
  return taken?.key ?? null;
}

const tables = ['openai_turn', 'openai_lost_answer'] as const;

/** Deletes the data with which conversations are continued after its retention time. */
export async function deleteOutdatedTurns(now: Date): Promise<void> {
  const cutoff = cutoffOf('transcripts', now);
  for (const table of tables) {
    await runBatches(MAX_BATCHED_TURNS, (limit) =>
      inAvailableTaskDatabases.execute(
        `expire-${table}`,
        `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM ${table} WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
        [cutoff, limit],
      ),
    );
  }
}

/** Erases all turns of a user. */
export async function eraseTurns(tx: Db, userId: string): Promise<void> {
  await executeIn(tx, Prisma.sql`DELETE FROM openai_turn WHERE user_id = ${userId}`);
  await executeIn(tx, Prisma.sql`DELETE FROM openai_lost_answer WHERE user_id = ${userId}`);
}
