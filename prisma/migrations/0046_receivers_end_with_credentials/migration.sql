-- What a credential created ends with it. Push receivers of before have no credential and end with their principal.
ALTER TABLE "push_config" ADD COLUMN "credential_id" TEXT;
CREATE INDEX "push_config_credential_id_idx" ON "push_config"("credential_id");
CREATE INDEX "push_config_principal_created_at_idx" ON "push_config"("principal", "created_at" DESC);
-- The session in which a person decided about a device; a code that was approved in it is worth nothing once it has ended.
ALTER TABLE "device_code" ADD COLUMN "session_id" TEXT;
-- A delegation ends for good when its grant does: granting again starts another. Of those that have ended any number may say the same.
ALTER TABLE "delegation" ADD COLUMN "principal" TEXT, ADD COLUMN "ended_at" TIMESTAMPTZ(3);
DROP INDEX "delegation_parent_id_agent_id_secret_id_scopes_key";
CREATE UNIQUE INDEX "delegation_live_key" ON "delegation"("parent_id", "agent_id", "secret_id", "scopes") WHERE "ended_at" IS NULL;
CREATE INDEX "delegation_principal_agent_id_idx" ON "delegation"("principal", "agent_id");
