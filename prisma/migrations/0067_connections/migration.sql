-- Connected apps: a user's consent for an OAuth client at one resource. Their token families are rows of access_token.
CREATE TABLE "connection" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_hash" TEXT NOT NULL,
    "client_kind" TEXT NOT NULL,
    "client_name" TEXT NOT NULL,
    "client_host" TEXT,
    "resource" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "connection_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "connection_user_id_idx" ON "connection"("user_id");
CREATE INDEX "connection_client_hash_idx" ON "connection"("client_hash");
CREATE UNIQUE INDEX "connection_active_key" ON "connection"("user_id", "client_hash", "resource") WHERE "revoked_at" IS NULL;
ALTER TABLE "connection" ADD CONSTRAINT "connection_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "authorization_code" (
    "code_hash" TEXT NOT NULL,
    "connection_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "code_challenge" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "token_id" TEXT,

    CONSTRAINT "authorization_code_pkey" PRIMARY KEY ("code_hash")
);

CREATE INDEX "authorization_code_connection_id_idx" ON "authorization_code"("connection_id");
CREATE INDEX "authorization_code_expires_at_idx" ON "authorization_code"("expires_at");
ALTER TABLE "authorization_code" ADD CONSTRAINT "authorization_code_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "access_token" ADD COLUMN "connection_id" TEXT;
ALTER TABLE "access_token" ADD COLUMN "renewed_at" TIMESTAMPTZ(3);
CREATE INDEX "access_token_connection_id_idx" ON "access_token"("connection_id");
ALTER TABLE "access_token" ADD CONSTRAINT "access_token_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connection"("id") ON DELETE CASCADE ON UPDATE CASCADE;
