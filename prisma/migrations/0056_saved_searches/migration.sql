-- Searches that users saved to be notified of new agents.
CREATE TABLE "saved_search" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    -- SavedQuery in lib/discovery/schema-saved-searches.ts.
    "query" JSONB NOT NULL,
    "wants_mail" BOOLEAN NOT NULL,
    -- SHA-256 of the secret in the feed's URL, hex; null without a feed.
    "feed_token_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    -- A node that claims it moves this on, so that no other node does.
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    -- Null before the first run, which notifies of nothing.
    "ran_at" TIMESTAMPTZ(3),
    "mailed_at" TIMESTAMPTZ(3),

    CONSTRAINT "saved_search_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "saved_search_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "saved_search_feed_token_hash_key" ON "saved_search"("feed_token_hash");
CREATE INDEX "saved_search_user_id_created_at_idx" ON "saved_search"("user_id", "created_at" DESC);
CREATE INDEX "saved_search_due_at_idx" ON "saved_search"("due_at");

-- The agents that a saved search has found.
CREATE TABLE "saved_search_match" (
    "search_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "found_at" TIMESTAMPTZ(3) NOT NULL,
    -- Still to be mailed.
    "is_pending" BOOLEAN NOT NULL,

    CONSTRAINT "saved_search_match_pkey" PRIMARY KEY ("search_id", "agent_id"),
    CONSTRAINT "saved_search_match_search_id_fkey" FOREIGN KEY ("search_id") REFERENCES "saved_search"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "saved_search_match_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "saved_search_match_agent_id_idx" ON "saved_search_match"("agent_id");
