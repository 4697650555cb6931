-- The money of a seller that is in reserve; usually little.
CREATE INDEX CONCURRENTLY "earning_reserved_idx" ON "earning"("seller_id") WHERE "reserved" > 0;
