-- The indexes by which retention finds what is old. The two of the message path grow at their right end only.
CREATE INDEX CONCURRENTLY "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");
CREATE INDEX CONCURRENTLY "task_finished_idx" ON "task"("state_at") WHERE "compacted";

CREATE INDEX CONCURRENTLY "conversation_idle_idx" ON "conversation"("updated_at") WHERE "deleted_at" IS NULL;
-- The conversations that the search index lacks; usually few. The comparison is immutable in UTC.
CREATE INDEX CONCURRENTLY "conversation_stale_idx" ON "conversation"("updated_at")
WHERE "indexed_at" IS NULL OR ("indexed_at" AT TIME ZONE 'UTC') < ("updated_at" AT TIME ZONE 'UTC') + interval '65 minutes';
