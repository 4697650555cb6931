-- An access token that a device was given has no text of its own to keep: its texts are derived, and renewed.
ALTER TABLE "access_token" ALTER COLUMN "token_hash" DROP NOT NULL,
ADD COLUMN     "generation" INTEGER;

CREATE TABLE "device_code" (
    "code_hash" TEXT NOT NULL,
    "user_code_hash" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "scopes" TEXT[],
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "interval_seconds" INTEGER NOT NULL,
    "polled_at" TIMESTAMPTZ(3),
    "user_id" TEXT,
    "decision" TEXT,

    CONSTRAINT "device_code_pkey" PRIMARY KEY ("code_hash")
);

CREATE UNIQUE INDEX "device_code_user_code_hash_key" ON "device_code"("user_code_hash");

CREATE INDEX "device_code_expires_at_idx" ON "device_code"("expires_at");
