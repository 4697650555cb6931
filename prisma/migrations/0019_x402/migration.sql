-- expand: payments of callers without an account by x402. Older releases neither read nor write this table, and serve no
-- such callers.
CREATE TABLE "x402_payment" (
    "id" TEXT NOT NULL,
    "quote_id" TEXT NOT NULL,
    "authorization_hash" TEXT NOT NULL,
    "principal" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "plan" JSONB NOT NULL,
    "currency" TEXT NOT NULL,
    "test" BOOLEAN NOT NULL,
    "amount" BIGINT NOT NULL,
    "network" TEXT NOT NULL,
    "payer" TEXT NOT NULL,
    "requirements" JSONB NOT NULL,
    "payload" JSONB,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "settlement" TEXT,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "x402_payment_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "x402_payment_state_check" CHECK ("state" IN ('verified', 'settling', 'settled', 'failed', 'unclear')),
    CONSTRAINT "x402_payment_amount" CHECK ("amount" > 0)
);

-- One payment for each answer 402, one use of each authorization, and one payment for each transfer.
CREATE UNIQUE INDEX "x402_payment_quote_id_key" ON "x402_payment"("quote_id");
CREATE UNIQUE INDEX "x402_payment_authorization_hash_key" ON "x402_payment"("authorization_hash");
CREATE UNIQUE INDEX "x402_payment_network_settlement_key" ON "x402_payment"("network", "settlement");
CREATE INDEX "x402_payment_principal_idx" ON "x402_payment"("principal");
CREATE INDEX "x402_payment_lease_until_idx" ON "x402_payment"("lease_until") WHERE "state" = 'settling';
CREATE INDEX "x402_payment_unclear_idx" ON "x402_payment"("created_at") WHERE "state" = 'unclear';
