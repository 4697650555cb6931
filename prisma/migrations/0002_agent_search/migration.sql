-- What search reads, written by lib/catalog together with the agent. Written by hand and declared external in
-- prisma.config.ts, because Prisma knows neither tsvector nor trigram indexes.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- One row per public agent that is up. The document holds each word as it is, words of the name also behind "n:", words
-- of name, skills and tags also behind "s:": the index alone then answers where a word stands.
CREATE TABLE "agent_search" (
    "agent_id" TEXT NOT NULL,
    "name_key" TEXT COLLATE "C" NOT NULL,
    "document" TSVECTOR NOT NULL,
    "skill_names" TEXT[] NOT NULL,
    "skill_words" TEXT[] NOT NULL,
    "tags" TEXT[] NOT NULL,
    "badges" TEXT[] NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_search_pkey" PRIMARY KEY ("agent_id"),
    CONSTRAINT "agent_search_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "agent_search_document_idx" ON "agent_search" USING GIN ("document");
CREATE INDEX "agent_search_tags_idx" ON "agent_search" USING GIN ("tags");
CREATE INDEX "agent_search_newest_idx" ON "agent_search" ("created_at" DESC, "agent_id" DESC);
CREATE INDEX "agent_search_name_idx" ON "agent_search" ("name_key", "agent_id");

-- Every word that some document had: what a misspelt word is compared with.
CREATE TABLE "agent_search_word" (
    "word" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "agent_search_word_pkey" PRIMARY KEY ("word")
);

CREATE INDEX "agent_search_word_trigrams_idx" ON "agent_search_word" USING GIN ("word" gin_trgm_ops);
