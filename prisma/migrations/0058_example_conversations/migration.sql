-- A conversation that an agent's team shows on the agent's page: a redacted copy of one of their own tasks.
CREATE TABLE "example_conversation" (
    "agent_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    -- The member of the team whose task it was.
    "author_id" TEXT NOT NULL,
    "task_id" UUID NOT NULL,
    -- A list of {role, text}.
    "turns" JSONB NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL,
    -- When moderation removed it.
    "hidden_at" TIMESTAMPTZ(3),

    CONSTRAINT "example_conversation_pkey" PRIMARY KEY ("agent_id"),
    CONSTRAINT "example_conversation_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "example_conversation_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "example_conversation_id_key" ON "example_conversation"("id");
CREATE INDEX "example_conversation_author_id_idx" ON "example_conversation"("author_id");
