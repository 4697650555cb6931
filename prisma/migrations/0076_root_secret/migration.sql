-- The secret of hashes, MACs and derived ids, encrypted with KEY_ENCRYPTION_KEY, so that this key can be exchanged.
CREATE TABLE "root_secret" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "root_secret_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "root_secret_is_one" CHECK ("id" = 1)
);

-- Ids of the keys with which the node decrypts; it encrypts with the first. Empty for releases without exchange.
ALTER TABLE "node" ADD COLUMN "key_ids" TEXT[] NOT NULL DEFAULT '{}';
