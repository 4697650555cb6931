-- What the signatures of each fetched card prove. Cards fetched before this are looked at again by the watch below.
ALTER TABLE "agent_version" ADD COLUMN "signature" JSONB NOT NULL DEFAULT '{"state":"unsigned"}';

-- CreateTable
CREATE TABLE "card_watch" (
    "agent_id" TEXT NOT NULL,
    "etag" TEXT,
    "last_modified" TEXT,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "next_check_at" TIMESTAMPTZ(3) NOT NULL,
    "failing_since" TIMESTAMPTZ(3),
    "failure" TEXT,
    "waiting_version_id" TEXT,
    "waiting_reasons" JSONB,

    CONSTRAINT "card_watch_pkey" PRIMARY KEY ("agent_id")
);

-- CreateTable
CREATE TABLE "key_signature" (
    "kid" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "key_signature_pkey" PRIMARY KEY ("kid","digest")
);

-- CreateIndex
CREATE INDEX "card_watch_next_check_at_idx" ON "card_watch"("next_check_at");

-- AddForeignKey
ALTER TABLE "card_watch" ADD CONSTRAINT "card_watch_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "key_signature" ADD CONSTRAINT "key_signature_kid_fkey" FOREIGN KEY ("kid") REFERENCES "signing_key"("kid") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "card_watch" ("agent_id", "checked_at", "next_check_at") SELECT "id", "updated_at", now() FROM "agent";
