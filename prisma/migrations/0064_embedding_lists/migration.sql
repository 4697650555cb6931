-- Vectors with similar signs share a list, so that a search of many vectors reads only the lists nearest to it.
-- "listed_vectors" is the number of vectors when the lists were built; 0 while there are none.
ALTER TABLE "embedding_model" ADD COLUMN "listed_vectors" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "embedding_list" (
    "model" SMALLINT NOT NULL,
    "list" SMALLINT NOT NULL,
    "center" VARBIT NOT NULL,

    CONSTRAINT "embedding_list_pkey" PRIMARY KEY ("model", "list"),
    CONSTRAINT "embedding_list_model_fkey" FOREIGN KEY ("model") REFERENCES "embedding_model"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- The index has all that a search reads.
ALTER TABLE "agent_embedding_bits" ADD COLUMN "list" SMALLINT NOT NULL DEFAULT 0;
CREATE INDEX "agent_embedding_bits_list_idx" ON "agent_embedding_bits"("model", "list") INCLUDE ("agent_id", "part", "bits");
