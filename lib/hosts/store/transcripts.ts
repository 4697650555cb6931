import { cutoffOf } from '../../platform/retention';
import { row, text } from '../../platform/rows';
import { runBatches } from '../../platform/run-batches';
import { processSingleton } from '../../platform/singleton';
import { execute } from '../../platform/sql';
import { batchWrites } from '../../platform/write-batcher';
import { MAX_BATCHED_TRANSCRIPTS } from '../limits';

/** A transcript that ends with an answer of an agent to a user. */
export interface TranscriptKey {
  userId: string;
  agentId: string;
  hash: string;
}

const contextRow = row({ contextId: text() });

/** The context of a transcript, or null. */
export async function findTranscriptContext({ userId, agentId, hash }: TranscriptKey): Promise<string | null> {
  const found = await contextRow.queryFirst(
    'openai-transcript-context',
    `SELECT context_id AS "contextId" FROM openai_transcript WHERE user_id = $1 AND agent_id = $2 AND hash = $3`,
    [userId, agentId, hash],
  );
  return found?.contextId ?? null;
}

/** An answered transcript, and the context of the answer. */
interface AnsweredTranscript extends TranscriptKey {
  contextId: string;
  createdAt: Date;
}

/** Stores the context of a transcript, or replaces it. Concurrent calls share a statement. */
export function saveTranscript(transcript: AnsweredTranscript): Promise<undefined> {
  return transcriptSaver()(transcript);
}

const transcriptSaver = (): ((transcript: AnsweredTranscript) => Promise<undefined>) =>
  processSingleton('openai-transcripts', () => batchWrites(saveTranscripts, MAX_BATCHED_TRANSCRIPTS));

async function saveTranscripts(transcripts: AnsweredTranscript[]): Promise<undefined[]> {
  // Ordered, so that concurrent statements lock rows in the same order; one statement changes no row twice.
  const latest = new Map(transcripts.map((transcript) => [keyOf(transcript), transcript]));
  const rows = [...latest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, transcript]) => transcript);
  await execute(
    'openai-save-transcripts',
    `INSERT INTO openai_transcript (user_id, agent_id, hash, context_id, created_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
     ON CONFLICT (user_id, agent_id, hash) DO UPDATE SET context_id = excluded.context_id, created_at = excluded.created_at`,
    [
      rows.map(({ userId }) => userId),
      rows.map(({ agentId }) => agentId),
      rows.map(({ hash }) => hash),
      rows.map(({ contextId }) => contextId),
      rows.map(({ createdAt }) => createdAt),
    ],
  );
  return transcripts.map(() => undefined);
}

function keyOf({ userId, agentId, hash }: TranscriptKey): string {
  return `${userId} ${agentId} ${hash}`;
}

/** Deletes transcripts after their retention time; they can no longer be continued. */
export async function deleteOldTranscripts(now: Date): Promise<void> {
  const cutoff = cutoffOf('transcripts', now);
  await runBatches(MAX_BATCHED_TRANSCRIPTS, (limit) =>
    execute(
      'openai-expire-transcripts',
      `DELETE FROM openai_transcript WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM openai_transcript WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [cutoff, limit],
    ),
  );
}
