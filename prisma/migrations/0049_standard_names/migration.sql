-- Names tables, columns, indexes, constraints and functions as the code does. Renames only: no row is rewritten.

-- Confusable skeletons (Unicode TR 39), rankings, and the state of card refreshes and probes.
ALTER TABLE "agent_look" RENAME TO "agent_skeleton";
ALTER TABLE "agent_skeleton" RENAME CONSTRAINT "agent_look_pkey" TO "agent_skeleton_pkey";
ALTER TABLE "agent_skeleton" RENAME CONSTRAINT "agent_look_agent_id_fkey" TO "agent_skeleton_agent_id_fkey";
ALTER INDEX "agent_look_name_trigrams_idx" RENAME TO "agent_skeleton_name_trigrams_idx";
ALTER INDEX "agent_look_slug_trigrams_idx" RENAME TO "agent_skeleton_slug_trigrams_idx";
ALTER TABLE "agent_standing" RENAME TO "agent_ranking";
ALTER TABLE "agent_ranking" RENAME COLUMN "rung" TO "stage";
ALTER TABLE "agent_ranking" RENAME CONSTRAINT "agent_standing_pkey" TO "agent_ranking_pkey";
ALTER TABLE "agent_ranking" RENAME CONSTRAINT "agent_standing_agent_id_fkey" TO "agent_ranking_agent_id_fkey";
ALTER INDEX "agent_standing_due_at_idx" RENAME TO "agent_ranking_due_at_idx";
ALTER TABLE "card_watch" RENAME TO "card_refresh_state";
ALTER TABLE "card_refresh_state" RENAME COLUMN "waiting_version_id" TO "pending_version_id";
ALTER TABLE "card_refresh_state" RENAME COLUMN "waiting_reasons" TO "pending_reasons";
ALTER TABLE "card_refresh_state" RENAME COLUMN "kept_out" TO "rejected_digest";
ALTER TABLE "card_refresh_state" RENAME CONSTRAINT "card_watch_pkey" TO "card_refresh_state_pkey";
ALTER TABLE "card_refresh_state" RENAME CONSTRAINT "card_watch_agent_id_fkey" TO "card_refresh_state_agent_id_fkey";
ALTER INDEX "card_watch_next_check_at_idx" RENAME TO "card_refresh_state_next_check_at_idx";
ALTER TABLE "probe_watch" RENAME TO "probe_state";
ALTER TABLE "probe_state" RENAME COLUMN "failing" TO "consecutive_failures";
ALTER TABLE "probe_state" RENAME COLUMN "told_at" TO "alerted_at";
ALTER TABLE "probe_state" RENAME COLUMN "rung" TO "stage";
ALTER TABLE "probe_state" RENAME CONSTRAINT "probe_watch_pkey" TO "probe_state_pkey";
ALTER TABLE "probe_state" RENAME CONSTRAINT "probe_watch_agent_id_fkey" TO "probe_state_agent_id_fkey";
ALTER INDEX "probe_watch_next_reach_at_idx" RENAME TO "probe_state_next_reach_at_idx";
ALTER INDEX "probe_watch_next_run_at_idx" RENAME TO "probe_state_next_run_at_idx";

-- The gateway: HTTP exchanges, compacted tasks, idempotency keys, and task ids that clients choose.
ALTER TABLE "task_wire" RENAME TO "task_http_exchange";
ALTER TABLE "task_http_exchange" RENAME CONSTRAINT "task_wire_pkey" TO "task_http_exchange_pkey";
ALTER INDEX "task_wire_at_idx" RENAME TO "task_http_exchange_at_idx";
ALTER INDEX "task_wire_task_id_at_idx" RENAME TO "task_http_exchange_task_id_at_idx";
ALTER TABLE "task_story" RENAME TO "compacted_task";
ALTER TABLE "compacted_task" RENAME CONSTRAINT "task_story_pkey" TO "compacted_task_pkey";
ALTER TABLE "send_key" RENAME TO "idempotency_key";
ALTER TABLE "idempotency_key" RENAME CONSTRAINT "send_key_pkey" TO "idempotency_key_pkey";
ALTER TABLE "task_name" RENAME TO "client_task_id";
ALTER TABLE "client_task_id" RENAME COLUMN "client_id" TO "client_task_id";
ALTER TABLE "client_task_id" RENAME CONSTRAINT "task_name_pkey" TO "client_task_id_pkey";
ALTER INDEX "task_name_task_id_idx" RENAME TO "client_task_id_task_id_idx";

