-- Passkeys by which a person confirms what is dear to them (WebAuthn Level 3).
CREATE TABLE "passkey" (
    -- The credential id that the authenticator chose, base64url.
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkey_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "passkey_user_id_idx" ON "passkey"("user_id");

-- What was asked of an authenticator and is not answered yet; each counts once.
CREATE TABLE "passkey_challenge" (
    "challenge" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    -- 'enroll', or the approval that it is for.
    "purpose" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "passkey_challenge_pkey" PRIMARY KEY ("challenge")
);

CREATE INDEX "passkey_challenge_expires_at_idx" ON "passkey_challenge"("expires_at");
