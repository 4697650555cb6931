-- The branch of a conversation in which its latest message stands; null: the first one.
ALTER TABLE "conversation" ADD COLUMN "current_context_id" VARCHAR(255);
-- When its texts were taken into the search last.
ALTER TABLE "conversation" ADD COLUMN "indexed_at" TIMESTAMPTZ(3);

-- Another version of a conversation, from an edited message on. The version that it was first told in has no row: it is the
-- conversation's own context.
CREATE TABLE "conversation_branch" (
    "conversation_id" TEXT NOT NULL,
    "context_id" VARCHAR(255) NOT NULL,
    -- In place of which task of which version it begins.
    "fork_context_id" VARCHAR(255) NOT NULL,
    "fork_task_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "conversation_branch_pkey" PRIMARY KEY ("conversation_id", "context_id"),
    CONSTRAINT "conversation_branch_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- What was said, for the search. A search reads all texts of one person and of nobody else, so it needs no index over words,
-- and finds a part of a word in any script.
CREATE TABLE "conversation_text" (
    "task_id" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "context_id" VARCHAR(255) NOT NULL,
    -- 'user' or 'agent'.
    "role" TEXT NOT NULL,
    "said_at" TIMESTAMPTZ(3) NOT NULL,
    "text" TEXT NOT NULL,
    -- The text as it is compared: one case, one form of each character.
    "folded" TEXT NOT NULL,

    CONSTRAINT "conversation_text_pkey" PRIMARY KEY ("task_id", "place"),
    CONSTRAINT "conversation_text_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "conversation_text_user_id_idx" ON "conversation_text"("user_id");
CREATE INDEX "conversation_text_conversation_id_idx" ON "conversation_text"("conversation_id");

-- Up to which event a task's texts are in the search.
CREATE TABLE "conversation_indexed" (
    "task_id" UUID NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,

    CONSTRAINT "conversation_indexed_pkey" PRIMARY KEY ("task_id"),
    CONSTRAINT "conversation_indexed_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "conversation_indexed_conversation_id_idx" ON "conversation_indexed"("conversation_id");

-- A page on which anyone with the link reads what a conversation was when the link was made.
CREATE TABLE "conversation_share" (
    "id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    -- The tasks that are shown, each up to an event: a list of [task id, seq].
    "tasks" JSONB NOT NULL,
    -- Since when moderation keeps it from being read.
    "hidden_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "conversation_share_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "conversation_share_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "conversation_share_token_hash_key" ON "conversation_share"("token_hash");
CREATE INDEX "conversation_share_conversation_id_idx" ON "conversation_share"("conversation_id");

-- What a person thinks of one answer; the agent's owner sees it without its person and without what was said.
CREATE TABLE "answer_feedback" (
    "task_id" UUID NOT NULL,
    -- The event that the answer begins with.
    "seq" INTEGER NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    -- 'good' or 'bad'.
    "verdict" TEXT NOT NULL,
    "category" TEXT,
    "note" TEXT,
    "given_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "answer_feedback_pkey" PRIMARY KEY ("task_id", "seq"),
    CONSTRAINT "answer_feedback_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "answer_feedback_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "answer_feedback_agent_id_given_at_idx" ON "answer_feedback"("agent_id", "given_at");
CREATE INDEX "answer_feedback_conversation_id_idx" ON "answer_feedback"("conversation_id");
