-- The orders that a standing approval paid.
CREATE INDEX CONCURRENTLY "payment_order_standing_id_idx" ON "payment_order"("standing_id");
