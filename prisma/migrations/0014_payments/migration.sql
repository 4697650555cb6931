-- Buying from agents: what was offered, approved, charged and delivered (docs/payments.md). Amounts are integer minor units.

-- One offer of an agent to one person, and what became of it.
CREATE TABLE "payment_order" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    -- Where it stands: the same part, sent again, is the same offer.
    "task_id" UUID NOT NULL,
    "context_id" UUID NOT NULL,
    "source_kind" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "source_part" INTEGER NOT NULL,
    -- What the agent sent, as it was sent; hashes are taken from this.
    "cart_text" TEXT NOT NULL,
    "cart_hash" TEXT NOT NULL,
    "cart_id" TEXT,
    -- Of the signature, null while there is none that counts.
    "issuer" TEXT,
    "jti" TEXT,
    -- The merchant's signed checkout of AP2 0.2, null for carts of 0.1.
    "checkout_jwt" TEXT,
    -- The offer as it was read (lib/payments/schema.ts), null when it could not be.
    "offer" JSONB,
    -- What became of C1 to C14 when it came (CheckView).
    "checks" JSONB NOT NULL DEFAULT '[]',
    "amount" BIGINT NOT NULL DEFAULT 0,
    "currency" TEXT NOT NULL DEFAULT '',
    "expires_at" TIMESTAMPTZ(3),
    "state" TEXT NOT NULL,
    -- Why it is rejected, refused, canceled or declined.
    "code" TEXT,
    "version" INTEGER NOT NULL DEFAULT 0,
    -- 'wallet' or 'card', from the approval on; 'test' orders never move real money.
    "method" TEXT,
    "test" BOOLEAN NOT NULL DEFAULT false,
    "fee" BIGINT NOT NULL DEFAULT 0,
    "authorized" BIGINT NOT NULL DEFAULT 0,
    "captured" BIGINT NOT NULL DEFAULT 0,
    "refunded" BIGINT NOT NULL DEFAULT 0,
    -- The hold lapses then.
    "capture_before" TIMESTAMPTZ(3),
    -- Objects of the card processor: the page where the person pays, and the payment itself.
    "session_id" TEXT,
    "payment_id" TEXT,
    -- Where the person pays, while they must go there.
    "redirect_url" TEXT,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    -- The merchant's own number of the order.
    "merchant_order_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_order_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "payment_order_amounts" CHECK (
        amount >= 0 AND authorized <= amount AND captured <= authorized AND refunded <= captured AND refunded >= 0
    )
);

CREATE UNIQUE INDEX "payment_order_source_key"
    ON "payment_order"("user_id", "agent_id", "task_id", "source_kind", "source_id", "source_part", "cart_hash");
-- One order at a time for the same cart.
CREATE UNIQUE INDEX "payment_order_active_key" ON "payment_order"("user_id", "agent_id", "cart_hash")
    WHERE "state" IN ('verified', 'awaiting_approval', 'approved', 'payment_pending', 'action_required', 'authorized',
                      'mandate_delivered', 'merchant_confirmed');
-- A signed cart counts once.
CREATE UNIQUE INDEX "payment_order_jti_key" ON "payment_order"("agent_id", "jti")
    WHERE "jti" IS NOT NULL AND "state" <> 'rejected';
CREATE UNIQUE INDEX "payment_order_session_id_key" ON "payment_order"("session_id");
CREATE UNIQUE INDEX "payment_order_payment_id_key" ON "payment_order"("payment_id");
CREATE INDEX "payment_order_user_id_created_at_idx" ON "payment_order"("user_id", "created_at" DESC, "id");
CREATE INDEX "payment_order_agent_id_created_at_idx" ON "payment_order"("agent_id", "created_at" DESC, "id");
CREATE INDEX "payment_order_task_id_idx" ON "payment_order"("task_id");
CREATE INDEX "payment_order_state_updated_at_idx" ON "payment_order"("state", "updated_at");

-- Every step of an order, for whoever must prove what happened.
CREATE TABLE "payment_order_step" (
    "order_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "code" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_order_step_pkey" PRIMARY KEY ("order_id", "version"),
    CONSTRAINT "payment_order_step_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "payment_order"("id")
);

