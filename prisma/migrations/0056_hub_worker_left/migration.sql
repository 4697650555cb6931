-- A worker that disconnected is kept for a minute, marked as draining: it may connect to any node again without counting
-- against the limits.
ALTER TABLE "hub_worker" ADD COLUMN "left_at" TIMESTAMPTZ(3);
CREATE INDEX "hub_worker_left_idx" ON "hub_worker"("left_at") WHERE "left_at" IS NOT NULL;