-- Concurrency slots.
ALTER TABLE "limit_place" RENAME TO "limit_slot_pool";
ALTER TABLE "limit_slot_pool" RENAME COLUMN "most" TO "max";
ALTER TABLE "limit_slot_pool" RENAME CONSTRAINT "limit_place_pkey" TO "limit_slot_pool_pkey";

-- The console and the audit log.
ALTER TABLE "console_run" RENAME TO "test_run";
ALTER TABLE "test_run" RENAME CONSTRAINT "console_run_pkey" TO "test_run_pkey";
ALTER TABLE "test_run" RENAME CONSTRAINT "console_run_agent_id_fkey" TO "test_run_agent_id_fkey";
ALTER INDEX "console_run_agent_id_at_idx" RENAME TO "test_run_agent_id_at_idx";
ALTER TABLE "introspection_note" RENAME TO "introspection";
ALTER TABLE "introspection" RENAME CONSTRAINT "introspection_note_pkey" TO "introspection_pkey";
ALTER TABLE "introspection" RENAME CONSTRAINT "introspection_note_agent_id_fkey" TO "introspection_agent_id_fkey";
ALTER INDEX "introspection_note_agent_id_at_idx" RENAME TO "introspection_agent_id_at_idx";
ALTER TABLE "audit_place" RENAME TO "audit_client";
ALTER TABLE "audit_client" RENAME CONSTRAINT "audit_place_pkey" TO "audit_client_pkey";
ALTER INDEX "audit_place_subject_idx" RENAME TO "audit_client_subject_idx";

-- Notifications and links in e-mails.
ALTER TABLE "moderation_notice" RENAME TO "moderation_notification";
ALTER TABLE "moderation_notification" RENAME CONSTRAINT "moderation_notice_pkey" TO "moderation_notification_pkey";
ALTER TABLE "moderation_notification" RENAME CONSTRAINT "moderation_notice_case_id_fkey" TO "moderation_notification_case_id_fkey";
ALTER INDEX "moderation_notice_due_at_idx" RENAME TO "moderation_notification_due_at_idx";
ALTER INDEX "moderation_notice_user_id_idx" RENAME TO "moderation_notification_user_id_idx";
ALTER TABLE "notification_choice" RENAME TO "notification_preference";
ALTER TABLE "notification_preference" RENAME COLUMN "changed_at" TO "updated_at";
ALTER TABLE "notification_preference" RENAME CONSTRAINT "notification_choice_pkey" TO "notification_preference_pkey";
ALTER TABLE "notification_preference" RENAME CONSTRAINT "notification_choice_user_id_fkey" TO "notification_preference_user_id_fkey";
ALTER TABLE "mail_link" RENAME TO "magic_link";
ALTER TABLE "magic_link" RENAME CONSTRAINT "mail_link_pkey" TO "magic_link_pkey";
ALTER TABLE "magic_link" RENAME CONSTRAINT "mail_link_user_id_fkey" TO "magic_link_user_id_fkey";
ALTER INDEX "mail_link_expires_at_idx" RENAME TO "magic_link_expires_at_idx";
ALTER INDEX "mail_link_user_id_idx" RENAME TO "magic_link_user_id_idx";

-- The search index of conversations.
ALTER TABLE "conversation_indexed" RENAME TO "conversation_index_cursor";
ALTER TABLE "conversation_index_cursor" RENAME CONSTRAINT "conversation_indexed_pkey" TO "conversation_index_cursor_pkey";
ALTER TABLE "conversation_index_cursor" RENAME CONSTRAINT "conversation_indexed_conversation_id_fkey" TO "conversation_index_cursor_conversation_id_fkey";
ALTER INDEX "conversation_indexed_conversation_id_idx" RENAME TO "conversation_index_cursor_conversation_id_idx";

