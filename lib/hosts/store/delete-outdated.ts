import { runBatches } from '../../platform/batches';
import { execute } from '../../platform/db/sql';
import { cutoffOf } from '../../platform/runtime/env';
import { MAX_BATCHED_TURNS } from '../limits';

const tables = ['openai_turn', 'openai_lost_answer'] as const;

/** Deletes the data for the continuation of conversations after its retention time. */
export async function deleteOutdatedTurns(now: Date): Promise<void> {
  const cutoff = cutoffOf('transcripts', now);
  for (const table of tables) {
    await runBatches(MAX_BATCHED_TURNS, (limit) =>
      execute(
        `expire-${table}`,
        `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM ${table} WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
        [cutoff, limit],
      ),
    );
  }
}
