-- People who help an agent's owner to run it.
CREATE TABLE "agent_member" (
    "id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    -- 'developer' or 'viewer'; the owner stands in "agent".
    "role" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_member_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "agent_member_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "agent_member_agent_id_user_id_key" ON "agent_member"("agent_id", "user_id");
CREATE INDEX "agent_member_user_id_idx" ON "agent_member"("user_id");

-- Invitations that wait for an answer.
CREATE TABLE "agent_invitation" (
    "id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    -- Lower case; only an account with this address can answer.
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    -- SHA-256 of the token in the link, hex.
    "token_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_invitation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "agent_invitation_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "agent_invitation_token_hash_key" ON "agent_invitation"("token_hash");
CREATE UNIQUE INDEX "agent_invitation_agent_id_email_key" ON "agent_invitation"("agent_id", "email");