-- Idempotency keys of payments.
ALTER TABLE "payment_reply" RENAME TO "payment_idempotency_key";
ALTER TABLE "payment_idempotency_key" RENAME CONSTRAINT "payment_reply_pkey" TO "payment_idempotency_key_pkey";
ALTER INDEX "payment_reply_created_at_idx" RENAME TO "payment_idempotency_key_created_at_idx";

-- Columns of other tables.
ALTER TABLE "agent_version" RENAME COLUMN "called_older_at" TO "downgraded_at";
ALTER TABLE "agent_call" RENAME COLUMN "wire" TO "exchange";
ALTER TABLE "probe" RENAME COLUMN "wire" TO "exchange";
ALTER TABLE "conversation_text" RENAME COLUMN "place" TO "position";
ALTER TABLE "conversation_text" RENAME COLUMN "said_at" TO "sent_at";
ALTER TABLE "delegation" RENAME COLUMN "used_at" TO "last_used_at";
ALTER TABLE "moderation_case" RENAME COLUMN "prior" TO "prior_state";
ALTER TABLE "payment_outbox" RENAME COLUMN "done_at" TO "completed_at";
ALTER TABLE "stripe_event" RENAME COLUMN "done_at" TO "processed_at";
ALTER TABLE "push_config" RENAME COLUMN "given_up" TO "consecutive_dead_letters";
ALTER TABLE "task" RENAME COLUMN "packed" TO "compacted";

-- Other indexes, constraints and functions.
ALTER INDEX "delegation_used_at_idx" RENAME TO "delegation_last_used_at_idx";
ALTER INDEX "delegation_live_key" RENAME TO "delegation_active_key";
ALTER INDEX "moderation_case_undecided_key" RENAME TO "moderation_case_active_key";
ALTER INDEX "task_unpacked_idx" RENAME TO "task_uncompacted_idx";
ALTER INDEX "task_waiting_idx" RENAME TO "task_interrupted_idx";
ALTER INDEX "payment_order_user_id_created_at_idx" RENAME TO "payment_order_user_id_created_at_id_idx";
ALTER INDEX "payment_order_agent_id_created_at_idx" RENAME TO "payment_order_agent_id_created_at_id_idx";
ALTER TABLE "audit_entry" RENAME CONSTRAINT "audit_entry_plain" TO "audit_entry_no_control_characters";
ALTER TABLE "ledger_account" RENAME CONSTRAINT "ledger_account_covered" TO "ledger_account_not_overdrawn";
ALTER FUNCTION "audit_refuse"() RENAME TO "audit_reject_change";
ALTER FUNCTION "ledger_refuse"() RENAME TO "ledger_reject_change";

-- The body of 0013 with the new names of the table and of the entry's member `client`.
CREATE OR REPLACE FUNCTION "audit_append"("entry" JSONB) RETURNS BIGINT LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    last audit_entry%ROWTYPE;
    made audit_entry%ROWTYPE;
BEGIN
    PERFORM pg_advisory_xact_lock(72707372);
    SELECT * INTO last FROM audit_entry ORDER BY seq DESC LIMIT 1;
    made.seq := coalesce(last.seq, 0) + 1;
    made.at := (entry ->> 'at')::timestamptz(3);
    made.event := entry ->> 'event';
    made.subject := entry ->> 'subject';
    made.actor := coalesce(entry ->> 'actor', '');
    made.object := coalesce(entry ->> 'object', '');
    made.detail := coalesce(entry ->> 'detail', '');
    made.request_id := coalesce(entry ->> 'requestId', '');
    made.previous := coalesce(last.hash, repeat('0', 64));
    -- The order of the members is part of the chain: scripts/verify-audit.mjs reads it again.
    made.hash := encode(sha256(convert_to(concat_ws(E'\n',
        made.previous, made.seq, (extract(epoch FROM made.at) * 1000)::bigint, made.event, made.subject, made.actor,
        made.object, made.detail, made.request_id), 'UTF8')), 'hex');
    INSERT INTO audit_entry VALUES (made.*);
    IF entry -> 'client' IS NOT NULL THEN
        INSERT INTO audit_client VALUES
            (made.seq, made.subject, entry -> 'client' ->> 'address', entry -> 'client' ->> 'userAgent');
    END IF;
    RETURN made.seq;
END $$;
