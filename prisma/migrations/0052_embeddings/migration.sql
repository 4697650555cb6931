-- Vectors of agents for search by meaning. A model is filled in the background while another one is active.
CREATE TABLE "embedding_model" (
    "id" SMALLINT GENERATED ALWAYS AS IDENTITY,
    "name" TEXT NOT NULL,
    "dims" INTEGER NOT NULL,
    "mean" REAL[],
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "embedding_model_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "embedding_model_state_check" CHECK ("state" IN ('filling', 'active', 'retired'))
);
CREATE UNIQUE INDEX "embedding_model_name_key" ON "embedding_model"("name");
CREATE UNIQUE INDEX "embedding_model_active_key" ON "embedding_model"("state") WHERE "state" = 'active';

-- One vector per part: part 0 is the whole card, the others are its skills. "packed" is "vec" in signed bytes, for exact
-- ranking in the node; "vec" is stored out of line, and only pgvector reads it.
CREATE TABLE "agent_embedding" (
    "model" SMALLINT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "part" SMALLINT NOT NULL,
    "source_hash" BYTEA NOT NULL,
    "packed" BYTEA NOT NULL,
    "vec" REAL[] NOT NULL,

    CONSTRAINT "agent_embedding_pkey" PRIMARY KEY ("model", "agent_id", "part"),
    CONSTRAINT "agent_embedding_model_fkey" FOREIGN KEY ("model") REFERENCES "embedding_model"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "agent_embedding_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
ALTER TABLE "agent_embedding" ALTER COLUMN "vec" SET STORAGE EXTERNAL, ALTER COLUMN "packed" SET STORAGE PLAIN;
CREATE INDEX "agent_embedding_agent_idx" ON "agent_embedding"("agent_id");

-- The signs of the vectors. Narrow, because every search without pgvector reads all of them.
CREATE TABLE "agent_embedding_bits" (
    "model" SMALLINT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "part" SMALLINT NOT NULL,
    "bits" VARBIT NOT NULL,

    CONSTRAINT "agent_embedding_bits_pkey" PRIMARY KEY ("model", "agent_id", "part"),
    CONSTRAINT "agent_embedding_bits_part_fkey" FOREIGN KEY ("model", "agent_id", "part") REFERENCES "agent_embedding"("model", "agent_id", "part") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Agents whose vectors are due, per model. Written with the agent, deleted when its vectors are stored.
CREATE TABLE "embedding_due" (
    "model" SMALLINT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "changed_at" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "embedding_due_pkey" PRIMARY KEY ("model", "agent_id"),
    CONSTRAINT "embedding_due_model_fkey" FOREIGN KEY ("model") REFERENCES "embedding_model"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "embedding_due_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "embedding_due_newest_idx" ON "embedding_due"("model", "changed_at");
