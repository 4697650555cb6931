-- A delegated token reaches the tasks, contexts and push receivers of its own delegation alone. Rows of before belong to nobody but
-- their principal: who began them was not recorded apart from who wrote last.
ALTER TABLE "task" ADD COLUMN "delegation" TEXT;
ALTER TABLE "push_config" ADD COLUMN "delegation" TEXT;
-- The same context id may be used by a person and, for another conversation, by an agent that acts for them.
ALTER TABLE "context" ADD COLUMN "delegation" TEXT NOT NULL DEFAULT '';
ALTER TABLE "context" DROP CONSTRAINT "context_pkey", ADD CONSTRAINT "context_pkey" PRIMARY KEY ("principal", "agent_id", "id", "delegation");
CREATE INDEX "task_delegation_idx" ON "task"("delegation") WHERE "delegation" IS NOT NULL;
