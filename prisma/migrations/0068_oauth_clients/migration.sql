-- Where users return to from the authorization page of a developer app.
ALTER TABLE "app" ADD COLUMN "redirect_uris" TEXT[] NOT NULL DEFAULT '{}';

-- OAuth clients that a moderator blocked.
CREATE TABLE "blocked_client" (
    "id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "blocked_client_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "blocked_client_client_id_key" ON "blocked_client"("client_id");
CREATE INDEX "blocked_client_created_at_idx" ON "blocked_client"("created_at");
