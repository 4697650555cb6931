-- Run while nodes serve, once all of them know the owner's columns. Each new key is built as an index of its own first.
DROP TRIGGER set_row_owner ON task_event;
DROP TRIGGER set_row_owner ON compacted_task;
DROP TRIGGER set_row_owner ON task_http_exchange;
DROP TRIGGER set_row_owner ON pending_cancel;
DROP TRIGGER set_row_owner ON hub_run;
DROP TRIGGER set_row_owner ON chain_task;
DROP TRIGGER set_row_owner ON chain_approval;
DROP TRIGGER set_row_owner ON conversation_branch;
DROP TRIGGER set_row_owner ON conversation_index_cursor;
DROP TRIGGER set_row_owner ON answer_feedback;

DROP TRIGGER compacted_task_counted ON compacted_task;

-- Statements that erase a conversation erase what belongs to it.
ALTER TABLE conversation_branch DROP CONSTRAINT conversation_branch_conversation_id_fkey;
ALTER TABLE conversation_text DROP CONSTRAINT conversation_text_conversation_id_fkey;
ALTER TABLE conversation_index_cursor DROP CONSTRAINT conversation_index_cursor_conversation_id_fkey;
ALTER TABLE conversation_share DROP CONSTRAINT conversation_share_conversation_id_fkey;
ALTER TABLE answer_feedback DROP CONSTRAINT answer_feedback_conversation_id_fkey;
ALTER TABLE web_push_seen DROP CONSTRAINT web_push_seen_conversation_id_fkey;

ALTER TABLE task DROP CONSTRAINT task_pkey, ADD CONSTRAINT task_pkey PRIMARY KEY (principal, id);
ALTER TABLE task_event DROP CONSTRAINT task_event_pkey, ADD CONSTRAINT task_event_pkey PRIMARY KEY (principal, task_id, seq);
ALTER TABLE compacted_task DROP CONSTRAINT compacted_task_pkey, ADD CONSTRAINT compacted_task_pkey PRIMARY KEY (principal, task_id);
ALTER TABLE task_http_exchange DROP CONSTRAINT task_http_exchange_pkey, ADD CONSTRAINT task_http_exchange_pkey PRIMARY KEY (principal, id, at);
ALTER TABLE pending_cancel DROP CONSTRAINT pending_cancel_pkey, ADD CONSTRAINT pending_cancel_pkey PRIMARY KEY (principal, task_id);
ALTER TABLE hub_run DROP CONSTRAINT hub_run_pkey, ADD CONSTRAINT hub_run_pkey PRIMARY KEY (principal, task_id);
ALTER TABLE push_config DROP CONSTRAINT push_config_pkey, ADD CONSTRAINT push_config_pkey PRIMARY KEY (principal, task_id, id);
ALTER TABLE push_dead_letter DROP CONSTRAINT push_dead_letter_pkey, ADD CONSTRAINT push_dead_letter_pkey PRIMARY KEY (principal, id);
ALTER TABLE chain DROP CONSTRAINT chain_pkey, ADD CONSTRAINT chain_pkey PRIMARY KEY (principal, root_task_id);
ALTER TABLE chain_task DROP CONSTRAINT chain_task_pkey, ADD CONSTRAINT chain_task_pkey PRIMARY KEY (principal, task_id);
ALTER TABLE chain_task DROP CONSTRAINT chain_task_request_key, ADD CONSTRAINT chain_task_request_key UNIQUE (principal, root_task_id, agent_id, request_hash);
ALTER TABLE chain_approval DROP CONSTRAINT chain_approval_pkey, ADD CONSTRAINT chain_approval_pkey PRIMARY KEY (principal, id);
ALTER TABLE chain_approval DROP CONSTRAINT chain_approval_request_key, ADD CONSTRAINT chain_approval_request_key UNIQUE (principal, root_task_id, from_agent_id, agent_id, request_hash);
ALTER TABLE agent_task_day DROP CONSTRAINT agent_task_day_pkey, ADD CONSTRAINT agent_task_day_pkey PRIMARY KEY (principal, agent_id, day);
ALTER TABLE conversation DROP CONSTRAINT conversation_pkey, ADD CONSTRAINT conversation_pkey PRIMARY KEY (user_id, id);
ALTER TABLE conversation_branch DROP CONSTRAINT conversation_branch_pkey, ADD CONSTRAINT conversation_branch_pkey PRIMARY KEY (user_id, conversation_id, context_id);
ALTER TABLE conversation_text DROP CONSTRAINT conversation_text_pkey, ADD CONSTRAINT conversation_text_pkey PRIMARY KEY (user_id, task_id, position);
ALTER TABLE conversation_index_cursor DROP CONSTRAINT conversation_index_cursor_pkey, ADD CONSTRAINT conversation_index_cursor_pkey PRIMARY KEY (user_id, task_id);
ALTER TABLE conversation_share DROP CONSTRAINT conversation_share_pkey, ADD CONSTRAINT conversation_share_pkey PRIMARY KEY (user_id, id);
ALTER TABLE answer_feedback DROP CONSTRAINT answer_feedback_pkey, ADD CONSTRAINT answer_feedback_pkey PRIMARY KEY (user_id, task_id, seq);
