import { row, text } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import { LOST_ANSWER_SECONDS } from '../limits';
import type { TurnOwner } from './turns';

/** A request by its hash, and the idempotency key of its turn. */
interface LostAnswer extends TurnOwner {
  request: string;
  key: string;
}

/** Records that the client of a request received no answer. */
export async function saveLostAnswer({ userId, agentId, request, key }: LostAnswer): Promise<void> {
  await execute(
    'openai-save-lost-answer',
    `INSERT INTO openai_lost_answer (user_id, agent_id, request, key, created_at) VALUES ($1, $2, $3, $4, now())
     ON CONFLICT DO NOTHING`,
    [userId, agentId, request, key],
  );
}

const keyRow = row({ key: text() });

/**
 * Removes and returns one lost answer of a request within {@link LOST_ANSWER_SECONDS}, so that it is returned only
 * once. Returns its key, or null for none.
 */
export async function takeLostAnswer({ userId, agentId, request }: Omit<LostAnswer, 'key'>): Promise<string | null> {
  const taken = await keyRow.queryFirst(
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
