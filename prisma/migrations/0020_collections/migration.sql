-- Lists of agents that a person keeps, or that Parley's editors recommend.
CREATE TABLE "collection" (
    "id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    -- 'public' or 'private'.
    "visibility" TEXT NOT NULL,
    -- Chosen by an admin: shown to everybody first.
    "is_curated" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "collection_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "collection_owner_id_updated_at_idx" ON "collection"("owner_id", "updated_at" DESC);
CREATE INDEX "collection_visibility_is_curated_updated_at_idx" ON "collection"("visibility", "is_curated", "updated_at" DESC);

CREATE TABLE "collection_agent" (
    "collection_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "collection_agent_pkey" PRIMARY KEY ("collection_id", "agent_id"),
    CONSTRAINT "collection_agent_collection_id_fkey" FOREIGN KEY ("collection_id") REFERENCES "collection"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "collection_agent_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "collection_agent_agent_id_idx" ON "collection_agent"("agent_id");
