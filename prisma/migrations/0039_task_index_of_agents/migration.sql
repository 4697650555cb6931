-- How an agent stands is told by what it did: a task is entered here once its turn is over, and not at its begin as well.
DROP INDEX "task_agent_id_created_at_idx";
CREATE INDEX "task_agent_idx" ON "task"("agent_id", "created_at") WHERE "run_node" IS NULL;
