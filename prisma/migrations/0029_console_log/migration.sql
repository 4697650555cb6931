-- The log of calls at scale: whose call it was, and pages by keyset.
ALTER TABLE "agent_call" ADD COLUMN "caller" TEXT NOT NULL DEFAULT '';
CREATE INDEX "agent_call_agent_id_at_id_idx" ON "agent_call"("agent_id", "at" DESC, "id" DESC);
DROP INDEX "agent_call_agent_id_at_idx";

-- Calls that somebody of an agent's team makes from the console: tests, and repetitions of calls that failed.
CREATE TABLE "console_run" (
    "request_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "caller" TEXT NOT NULL,
    -- The call that is repeated; null for a test.
    "replay_of" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "console_run_pkey" PRIMARY KEY ("request_id"),
    CONSTRAINT "console_run_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "console_run_agent_id_at_idx" ON "console_run"("agent_id", "at");

-- What introspection said of tokens while somebody tested the agent.
CREATE TABLE "introspection_note" (
    "id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "caller" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL,
    -- Why not: 'other_app'; null when it is active.
    "reason" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "introspection_note_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "introspection_note_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "introspection_note_agent_id_at_idx" ON "introspection_note"("agent_id", "at");

-- What its team tells people about an agent, and whether a changed card waits for their word.
ALTER TABLE "agent" ADD COLUMN "notice" JSONB;
ALTER TABLE "agent" ADD COLUMN "holds_cards" BOOLEAN NOT NULL DEFAULT false;
-- The digest of a card that the team did not want.
ALTER TABLE "card_watch" ADD COLUMN "kept_out" TEXT;
