-- What a spending limit sums up: the approved orders of a user in a currency since a time.
CREATE INDEX CONCURRENTLY "payment_order_user_id_currency_approved_at_idx" ON "payment_order"("user_id", "currency", "approved_at");
