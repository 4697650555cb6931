-- AlterTable
ALTER TABLE "agent" ADD COLUMN     "call_limits" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "agent_credential" (
    "agent_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "set_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_credential_pkey" PRIMARY KEY ("agent_id")
);

-- AddForeignKey
ALTER TABLE "agent_credential" ADD CONSTRAINT "agent_credential_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE;
