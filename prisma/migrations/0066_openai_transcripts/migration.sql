-- The context of an answer, by the hash of the transcript that ends with it: OpenAI's clients send the transcript, not an id.
CREATE TABLE "openai_transcript" (
    "user_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "context_id" VARCHAR(255) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "openai_transcript_pkey" PRIMARY KEY ("user_id", "agent_id", "hash")
);

CREATE INDEX "openai_transcript_created_at_idx" ON "openai_transcript"("created_at");
ALTER TABLE "openai_transcript" ADD CONSTRAINT "openai_transcript_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
