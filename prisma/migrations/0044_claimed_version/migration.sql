-- When an agent was first called in an older version than this card claims, and its owner was told so.
ALTER TABLE "agent_version" ADD COLUMN "called_older_at" TIMESTAMPTZ(3);
