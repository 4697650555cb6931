-- Each task was entered into both of these twice, at its begin and at its end. Runs are looked for while they last, and what
-- is to be packed when they are over.
DROP INDEX "task_packed_state_at_idx";
DROP INDEX "task_run_node_idx";
CREATE INDEX "task_unpacked_idx" ON "task"("state_at") WHERE NOT "packed" AND "run_node" IS NULL;
CREATE INDEX "task_run_node_idx" ON "task"("run_node") WHERE "run_node" IS NOT NULL;

-- What is said in a stream changes a task's row again and again, and none of what is indexed: with room on its page no index is
-- touched.
ALTER TABLE "task" SET (fillfactor = 80);
