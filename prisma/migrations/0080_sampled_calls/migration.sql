-- Calls of the hour that are counted, but not in the call log, which is sampled when too many arrive.
ALTER TABLE "agent_call_hour" ADD COLUMN "missing" INTEGER NOT NULL DEFAULT 0;
