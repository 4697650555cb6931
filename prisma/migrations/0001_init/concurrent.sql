-- Indexes that `parley migrate` builds while nodes serve; a database of release 0.1.0 may lack some of them.
CREATE INDEX CONCURRENTLY "conversation_deleted_idx" ON "conversation"("deleted_at") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX CONCURRENTLY "conversation_branch_context_id_idx" ON "conversation_branch"("context_id");
CREATE INDEX CONCURRENTLY "push_dead_letter_at_idx" ON "push_dead_letter"("at");
-- The indexes by which retention finds what is old. The two of the message path grow at their right end only.
CREATE INDEX CONCURRENTLY "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");
CREATE INDEX CONCURRENTLY "task_finished_idx" ON "task"("state_at") WHERE "compacted";

CREATE INDEX CONCURRENTLY "conversation_idle_idx" ON "conversation"("updated_at") WHERE "deleted_at" IS NULL;
-- The conversations that the search index lacks; usually few. The comparison is immutable in UTC.
CREATE INDEX CONCURRENTLY "conversation_stale_idx" ON "conversation"("updated_at")
WHERE "indexed_at" IS NULL OR ("indexed_at" AT TIME ZONE 'UTC') < ("updated_at" AT TIME ZONE 'UTC') + interval '65 minutes';
-- What a spending limit sums up: the approved orders of a user in a currency since a time.
CREATE INDEX CONCURRENTLY "payment_order_user_id_currency_approved_at_idx" ON "payment_order"("user_id", "currency", "approved_at");
-- The orders that a standing approval paid.
CREATE INDEX CONCURRENTLY "payment_order_standing_id_idx" ON "payment_order"("standing_id");
-- One message of a buyer leads to at most one automatic payment.
CREATE UNIQUE INDEX CONCURRENTLY "payment_order_automatic_payment_key" ON "payment_order"("user_id", "answered_message") WHERE "standing_id" IS NOT NULL;
