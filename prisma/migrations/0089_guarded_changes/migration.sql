-- Changes of sign-in methods and payment guards, each announced by an email whose link undoes it.
CREATE TABLE "guarded_change" (
    "id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "user_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "before" JSONB,
    "undo_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_at" TIMESTAMPTZ(3),
    "emailed_at" TIMESTAMPTZ(3),
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "guarded_change_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "guarded_change_undo_hash_key" ON "guarded_change"("undo_hash");
CREATE INDEX "guarded_change_user_id_subject_idx" ON "guarded_change"("user_id", "subject");
CREATE INDEX "guarded_change_created_at_idx" ON "guarded_change"("created_at");
CREATE INDEX "guarded_change_unsent_idx" ON "guarded_change"("seq") WHERE "emailed_at" IS NULL;
ALTER TABLE "guarded_change" ADD CONSTRAINT "guarded_change_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
