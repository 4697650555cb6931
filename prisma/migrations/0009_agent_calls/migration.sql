-- The log of an agent's calls takes the place of the list of its failures.
CREATE TABLE "agent_call" (
    "id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "ms" INTEGER NOT NULL,
    "method" TEXT NOT NULL,
    "dialect" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "code" TEXT,
    "message" TEXT,
    "wire" JSON,

    CONSTRAINT "agent_call_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "agent_call_agent_id_at_idx" ON "agent_call"("agent_id", "at");
CREATE INDEX "agent_call_at_idx" ON "agent_call"("at");

INSERT INTO "agent_call" ("id", "agent_id", "at", "ms", "method", "dialect", "request_id", "code", "message")
SELECT "id", "agent_id", "at", 0, '', '', "request_id", "code", "message" FROM "call_error";

DROP TABLE "call_error";
