-- expand: releases since 0.2.0 write only these states.
-- Every order has the time of its approval; release 0.1.0 stored it since its migration 0082 only.
UPDATE payment_order o SET approved_at = s.at FROM payment_order_step s
WHERE s.order_id = o.id AND s.state = 'approved' AND o.approved_at IS NULL;

ALTER TABLE agent ADD CONSTRAINT agent_visibility_check CHECK (visibility IN ('public', 'unlisted', 'private')) NOT VALID;
ALTER TABLE agent ADD CONSTRAINT agent_status_check
CHECK (status IN ('active', 'deprecated', 'suspended', 'withdrawn')) NOT VALID;
ALTER TABLE hub_run ADD CONSTRAINT hub_run_state_check CHECK (state IN ('waiting', 'offered', 'accepted')) NOT VALID;
ALTER TABLE moderation_case ADD CONSTRAINT moderation_case_state_check
CHECK (state IN ('open', 'dismissed', 'removed', 'appealed', 'restored', 'upheld')) NOT VALID;
ALTER TABLE moderation_step ADD CONSTRAINT moderation_step_state_check
CHECK (state IN ('open', 'dismissed', 'removed', 'appealed', 'restored', 'upheld')) NOT VALID;
ALTER TABLE payment_order ADD CONSTRAINT payment_order_state_check CHECK (state IN (
  'rejected', 'verified', 'awaiting_approval', 'superseded', 'expired', 'canceled', 'approved',
  'payment_pending', 'action_required', 'declined', 'authorized', 'mandate_delivered', 'merchant_rejected',
  'delivery_timeout', 'merchant_confirmed', 'captured', 'partially_refunded', 'refunded'
)) NOT VALID;
ALTER TABLE payment_order_step ADD CONSTRAINT payment_order_step_state_check CHECK (state IN (
  'rejected', 'verified', 'awaiting_approval', 'superseded', 'expired', 'canceled', 'approved',
  'payment_pending', 'action_required', 'declined', 'authorized', 'mandate_delivered', 'merchant_rejected',
  'delivery_timeout', 'merchant_confirmed', 'captured', 'partially_refunded', 'refunded'
)) NOT VALID;
ALTER TABLE payment_refund ADD CONSTRAINT payment_refund_state_check
CHECK (state IN ('requested', 'approved', 'refused', 'paid', 'failed')) NOT VALID;
ALTER TABLE task ADD CONSTRAINT task_state_check CHECK (state IN (
  'submitted', 'working', 'input-required', 'auth-required', 'completed', 'failed', 'canceled', 'rejected'
)) NOT VALID;
ALTER TABLE wallet_top_up ADD CONSTRAINT wallet_top_up_state_check
CHECK (state IN ('pending', 'paid', 'expired')) NOT VALID;
