-- expand: devices that receive Web Push messages, their settings, and the messages to send
CREATE TABLE "web_push_device" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "endpoint_hash" TEXT NOT NULL,
    "subscription" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_sent_at" TIMESTAMPTZ(3),
    CONSTRAINT "web_push_device_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "web_push_device_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "web_push_device_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "session"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "web_push_device_session_id_key" ON "web_push_device"("session_id");
CREATE UNIQUE INDEX "web_push_device_endpoint_hash_key" ON "web_push_device"("endpoint_hash");
CREATE INDEX "web_push_device_user_id_idx" ON "web_push_device"("user_id");

CREATE TABLE "web_push_delivery" (
    "device_id" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "conversation_id" TEXT,
    "agent_id" TEXT NOT NULL,
    "task_id" UUID,
    "order_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "finished_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    CONSTRAINT "web_push_delivery_pkey" PRIMARY KEY ("device_id", "event"),
    CONSTRAINT "web_push_delivery_kind_check" CHECK ("kind" IN ('question', 'finished', 'cart', 'approval', 'payment')),
    CONSTRAINT "web_push_delivery_outcome_check" CHECK ("outcome" IN ('sent', 'unwanted', 'seen', 'outdated', 'failed')),
    CONSTRAINT "web_push_delivery_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "web_push_device"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "web_push_delivery_due_at_idx" ON "web_push_delivery"("due_at") WHERE "finished_at" IS NULL;
CREATE INDEX "web_push_delivery_finished_at_idx" ON "web_push_delivery"("finished_at") WHERE "finished_at" IS NOT NULL;

CREATE TABLE "web_push_setting" (
    "user_id" TEXT NOT NULL,
    "muted_kinds" TEXT[],
    "quiet_from" INTEGER,
    "quiet_until" INTEGER,
    "time_zone" TEXT NOT NULL,
    "shows_content" BOOLEAN NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "web_push_setting_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "web_push_setting_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "web_push_seen" (
    "user_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "web_push_seen_pkey" PRIMARY KEY ("user_id", "conversation_id"),
    CONSTRAINT "web_push_seen_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "web_push_seen_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversation"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "web_push_seen_conversation_id_idx" ON "web_push_seen"("conversation_id");

CREATE TABLE "web_push_sweep" (
    "id" INTEGER NOT NULL,
    "swept_until" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "web_push_sweep_pkey" PRIMARY KEY ("id")
);
INSERT INTO "web_push_sweep" ("id", "swept_until") VALUES (1, '1970-01-01T00:00:00Z');
