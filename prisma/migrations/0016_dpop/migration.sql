-- Proofs of possession (RFC 9449) that were used: each counts once, on all nodes.
CREATE TABLE "dpop_proof" (
    "id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dpop_proof_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "dpop_proof_expires_at_idx" ON "dpop_proof"("expires_at");
