-- Tasks whose agent waits until somebody has signed in elsewhere: looked for every few seconds.
CREATE INDEX "task_auth_required_idx" ON "task"("state_at") WHERE "state" = 'auth-required' AND "run_node" IS NULL;
