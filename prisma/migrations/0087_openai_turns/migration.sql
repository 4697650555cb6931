-- The turns of conversations on OpenAI's API by what marks them for the client, instead of by their content: equal
-- conversations of different people are kept separate. "openai_transcript" is no longer used.
CREATE TABLE "openai_turn" (
    "user_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "end_user" TEXT NOT NULL,
    "context_id" VARCHAR(255) NOT NULL,
    "task_id" UUID,
    "task_turn" INTEGER NOT NULL,
    "said" TEXT NOT NULL,
    "instructions" TEXT NOT NULL,
    "chat" TEXT,
    "transcript" TEXT,
    "next" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "openai_turn_pkey" PRIMARY KEY ("user_id", "agent_id", "hash")
);
CREATE INDEX "openai_turn_user_id_agent_id_context_id_created_at_idx" ON "openai_turn"("user_id", "agent_id", "context_id", "created_at");
CREATE INDEX "openai_turn_user_id_agent_id_chat_transcript_idx" ON "openai_turn"("user_id", "agent_id", "chat", "transcript");
CREATE INDEX "openai_turn_created_at_idx" ON "openai_turn"("created_at");
ALTER TABLE "openai_turn" ADD CONSTRAINT "openai_turn_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Requests that began a conversation and whose answer the client did not receive: what a repetition of it waits for.
CREATE TABLE "openai_lost_answer" (
    "user_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "request" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "openai_lost_answer_pkey" PRIMARY KEY ("user_id", "agent_id", "request", "key")
);
CREATE INDEX "openai_lost_answer_created_at_idx" ON "openai_lost_answer"("created_at");
ALTER TABLE "openai_lost_answer" ADD CONSTRAINT "openai_lost_answer_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
