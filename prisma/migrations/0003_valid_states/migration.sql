-- The rows from before 0002_states. Reads and writes continue.
ALTER TABLE agent VALIDATE CONSTRAINT agent_visibility_check;
ALTER TABLE agent VALIDATE CONSTRAINT agent_status_check;
ALTER TABLE hub_run VALIDATE CONSTRAINT hub_run_state_check;
ALTER TABLE moderation_case VALIDATE CONSTRAINT moderation_case_state_check;
ALTER TABLE moderation_step VALIDATE CONSTRAINT moderation_step_state_check;
ALTER TABLE payment_order VALIDATE CONSTRAINT payment_order_state_check;
ALTER TABLE payment_order_step VALIDATE CONSTRAINT payment_order_step_state_check;
ALTER TABLE payment_refund VALIDATE CONSTRAINT payment_refund_state_check;
ALTER TABLE task VALIDATE CONSTRAINT task_state_check;
ALTER TABLE wallet_top_up VALIDATE CONSTRAINT wallet_top_up_state_check;
