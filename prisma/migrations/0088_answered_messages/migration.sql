-- expand: older releases leave both columns null, and the unique index has no row of theirs.
-- The message to the agent that an offer answers, and who wrote it; null for offers from before it was stored.
ALTER TABLE "payment_order" ADD COLUMN "answered_origin" TEXT, ADD COLUMN "answered_message" TEXT;
