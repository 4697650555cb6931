-- Old transcripts are deleted by their age alone, in the background.
DROP INDEX "openai_transcript_user_id_created_at_idx";
CREATE INDEX "openai_transcript_created_at_idx" ON "openai_transcript"("created_at");