-- What is still to be done outside of the database: written with the step that asks for it, done by whoever claims it.
CREATE TABLE "payment_outbox" (
    "id" BIGINT GENERATED ALWAYS AS IDENTITY,
    -- What it is for: an order or a top-up.
    "order_id" TEXT,
    "top_up_id" TEXT,
    "kind" TEXT NOT NULL,
    "payload" JSONB NOT NULL DEFAULT '{}',
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "done_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_outbox_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "payment_outbox_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "payment_order"("id"),
    CONSTRAINT "payment_outbox_subject" CHECK (num_nonnulls("order_id", "top_up_id") = 1)
);

CREATE INDEX "payment_outbox_due_at_idx" ON "payment_outbox"("due_at") WHERE "done_at" IS NULL;
CREATE INDEX "payment_outbox_order_id_idx" ON "payment_outbox"("order_id");

-- What a person approved, word for word, and how they proved it.
CREATE TABLE "payment_approval" (
    "id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    -- The canonical text (RFC 8785) that was shown and approved; the challenge is its SHA-256.
    "text" TEXT NOT NULL,
    -- 'passkey' or 'session'.
    "method" TEXT NOT NULL,
    -- Session or access token it was done under.
    "credential_id" TEXT NOT NULL,
    -- The passkey and what it signed, when there was one.
    "assertion" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_approval_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "payment_approval_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "payment_order"("id")
);

CREATE UNIQUE INDEX "payment_approval_used_key" ON "payment_approval"("order_id") WHERE "used_at" IS NOT NULL;
CREATE INDEX "payment_approval_order_id_idx" ON "payment_approval"("order_id");

-- Replies to approvals by Idempotency-Key, kept for a day.
CREATE TABLE "payment_reply" (
    "user_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_reply_pkey" PRIMARY KEY ("user_id", "key")
);

CREATE INDEX "payment_reply_created_at_idx" ON "payment_reply"("created_at");

-- Mandates that Parley signed, as they were sent. The id is the jti.
CREATE TABLE "payment_mandate" (
    "id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    -- 'payment-0.1', 'checkout-0.2' or 'payment-0.2'.
    "kind" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    -- What a receipt may refer to it by: over the whole token, and over its JWT alone.
    "reference" TEXT NOT NULL,
    "leaf_reference" TEXT NOT NULL,
    -- The data of the part in which it was sent; kept with the payment's mandate.
    "data" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    -- When the merchant claimed it; once.
    "claimed_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_mandate_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "payment_mandate_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "payment_order"("id")
);

CREATE UNIQUE INDEX "payment_mandate_order_id_kind_key" ON "payment_mandate"("order_id", "kind");
CREATE UNIQUE INDEX "payment_mandate_reference_key" ON "payment_mandate"("reference");
CREATE UNIQUE INDEX "payment_mandate_leaf_reference_key" ON "payment_mandate"("leaf_reference");

-- Receipts of merchants and of Parley, as they were sent.
CREATE TABLE "payment_receipt" (
    "id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    -- 'merchant' (confirms the order), 'parley' (confirms the payment) or 'refund'.
    "kind" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_receipt_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "payment_receipt_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "payment_order"("id")
);

CREATE INDEX "payment_receipt_order_id_idx" ON "payment_receipt"("order_id");

CREATE TABLE "payment_refund" (
    "id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "amount" BIGINT NOT NULL CHECK ("amount" > 0),
    "reason" TEXT NOT NULL,
    -- 'requested', 'approved', 'refused', 'paid' or 'failed'.
    "state" TEXT NOT NULL,
    "payment_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_refund_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "payment_refund_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "payment_order"("id")
);

CREATE UNIQUE INDEX "payment_refund_open_key" ON "payment_refund"("order_id") WHERE "state" IN ('requested', 'approved');
CREATE INDEX "payment_refund_order_id_idx" ON "payment_refund"("order_id");

