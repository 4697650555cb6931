-- The recent requests of chains to approve a call.
CREATE INDEX CONCURRENTLY "chain_approval_undecided_idx" ON "chain_approval"("created_at") WHERE "decision" IS NULL;
