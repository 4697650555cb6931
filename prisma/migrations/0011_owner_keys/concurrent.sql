-- For the lookups of a task by its id alone.
CREATE INDEX CONCURRENTLY "task_id_idx" ON "task"("id");
CREATE INDEX CONCURRENTLY "agent_task_day_agent_id_day_idx" ON "agent_task_day"("agent_id", "day");
CREATE INDEX CONCURRENTLY "conversation_share_token_hash_idx" ON "conversation_share"("token_hash");
DROP INDEX CONCURRENTLY IF EXISTS "conversation_share_token_hash_key";
