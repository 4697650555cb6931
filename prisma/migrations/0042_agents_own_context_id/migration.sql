-- What the agent calls the task's context: NULL until it has answered. The default marks the tasks that are there already with an
-- empty text, without a rewrite of the table: their agents were given an id that Parley derived, and go on with it.
ALTER TABLE "task" ADD COLUMN "upstream_context_id" TEXT DEFAULT '';
ALTER TABLE "task" ALTER COLUMN "upstream_context_id" DROP DEFAULT;
