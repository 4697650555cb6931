CREATE INDEX CONCURRENTLY "conversation_deleted_idx" ON "conversation"("deleted_at") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX CONCURRENTLY "conversation_branch_context_id_idx" ON "conversation_branch"("context_id");
CREATE INDEX CONCURRENTLY "push_dead_letter_at_idx" ON "push_dead_letter"("at");
