-- Whether an agent's owner holds the host that it runs on.
CREATE TABLE "agent_ownership" (
    "agent_id" TEXT NOT NULL,
    -- How it was proved last: 'dns' or 'file'.
    "method" TEXT NOT NULL,
    "proved_at" TIMESTAMPTZ(3) NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "next_check_at" TIMESTAMPTZ(3) NOT NULL,
    -- Since when the proof is not found any more.
    "missing_since" TIMESTAMPTZ(3),

    CONSTRAINT "agent_ownership_pkey" PRIMARY KEY ("agent_id"),
    CONSTRAINT "agent_ownership_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "agent_ownership_next_check_at_idx" ON "agent_ownership"("next_check_at");
