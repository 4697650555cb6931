-- A task whose first message its agent never accepted is in no list (decision 17).
ALTER TABLE "task" ADD COLUMN "unlisted" BOOLEAN NOT NULL DEFAULT false;
-- When the agent of a task that waits for its caller was last asked how the task stands, by whichever node.
ALTER TABLE "task" ADD COLUMN "polled_at" TIMESTAMPTZ(3);
-- Tasks that wait for their caller, which an agent may continue by itself: looked for every few seconds.
CREATE INDEX "task_waiting_idx" ON "task"("state_at") WHERE "state" IN ('input-required', 'auth-required') AND "run_node" IS NULL;
DROP INDEX "task_auth_required_idx";
