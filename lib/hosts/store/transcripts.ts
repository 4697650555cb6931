import { row, text } from '../../platform/rows';
import { execute } from '../../platform/sql';
import { TRANSCRIPT_RETENTION_MS } from '../limits';

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

/** Stores the context of a transcript, or replaces it. */
export async function saveTranscript({
  userId,
  agentId,
  hash,
  contextId,
  createdAt,
}: TranscriptKey & { contextId: string; createdAt: Date }): Promise<void> {
  await execute(
    'openai-save-transcript',
    `INSERT INTO openai_transcript (user_id, agent_id, hash, context_id, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (user_id, agent_id, hash) DO UPDATE SET context_id = excluded.context_id, created_at = excluded.created_at`,
    [userId, agentId, hash, contextId, createdAt],
  );
}

/** Deletes transcripts that can no longer be continued. */
export async function deleteOldTranscripts(now: Date): Promise<void> {
  const before = new Date(now.getTime() - TRANSCRIPT_RETENTION_MS);
  await execute('openai-expire-transcripts', 'DELETE FROM openai_transcript WHERE created_at < $1', [before]);
}
