-- Run in batches after the migration and before the node that applied it serves.
UPDATE task_event r SET principal = t.principal FROM task t WHERE t.id = r.task_id AND r.principal = '';
UPDATE compacted_task r SET principal = t.principal FROM task t WHERE t.id = r.task_id AND r.principal = '';
UPDATE task_http_exchange r SET principal = t.principal FROM task t WHERE t.id = r.task_id AND r.principal = '';
UPDATE pending_cancel r SET principal = t.principal FROM task t WHERE t.id = r.task_id AND r.principal = '';
UPDATE hub_run r SET principal = t.principal FROM task t WHERE t.id = r.task_id AND r.principal = '';
UPDATE chain_task r SET principal = c.principal FROM chain c WHERE c.root_task_id = r.root_task_id AND r.principal = '';
UPDATE chain_approval r SET principal = c.principal FROM chain c WHERE c.root_task_id = r.root_task_id AND r.principal = '';
UPDATE conversation_branch r SET user_id = c.user_id FROM conversation c WHERE c.id = r.conversation_id AND r.user_id = '';
UPDATE conversation_index_cursor r SET user_id = c.user_id FROM conversation c WHERE c.id = r.conversation_id AND r.user_id = '';
UPDATE answer_feedback r SET user_id = c.user_id FROM conversation c WHERE c.id = r.conversation_id AND r.user_id = '';
