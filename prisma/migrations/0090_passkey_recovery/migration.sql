-- Requests of users who lost every passkey; each takes effect when it is due.
CREATE TABLE "passkey_recovery" (
    "user_id" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "passkey_recovery_pkey" PRIMARY KEY ("user_id")
);
CREATE INDEX "passkey_recovery_due_at_idx" ON "passkey_recovery"("due_at");
ALTER TABLE "passkey_recovery" ADD CONSTRAINT "passkey_recovery_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
