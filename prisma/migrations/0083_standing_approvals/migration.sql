-- Approvals of future carts of one merchant (AP2 0.2, open mandates), signed with a passkey.
CREATE TABLE "standing_approval" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "checkout" TEXT,
    "payment" TEXT,
    "credential_id" TEXT NOT NULL,
    "assertion" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "signed_at" TIMESTAMPTZ(3),
    "paused_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "standing_approval_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "standing_approval_user_id_agent_id_idx" ON "standing_approval"("user_id", "agent_id");

ALTER TABLE "payment_order" ADD COLUMN "standing_id" TEXT, ADD COLUMN "standing_failure" TEXT;

-- Since when no standing approval of the user pays.
ALTER TABLE "payment_setting" ADD COLUMN "stopped_at" TIMESTAMPTZ(3);
