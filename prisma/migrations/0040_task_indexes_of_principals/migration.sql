-- A task was entered twice, at its begin and at its end, into both indexes by principal. Now it is in one index while it runs, by its
-- principal and by its node, and in these two once its turn is over. Contexts come first in theirs: the ids of those that Parley made
-- begin with the time, and are entered side by side.
CREATE INDEX "task_running_idx" ON "task"("principal", "agent_id", "run_node") WHERE "run_node" IS NOT NULL;
CREATE INDEX "task_principal_state_at_idx" ON "task"("principal", "agent_id", "state_at" DESC, "id" DESC) WHERE "run_node" IS NULL;
CREATE INDEX "task_context_idx" ON "task"("context_id", "principal", "agent_id", "created_at") WHERE "run_node" IS NULL;
DROP INDEX "task_run_node_idx";
DROP INDEX "task_principal_agent_id_state_at_id_idx";
DROP INDEX "task_principal_agent_id_context_id_created_at_idx";
