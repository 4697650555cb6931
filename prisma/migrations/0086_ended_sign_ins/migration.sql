-- The connected app of sign-ins that were removed: payments in their tasks count toward the app's spending limits.
CREATE TABLE "ended_sign_in" (
    "credential_id" TEXT NOT NULL,
    "connection_id" TEXT NOT NULL,

    CONSTRAINT "ended_sign_in_pkey" PRIMARY KEY ("credential_id")
);
CREATE INDEX "ended_sign_in_connection_id_idx" ON "ended_sign_in"("connection_id");
ALTER TABLE "ended_sign_in" ADD CONSTRAINT "ended_sign_in_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connection"("id") ON DELETE CASCADE ON UPDATE CASCADE;