-- How a listing sells: who signs its carts, and by which keys.
CREATE TABLE "merchant" (
    "agent_id" TEXT NOT NULL,
    -- 'own' keys, or 'platform': Parley signs for it.
    "signing" TEXT NOT NULL,
    -- What `iss` of its signatures must say.
    "issuer" TEXT NOT NULL,
    -- Where its keys are fetched; null when they were given.
    "jwks_url" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merchant_pkey" PRIMARY KEY ("agent_id")
);

CREATE TABLE "merchant_key" (
    "agent_id" TEXT NOT NULL,
    "kid" TEXT NOT NULL,
    "jwk" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    -- Counts no longer from then on.
    "retires_at" TIMESTAMPTZ(3),

    CONSTRAINT "merchant_key_pkey" PRIMARY KEY ("agent_id", "kid"),
    CONSTRAINT "merchant_key_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "merchant"("agent_id") ON DELETE CASCADE
);

CREATE TABLE "payment_setting" (
    "user_id" TEXT NOT NULL,
    -- Above this a passkey is asked for; null for never.
    "passkey_above" BIGINT,

    CONSTRAINT "payment_setting_pkey" PRIMARY KEY ("user_id")
);

-- The ledger. Every transaction moves money between accounts and adds up to zero, for each currency.
CREATE TABLE "ledger_account" (
    "id" TEXT NOT NULL,
    -- 'wallet', 'held', 'merchant', 'fees', 'outside'.
    "kind" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "test" BOOLEAN NOT NULL,
    "balance" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "ledger_account_pkey" PRIMARY KEY ("id"),
    -- What people own never falls below zero; what is outside of Parley may.
    CONSTRAINT "ledger_account_covered" CHECK ("balance" >= 0 OR "kind" IN ('outside', 'merchant'))
);

CREATE UNIQUE INDEX "ledger_account_key" ON "ledger_account"("kind", "owner", "currency", "test");

CREATE TABLE "ledger_transaction" (
    "id" TEXT NOT NULL,
    -- What it is for, once: `order:<id>:hold`, `topup:<id>`.
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "order_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_transaction_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "ledger_transaction_key_key" ON "ledger_transaction"("key");
CREATE INDEX "ledger_transaction_order_id_idx" ON "ledger_transaction"("order_id");

CREATE TABLE "ledger_entry" (
    "transaction_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "amount" BIGINT NOT NULL CHECK ("amount" <> 0),

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("transaction_id", "account_id"),
    CONSTRAINT "ledger_entry_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "ledger_transaction"("id"),
    CONSTRAINT "ledger_entry_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "ledger_account"("id")
);

CREATE INDEX "ledger_entry_account_id_idx" ON "ledger_entry"("account_id");

CREATE FUNCTION "ledger_balanced"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
               WHERE e.transaction_id = NEW.transaction_id GROUP BY a.currency, a.test HAVING sum(e.amount) <> 0) THEN
        RAISE EXCEPTION 'ledger transaction % does not add up to zero', NEW.transaction_id;
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "ledger_entry_balanced" AFTER INSERT ON "ledger_entry"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "ledger_balanced"();

CREATE FUNCTION "ledger_refuse"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER "ledger_entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "ledger_refuse"();
CREATE TRIGGER "ledger_transaction_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_transaction"
    FOR EACH STATEMENT EXECUTE FUNCTION "ledger_refuse"();

-- Money that a person puts into their wallet.
CREATE TABLE "wallet_top_up" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "amount" BIGINT NOT NULL CHECK ("amount" > 0),
    "currency" TEXT NOT NULL,
    "test" BOOLEAN NOT NULL,
    -- 'pending', 'paid' or 'expired'.
    "state" TEXT NOT NULL,
    "session_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "wallet_top_up_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "wallet_top_up_session_id_key" ON "wallet_top_up"("session_id");
CREATE INDEX "wallet_top_up_user_id_created_at_idx" ON "wallet_top_up"("user_id", "created_at" DESC);

-- Notices of the card processor: each counts once.
CREATE TABLE "stripe_event" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "done_at" TIMESTAMPTZ(3),

    CONSTRAINT "stripe_event_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "stripe_event_received_at_idx" ON "stripe_event"("received_at") WHERE "done_at" IS NULL;
