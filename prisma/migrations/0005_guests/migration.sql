-- expand: visitors without an account, and their messages of the last day
CREATE TABLE "guest" (
    "id" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "browser_hash" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "proof_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "guest_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "guest_token_hash_key" ON "guest"("token_hash");
CREATE UNIQUE INDEX "guest_proof_id_key" ON "guest"("proof_id");
CREATE INDEX "guest_expires_at_idx" ON "guest"("expires_at");

CREATE TABLE "guest_turn" (
    "guest_id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "guest_turn_pkey" PRIMARY KEY ("guest_id", "message_id")
);
CREATE INDEX "guest_turn_agent_id_at_idx" ON "guest_turn"("agent_id", "at");
CREATE INDEX "guest_turn_network_at_idx" ON "guest_turn"("network", "at");
CREATE INDEX "guest_turn_at_idx" ON "guest_turn"("at");
