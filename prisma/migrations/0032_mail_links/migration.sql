-- Links in mails that let their reader in: to sign in by, or to set a new password. Each counts once; only its hash is kept.
CREATE TABLE "mail_link" (
    "token_hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    -- 'reset' or 'sign-in'.
    "purpose" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_link_pkey" PRIMARY KEY ("token_hash")
);

CREATE INDEX "mail_link_user_id_idx" ON "mail_link"("user_id");
CREATE INDEX "mail_link_expires_at_idx" ON "mail_link"("expires_at");

ALTER TABLE "mail_link" ADD CONSTRAINT "mail_link_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
