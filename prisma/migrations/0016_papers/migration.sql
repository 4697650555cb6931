-- expand: tax rates, details for invoices, and invoices with credit notes. Older releases do not read or write these
-- tables. Only a node of this release posts to the ledger account "tax".
CREATE TABLE "tax_rate" (
    "id" TEXT NOT NULL,
    "country" TEXT NOT NULL,
    "sale_kind" TEXT NOT NULL,
    "basis_points" INTEGER NOT NULL,
    "effective_from" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tax_rate_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "tax_rate_sale_kind_check" CHECK ("sale_kind" IN ('order', 'charge')),
    CONSTRAINT "tax_rate_basis_points_check" CHECK ("basis_points" BETWEEN 0 AND 10000)
);

CREATE INDEX "tax_rate_country_effective_from_idx" ON "tax_rate"("country", "effective_from");

CREATE TABLE "billing_party" (
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "details" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "billing_party_pkey" PRIMARY KEY ("user_id", "role"),
    CONSTRAINT "billing_party_role_check" CHECK ("role" IN ('buyer', 'seller'))
);

-- The last number of each series. Its row is locked by the transaction that inserts the papers, so a series has no gap.
CREATE TABLE "paper_counter" (
    "issuer" TEXT NOT NULL,
    "year" INTEGER NOT NULL,
    "test" BOOLEAN NOT NULL,
    "kind" TEXT NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "paper_counter_pkey" PRIMARY KEY ("issuer", "year", "test", "kind")
);

CREATE TABLE "paper" (
    "id" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "year" INTEGER NOT NULL,
    "test" BOOLEAN NOT NULL,
    "number" INTEGER NOT NULL,
    "sale_kind" TEXT NOT NULL,
    "sale_id" TEXT NOT NULL,
    "seller_id" TEXT NOT NULL,
    "buyer_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "gross" BIGINT NOT NULL,
    "tax" BIGINT NOT NULL,
    "content" JSONB NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "paper_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "paper_kind_check" CHECK ("kind" IN ('invoice', 'credit_note')),
    CONSTRAINT "paper_amounts" CHECK ("gross" > 0 AND "tax" BETWEEN 0 AND "gross" AND "number" > 0)
);

CREATE UNIQUE INDEX "paper_transaction_id_key" ON "paper"("transaction_id");
CREATE UNIQUE INDEX "paper_number_key" ON "paper"("issuer", "year", "test", "kind", "number");
CREATE INDEX "paper_sale_id_idx" ON "paper"("sale_id");
CREATE INDEX "paper_seller_id_issued_at_id_idx" ON "paper"("seller_id", "issued_at" DESC, "id");
CREATE INDEX "paper_buyer_id_issued_at_id_idx" ON "paper"("buyer_id", "issued_at" DESC, "id");
