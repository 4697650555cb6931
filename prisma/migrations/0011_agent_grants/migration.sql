CREATE TABLE "agent_grant" (
    "user_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_grant_pkey" PRIMARY KEY ("user_id","agent_id")
);

CREATE TABLE "delegation" (
    "id" TEXT NOT NULL,
    "parent_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "secret_id" TEXT NOT NULL,
    "scopes" TEXT[],
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "delegation_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "delegation_parent_id_agent_id_secret_id_scopes_key" ON "delegation"("parent_id", "agent_id", "secret_id", "scopes");

CREATE INDEX "delegation_used_at_idx" ON "delegation"("used_at");
