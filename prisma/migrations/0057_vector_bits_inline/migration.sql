-- Values with a short header are copied before each comparison, which every search does for every vector.
ALTER TABLE "agent_embedding_bits" ALTER COLUMN "bits" SET STORAGE PLAIN;
