-- baseline: 0.2.0
-- The schema after all migrations of release 0.1.0. A database of that release adopts it (scripts/baseline.mjs).

CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE access_token (
  id text NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  token_hash text,
  scopes text[],
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  generation integer,
  connection_id text,
  renewed_at timestamptz(3),
  CONSTRAINT access_token_pkey PRIMARY KEY (id)
);

CREATE TABLE account (
  id text NOT NULL,
  user_id text NOT NULL,
  provider text NOT NULL,
  provider_account_id text NOT NULL,
  CONSTRAINT account_pkey PRIMARY KEY (id)
);

CREATE TABLE agent (
  id text NOT NULL,
  slug text NOT NULL,
  owner_id text NOT NULL,
  app_id text,
  url text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  version text NOT NULL,
  tags text[],
  badges text[],
  visibility text NOT NULL,
  status text DEFAULT 'active' NOT NULL,
  ever_public boolean DEFAULT false NOT NULL,
  current_version_id text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  call_limits jsonb DEFAULT '{}' NOT NULL,
  icon_digest text,
  notice jsonb,
  holds_cards boolean DEFAULT false NOT NULL,
  prices jsonb DEFAULT '[]' NOT NULL,
  CONSTRAINT agent_pkey PRIMARY KEY (id)
);

CREATE TABLE agent_call (
  id text NOT NULL,
  agent_id text NOT NULL,
  at timestamptz(3) NOT NULL,
  ms integer NOT NULL,
  method text NOT NULL,
  dialect text NOT NULL,
  request_id text NOT NULL,
  code text,
  message text,
  exchange json,
  caller text DEFAULT '' NOT NULL,
  task_id text DEFAULT '' NOT NULL,
  CONSTRAINT agent_call_pkey PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);

CREATE TABLE agent_call_hour (
  agent_id text NOT NULL,
  hour timestamptz(3) NOT NULL,
  bucket integer NOT NULL,
  calls integer NOT NULL,
  missing integer DEFAULT 0 NOT NULL,
  CONSTRAINT agent_call_hour_pkey PRIMARY KEY (agent_id, hour, bucket)
);

CREATE TABLE agent_caller_hour (
  agent_id text NOT NULL,
  hour timestamptz(3) NOT NULL,
  caller text NOT NULL,
  CONSTRAINT agent_caller_hour_pkey PRIMARY KEY (agent_id, hour, caller)
);

CREATE TABLE agent_credential (
  agent_id text NOT NULL,
  kind text NOT NULL,
  sealed text NOT NULL,
  set_at timestamptz(3) NOT NULL,
  CONSTRAINT agent_credential_pkey PRIMARY KEY (agent_id)
);

CREATE TABLE agent_embedding (
  model smallint NOT NULL,
  agent_id text NOT NULL,
  part smallint NOT NULL,
  source_hash bytea NOT NULL,
  packed bytea NOT NULL,
  vec real[] NOT NULL,
  CONSTRAINT agent_embedding_pkey PRIMARY KEY (model, agent_id, part)
);

CREATE TABLE agent_embedding_bits (
  model smallint NOT NULL,
  agent_id text NOT NULL,
  part smallint NOT NULL,
  bits bit varying NOT NULL,
  list smallint DEFAULT 0 NOT NULL,
  CONSTRAINT agent_embedding_bits_pkey PRIMARY KEY (model, agent_id, part)
);

CREATE TABLE agent_grant (
  user_id text NOT NULL,
  agent_id text NOT NULL,
  scopes text[],
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  never_hires boolean DEFAULT false NOT NULL,
  CONSTRAINT agent_grant_pkey PRIMARY KEY (user_id, agent_id)
);

CREATE TABLE agent_icon (
  agent_id text NOT NULL,
  source text NOT NULL,
  digest text,
  bytes bytea,
  next_check_at timestamptz(3) NOT NULL,
  CONSTRAINT agent_icon_pkey PRIMARY KEY (agent_id)
);

CREATE TABLE agent_invitation (
  id text NOT NULL,
  agent_id text NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  token_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT agent_invitation_pkey PRIMARY KEY (id)
);

CREATE TABLE agent_member (
  id text NOT NULL,
  agent_id text NOT NULL,
  user_id text NOT NULL,
  role text NOT NULL,
  since timestamptz(3) NOT NULL,
  CONSTRAINT agent_member_pkey PRIMARY KEY (id)
);

CREATE TABLE agent_ownership (
  agent_id text NOT NULL,
  method text NOT NULL,
  proved_at timestamptz(3) NOT NULL,
  checked_at timestamptz(3) NOT NULL,
  next_check_at timestamptz(3) NOT NULL,
  missing_since timestamptz(3),
  CONSTRAINT agent_ownership_pkey PRIMARY KEY (agent_id)
);

CREATE TABLE agent_ranking (
  agent_id text NOT NULL,
  health text DEFAULT 'unknown' NOT NULL,
  stage text DEFAULT 'listed' NOT NULL,
  uptime double precision,
  p50_ms integer,
  p95_ms integer,
  users integer DEFAULT 0 NOT NULL,
  calls integer DEFAULT 0 NOT NULL,
  success double precision,
  rating double precision,
  review_count integer DEFAULT 0 NOT NULL,
  score integer DEFAULT 0 NOT NULL,
  parts jsonb DEFAULT '[]' NOT NULL,
  computed_at timestamptz(3),
  due_at timestamptz(3) NOT NULL,
  has_demo_data boolean DEFAULT false NOT NULL,
  CONSTRAINT agent_ranking_pkey PRIMARY KEY (agent_id)
);

CREATE TABLE agent_search (
  agent_id text NOT NULL,
  name_key text NOT NULL COLLATE pg_catalog."C",
  document tsvector NOT NULL,
  skill_names text[] NOT NULL,
  skill_words text[] NOT NULL,
  tags text[] NOT NULL,
  badges text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  owner_id text DEFAULT '' NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  is_ranked boolean DEFAULT false NOT NULL,
  is_withheld boolean DEFAULT false NOT NULL,
  health text DEFAULT 'unknown' NOT NULL,
  rank integer DEFAULT 0 NOT NULL,
  users integer DEFAULT 0 NOT NULL,
  rating integer DEFAULT 0 NOT NULL,
  rating_rank integer DEFAULT 0 NOT NULL,
  price_kind text DEFAULT 'unstated' NOT NULL,
  price_amount integer,
  price_currency text,
  CONSTRAINT agent_search_pkey PRIMARY KEY (agent_id)
);

CREATE TABLE agent_search_word (
  word text NOT NULL COLLATE pg_catalog."C",
  CONSTRAINT agent_search_word_pkey PRIMARY KEY (word)
);

CREATE TABLE agent_skeleton (
  agent_id text NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  CONSTRAINT agent_skeleton_pkey PRIMARY KEY (agent_id)
);

CREATE TABLE agent_task_day (
  agent_id text NOT NULL,
  day date NOT NULL,
  principal text NOT NULL,
  calls integer NOT NULL,
  completed integer NOT NULL,
  failed integer NOT NULL,
  CONSTRAINT agent_task_day_pkey PRIMARY KEY (agent_id, day, principal)
);

CREATE TABLE agent_version (
  id text NOT NULL,
  agent_id text NOT NULL,
  digest text NOT NULL,
  card_url text NOT NULL,
  bytes bytea NOT NULL,
  card jsonb NOT NULL,
  fetched_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  signature jsonb DEFAULT '{"state": "unsigned"}' NOT NULL,
  listed_at timestamptz(3),
  downgraded_at timestamptz(3),
  CONSTRAINT agent_version_pkey PRIMARY KEY (id)
);

CREATE TABLE answer_feedback (
  task_id uuid NOT NULL,
  seq integer NOT NULL,
  conversation_id text NOT NULL,
  agent_id text NOT NULL,
  verdict text NOT NULL,
  category text,
  note text,
  given_at timestamptz(3) NOT NULL,
  CONSTRAINT answer_feedback_pkey PRIMARY KEY (task_id, seq)
);

CREATE TABLE app (
  id text NOT NULL,
  owner_id text NOT NULL,
  name text NOT NULL,
  client_id text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  redirect_uris text[] DEFAULT '{}' NOT NULL,
  CONSTRAINT app_pkey PRIMARY KEY (id)
);

CREATE TABLE app_secret (
  id text NOT NULL,
  app_id text NOT NULL,
  prefix text NOT NULL,
  secret_hash text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  CONSTRAINT app_secret_pkey PRIMARY KEY (id)
);

CREATE TABLE audit_client (
  seq bigint NOT NULL,
  subject text NOT NULL,
  address text NOT NULL,
  user_agent text NOT NULL,
  CONSTRAINT audit_client_pkey PRIMARY KEY (seq)
);

CREATE TABLE audit_entry (
  seq bigint NOT NULL,
  at timestamptz(3) NOT NULL,
  event text NOT NULL,
  subject text NOT NULL,
  actor text NOT NULL,
  object text NOT NULL,
  detail text NOT NULL,
  request_id text NOT NULL,
  previous text NOT NULL,
  hash text NOT NULL,
  CONSTRAINT audit_entry_no_control_characters CHECK ((concat(event, subject, actor, object, detail, request_id) !~ '[\x01-\x1f\x7f]'::text)),
  CONSTRAINT audit_entry_pkey PRIMARY KEY (seq)
);

CREATE TABLE authorization_code (
  code_hash text NOT NULL,
  connection_id text NOT NULL,
  session_id text NOT NULL,
  redirect_uri text NOT NULL,
  code_challenge text NOT NULL,
  scopes text[],
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  token_id text,
  CONSTRAINT authorization_code_pkey PRIMARY KEY (code_hash)
);

CREATE TABLE blocked_client (
  id text NOT NULL,
  client_id text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT blocked_client_pkey PRIMARY KEY (id)
);

CREATE TABLE card_refresh_state (
  agent_id text NOT NULL,
  etag text,
  last_modified text,
  checked_at timestamptz(3) NOT NULL,
  next_check_at timestamptz(3) NOT NULL,
  failing_since timestamptz(3),
  failure text,
  pending_version_id text,
  pending_reasons jsonb,
  rejected_digest text,
  CONSTRAINT card_refresh_state_pkey PRIMARY KEY (agent_id)
);

CREATE TABLE chain (
  root_task_id uuid NOT NULL,
  principal text NOT NULL,
  calls integer DEFAULT 0 NOT NULL,
  max_calls integer NOT NULL,
  open_tasks uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  max_open integer NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  hirers text[] DEFAULT '{}' NOT NULL,
  stopped_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT chain_pkey PRIMARY KEY (root_task_id)
);

CREATE TABLE chain_approval (
  id text NOT NULL,
  root_task_id uuid NOT NULL,
  from_agent_id text NOT NULL,
  agent_id text NOT NULL,
  request_hash text NOT NULL,
  request_text text NOT NULL,
  reasons text[] NOT NULL,
  decision text,
  created_at timestamptz(3) NOT NULL,
  decided_at timestamptz(3),
  content json,
  CONSTRAINT chain_approval_pkey PRIMARY KEY (id)
);

CREATE TABLE chain_task (
  task_id uuid NOT NULL,
  root_task_id uuid NOT NULL,
  parent_task_id uuid NOT NULL,
  from_agent_id text NOT NULL,
  agent_id text NOT NULL,
  depth integer NOT NULL,
  request_hash text,
  request_text text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT chain_task_pkey PRIMARY KEY (task_id)
);

CREATE TABLE client_task_id (
  family text NOT NULL,
  principal text NOT NULL,
  agent_id text NOT NULL,
  client_task_id character varying(255) NOT NULL,
  task_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT client_task_id_pkey PRIMARY KEY (principal, agent_id, client_task_id, family)
);

CREATE TABLE collection (
  id text NOT NULL,
  owner_id text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  visibility text NOT NULL,
  is_curated boolean DEFAULT false NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT collection_pkey PRIMARY KEY (id)
);

CREATE TABLE collection_agent (
  collection_id text NOT NULL,
  agent_id text NOT NULL,
  added_at timestamptz(3) NOT NULL,
  CONSTRAINT collection_agent_pkey PRIMARY KEY (collection_id, agent_id)
);

CREATE TABLE compacted_task (
  task_id uuid NOT NULL,
  events json NOT NULL,
  CONSTRAINT compacted_task_pkey PRIMARY KEY (task_id)
);

CREATE TABLE connection (
  id text NOT NULL,
  user_id text NOT NULL,
  client_id text NOT NULL,
  client_hash text NOT NULL,
  client_kind text NOT NULL,
  client_name text NOT NULL,
  client_host text,
  resource text NOT NULL,
  scopes text[],
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  CONSTRAINT connection_pkey PRIMARY KEY (id)
);

CREATE TABLE context (
  principal text NOT NULL,
  agent_id text NOT NULL,
  id character varying(255) NOT NULL,
  upstream_context_id text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  delegation text DEFAULT '' NOT NULL,
  CONSTRAINT context_pkey PRIMARY KEY (principal, agent_id, id, delegation)
);

CREATE TABLE conversation (
  id text NOT NULL,
  user_id text NOT NULL,
  agent_id text NOT NULL,
  context_id character varying(255) NOT NULL,
  title text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  updated_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  current_context_id character varying(255),
  indexed_at timestamptz(3),
  pinned boolean DEFAULT false NOT NULL,
  archived_at timestamptz(3),
  deleted_at timestamptz(3),
  CONSTRAINT conversation_pkey PRIMARY KEY (id)
);

CREATE TABLE conversation_branch (
  conversation_id text NOT NULL,
  context_id character varying(255) NOT NULL,
  fork_context_id character varying(255) NOT NULL,
  fork_task_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT conversation_branch_pkey PRIMARY KEY (conversation_id, context_id)
);

CREATE TABLE conversation_index_cursor (
  task_id uuid NOT NULL,
  conversation_id text NOT NULL,
  seq integer NOT NULL,
  CONSTRAINT conversation_index_cursor_pkey PRIMARY KEY (task_id)
);

CREATE TABLE conversation_share (
  id text NOT NULL,
  conversation_id text NOT NULL,
  user_id text NOT NULL,
  token_hash text NOT NULL,
  tasks jsonb NOT NULL,
  hidden_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT conversation_share_pkey PRIMARY KEY (id)
);

CREATE TABLE conversation_text (
  task_id uuid NOT NULL,
  "position" integer NOT NULL,
  conversation_id text NOT NULL,
  user_id text NOT NULL,
  context_id character varying(255) NOT NULL,
  role text NOT NULL,
  sent_at timestamptz(3) NOT NULL,
  text text NOT NULL,
  folded text NOT NULL,
  CONSTRAINT conversation_text_pkey PRIMARY KEY (task_id, "position")
);

CREATE TABLE delegation (
  id text NOT NULL,
  parent_id text NOT NULL,
  agent_id text NOT NULL,
  secret_id text NOT NULL,
  scopes text[],
  last_used_at timestamptz(3) NOT NULL,
  principal text,
  ended_at timestamptz(3),
  CONSTRAINT delegation_pkey PRIMARY KEY (id)
);

CREATE TABLE device_code (
  code_hash text NOT NULL,
  user_code_hash text NOT NULL,
  client_id text NOT NULL,
  scopes text[],
  address text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  interval_seconds integer NOT NULL,
  polled_at timestamptz(3),
  user_id text,
  decision text,
  session_id text,
  CONSTRAINT device_code_pkey PRIMARY KEY (code_hash)
);

CREATE TABLE dpop_proof (
  id text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT dpop_proof_pkey PRIMARY KEY (id)
);

CREATE TABLE embedding_due (
  model smallint NOT NULL,
  agent_id text NOT NULL,
  due_at timestamptz(3) NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT embedding_due_pkey PRIMARY KEY (model, agent_id)
);

CREATE TABLE embedding_list (
  model smallint NOT NULL,
  list smallint NOT NULL,
  center bit varying NOT NULL,
  CONSTRAINT embedding_list_pkey PRIMARY KEY (model, list)
);

CREATE TABLE embedding_model (
  id smallint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  dims integer NOT NULL,
  mean real[],
  state text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  retired_at timestamptz(3),
  listed_vectors integer DEFAULT 0 NOT NULL,
  CONSTRAINT embedding_model_state_check CHECK ((state = ANY (ARRAY['filling'::text, 'active'::text, 'retired'::text]))),
  CONSTRAINT embedding_model_pkey PRIMARY KEY (id)
);

CREATE TABLE ended_sign_in (
  credential_id text NOT NULL,
  connection_id text NOT NULL,
  CONSTRAINT ended_sign_in_pkey PRIMARY KEY (credential_id)
);

CREATE TABLE example_conversation (
  agent_id text NOT NULL,
  id text NOT NULL,
  author_id text NOT NULL,
  task_id uuid NOT NULL,
  turns jsonb NOT NULL,
  published_at timestamptz(3) NOT NULL,
  hidden_at timestamptz(3),
  CONSTRAINT example_conversation_pkey PRIMARY KEY (agent_id)
);

CREATE TABLE guarded_change (
  id text NOT NULL,
  seq bigserial NOT NULL,
  user_id text NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  detail text NOT NULL,
  before jsonb,
  undo_hash text,
  created_at timestamptz(3) NOT NULL,
  claimed_at timestamptz(3),
  emailed_at timestamptz(3),
  undone_at timestamptz(3),
  CONSTRAINT guarded_change_pkey PRIMARY KEY (id)
);

CREATE TABLE hub_agent (
  agent_id text NOT NULL,
  first_connected_at timestamptz(3) NOT NULL,
  last_connected_at timestamptz(3) NOT NULL,
  CONSTRAINT hub_agent_pkey PRIMARY KEY (agent_id)
);

CREATE TABLE hub_run (
  task_id uuid NOT NULL,
  turn_seq integer NOT NULL,
  agent_id text NOT NULL,
  state text NOT NULL,
  worker_id uuid,
  epoch integer DEFAULT 0 NOT NULL,
  attempt integer DEFAULT 1 NOT NULL,
  seen integer DEFAULT 0 NOT NULL,
  redelivers boolean DEFAULT false NOT NULL,
  request json NOT NULL,
  due_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT hub_run_pkey PRIMARY KEY (task_id)
);

CREATE TABLE hub_worker (
  id uuid NOT NULL,
  agent_id text NOT NULL,
  node text NOT NULL,
  capacity integer NOT NULL,
  draining boolean DEFAULT false NOT NULL,
  version text DEFAULT '' NOT NULL,
  connected_at timestamptz(3) NOT NULL,
  left_at timestamptz(3),
  CONSTRAINT hub_worker_pkey PRIMARY KEY (agent_id, id)
);

CREATE TABLE idempotency_key (
  principal text NOT NULL,
  agent_id text NOT NULL,
  key text NOT NULL,
  body_hash text NOT NULL,
  task_id uuid NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT idempotency_key_pkey PRIMARY KEY (principal, agent_id, key)
);

CREATE TABLE introspection (
  id text NOT NULL,
  agent_id text NOT NULL,
  caller text NOT NULL,
  active boolean NOT NULL,
  reason text,
  at timestamptz(3) NOT NULL,
  CONSTRAINT introspection_pkey PRIMARY KEY (id)
);

CREATE TABLE key_signature (
  kid text NOT NULL,
  digest text NOT NULL,
  signature text NOT NULL,
  CONSTRAINT key_signature_pkey PRIMARY KEY (kid, digest)
);

CREATE TABLE ledger_account (
  id text NOT NULL,
  kind text NOT NULL,
  owner text NOT NULL,
  currency text NOT NULL,
  test boolean NOT NULL,
  balance bigint DEFAULT 0 NOT NULL,
  CONSTRAINT ledger_account_not_overdrawn CHECK (((balance >= 0) OR (kind = ANY (ARRAY['outside'::text, 'merchant'::text])))),
  CONSTRAINT ledger_account_pkey PRIMARY KEY (id)
);

CREATE TABLE ledger_entry (
  transaction_id text NOT NULL,
  account_id text NOT NULL,
  amount bigint NOT NULL,
  CONSTRAINT ledger_entry_amount_check CHECK ((amount <> 0)),
  CONSTRAINT ledger_entry_pkey PRIMARY KEY (transaction_id, account_id)
);

CREATE TABLE ledger_transaction (
  id text NOT NULL,
  key text NOT NULL,
  kind text NOT NULL,
  order_id text,
  at timestamptz(3) NOT NULL,
  CONSTRAINT ledger_transaction_pkey PRIMARY KEY (id)
);

CREATE TABLE limit_attempt (
  key character varying(255) NOT NULL,
  points integer DEFAULT 0 NOT NULL,
  expire bigint,
  CONSTRAINT limit_attempt_pkey PRIMARY KEY (key)
);

CREATE UNLOGGED TABLE limit_bucket (
  key text NOT NULL,
  burst double precision NOT NULL,
  per_second double precision NOT NULL,
  tokens double precision NOT NULL,
  granted double precision NOT NULL,
  at timestamptz(3) NOT NULL,
  CONSTRAINT limit_bucket_pkey PRIMARY KEY (key)
);

CREATE UNLOGGED TABLE limit_slot_pool (
  key text NOT NULL,
  max integer NOT NULL,
  taken integer NOT NULL,
  granted integer NOT NULL,
  nodes jsonb NOT NULL,
  CONSTRAINT limit_slot_pool_pkey PRIMARY KEY (key)
);

CREATE TABLE magic_link (
  token_hash text NOT NULL,
  user_id text NOT NULL,
  purpose text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT magic_link_pkey PRIMARY KEY (token_hash)
);

CREATE TABLE merchant (
  agent_id text NOT NULL,
  signing text NOT NULL,
  issuer text NOT NULL,
  jwks_url text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT merchant_pkey PRIMARY KEY (agent_id)
);

CREATE TABLE merchant_key (
  agent_id text NOT NULL,
  kid text NOT NULL,
  jwk jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  retires_at timestamptz(3),
  CONSTRAINT merchant_key_pkey PRIMARY KEY (agent_id, kid)
);

CREATE TABLE moderation_case (
  id text NOT NULL,
  kind text NOT NULL,
  target_id text NOT NULL,
  agent_id text,
  owner_id text,
  title text NOT NULL,
  state text NOT NULL,
  opened_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  reason text,
  statement text,
  decided_at timestamptz(3),
  prior_state text,
  appeal text,
  appealed_at timestamptz(3),
  CONSTRAINT moderation_case_pkey PRIMARY KEY (id)
);

CREATE TABLE moderation_notification (
  case_id text NOT NULL,
  user_id text NOT NULL,
  state text NOT NULL,
  role text NOT NULL,
  due_at timestamptz(3) NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  CONSTRAINT moderation_notification_pkey PRIMARY KEY (case_id, user_id, state)
);

CREATE TABLE moderation_report (
  id text NOT NULL,
  case_id text NOT NULL,
  reason text NOT NULL,
  details text NOT NULL,
  reporter_id text,
  evidence jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT moderation_report_pkey PRIMARY KEY (id)
);

CREATE TABLE moderation_step (
  id text NOT NULL,
  case_id text NOT NULL,
  state text NOT NULL,
  role text NOT NULL,
  user_id text,
  note text NOT NULL,
  at timestamptz(3) NOT NULL,
  CONSTRAINT moderation_step_pkey PRIMARY KEY (id)
);

CREATE TABLE node (
  id text NOT NULL,
  release text NOT NULL,
  oldest_peer text NOT NULL,
  started_at timestamptz(3) NOT NULL,
  key_ids text[] DEFAULT '{}' NOT NULL,
  CONSTRAINT node_pkey PRIMARY KEY (id)
);

CREATE TABLE notification_preference (
  user_id text NOT NULL,
  kind text NOT NULL,
  wanted boolean NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT notification_preference_pkey PRIMARY KEY (user_id, kind)
);

CREATE TABLE openai_lost_answer (
  user_id text NOT NULL,
  agent_id text NOT NULL,
  request text NOT NULL,
  key text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT openai_lost_answer_pkey PRIMARY KEY (user_id, agent_id, request, key)
);

CREATE TABLE openai_transcript (
  user_id text NOT NULL,
  agent_id text NOT NULL,
  hash text NOT NULL,
  context_id character varying(255) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT openai_transcript_pkey PRIMARY KEY (user_id, agent_id, hash)
);

CREATE TABLE openai_turn (
  user_id text NOT NULL,
  agent_id text NOT NULL,
  hash text NOT NULL,
  end_user text NOT NULL,
  context_id character varying(255) NOT NULL,
  task_id uuid,
  task_turn integer NOT NULL,
  said text NOT NULL,
  instructions text NOT NULL,
  chat text,
  transcript text,
  next text,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT openai_turn_pkey PRIMARY KEY (user_id, agent_id, hash)
);

CREATE TABLE passkey (
  id text NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[],
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  CONSTRAINT passkey_pkey PRIMARY KEY (id)
);

CREATE TABLE passkey_challenge (
  challenge text NOT NULL,
  user_id text NOT NULL,
  purpose text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT passkey_challenge_pkey PRIMARY KEY (challenge)
);

CREATE TABLE passkey_recovery (
  user_id text NOT NULL,
  requested_at timestamptz(3) NOT NULL,
  due_at timestamptz(3) NOT NULL,
  CONSTRAINT passkey_recovery_pkey PRIMARY KEY (user_id)
);

CREATE TABLE payment_approval (
  id text NOT NULL,
  order_id text NOT NULL,
  text text NOT NULL,
  method text NOT NULL,
  credential_id text NOT NULL,
  assertion jsonb,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3),
  CONSTRAINT payment_approval_pkey PRIMARY KEY (id)
);

CREATE TABLE payment_idempotency_key (
  user_id text NOT NULL,
  key text NOT NULL,
  body_hash text NOT NULL,
  status integer,
  body text,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT payment_idempotency_key_pkey PRIMARY KEY (user_id, key)
);

CREATE TABLE payment_mandate (
  id text NOT NULL,
  order_id text NOT NULL,
  kind text NOT NULL,
  token text NOT NULL,
  reference text NOT NULL,
  leaf_reference text NOT NULL,
  data jsonb,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  claimed_at timestamptz(3),
  CONSTRAINT payment_mandate_pkey PRIMARY KEY (id)
);

CREATE TABLE payment_order (
  id text NOT NULL,
  user_id text NOT NULL,
  agent_id text NOT NULL,
  task_id uuid NOT NULL,
  context_id uuid NOT NULL,
  source_kind text NOT NULL,
  source_id text NOT NULL,
  source_part integer NOT NULL,
  cart_text text NOT NULL,
  cart_hash text NOT NULL,
  cart_id text,
  issuer text,
  jti text,
  checkout_jwt text,
  offer jsonb,
  checks jsonb DEFAULT '[]' NOT NULL,
  amount bigint DEFAULT 0 NOT NULL,
  currency text DEFAULT '' NOT NULL,
  expires_at timestamptz(3),
  state text NOT NULL,
  code text,
  version integer DEFAULT 0 NOT NULL,
  method text,
  test boolean DEFAULT false NOT NULL,
  fee bigint DEFAULT 0 NOT NULL,
  authorized bigint DEFAULT 0 NOT NULL,
  captured bigint DEFAULT 0 NOT NULL,
  refunded bigint DEFAULT 0 NOT NULL,
  capture_before timestamptz(3),
  session_id text,
  payment_id text,
  redirect_url text,
  attempt integer DEFAULT 1 NOT NULL,
  merchant_order_id text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  approved_at timestamptz(3),
  credential_id text,
  connection_id text,
  root_task_id uuid,
  standing_id text,
  standing_failure text,
  answered_origin text,
  answered_message text,
  CONSTRAINT payment_order_amounts CHECK (((amount >= 0) AND (authorized <= amount) AND (captured <= authorized) AND (refunded <= captured) AND (refunded >= 0))),
  CONSTRAINT payment_order_pkey PRIMARY KEY (id)
);

CREATE TABLE payment_order_step (
  order_id text NOT NULL,
  version integer NOT NULL,
  state text NOT NULL,
  code text,
  at timestamptz(3) NOT NULL,
  CONSTRAINT payment_order_step_pkey PRIMARY KEY (order_id, version)
);

CREATE TABLE payment_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY,
  order_id text,
  top_up_id text,
  kind text NOT NULL,
  payload jsonb DEFAULT '{}' NOT NULL,
  due_at timestamptz(3) NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  completed_at timestamptz(3),
  CONSTRAINT payment_outbox_subject CHECK ((num_nonnulls(order_id, top_up_id) = 1)),
  CONSTRAINT payment_outbox_pkey PRIMARY KEY (id)
);

CREATE TABLE payment_receipt (
  id text NOT NULL,
  order_id text NOT NULL,
  kind text NOT NULL,
  token text NOT NULL,
  content jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT payment_receipt_pkey PRIMARY KEY (id)
);

CREATE TABLE payment_refund (
  id text NOT NULL,
  order_id text NOT NULL,
  amount bigint NOT NULL,
  reason text NOT NULL,
  state text NOT NULL,
  payment_id text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT payment_refund_amount_check CHECK ((amount > 0)),
  CONSTRAINT payment_refund_pkey PRIMARY KEY (id)
);

CREATE TABLE payment_setting (
  user_id text NOT NULL,
  passkey_above bigint,
  time_zone text,
  stopped_at timestamptz(3),
  automatic_emails text,
  alerts_seen_at timestamptz(3),
  CONSTRAINT payment_setting_pkey PRIMARY KEY (user_id)
);

CREATE TABLE pending_cancel (
  task_id uuid NOT NULL,
  upstream_task_id text,
  request json NOT NULL,
  due_at timestamptz(3) NOT NULL,
  requested_at timestamptz(3) NOT NULL,
  CONSTRAINT pending_cancel_pkey PRIMARY KEY (task_id)
);

CREATE TABLE pending_sign_up (
  token_hash text NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT pending_sign_up_pkey PRIMARY KEY (token_hash)
);

CREATE TABLE probe (
  id text NOT NULL,
  agent_id text NOT NULL,
  at timestamptz(3) NOT NULL,
  kind text NOT NULL,
  good boolean NOT NULL,
  ms integer NOT NULL,
  code text,
  message text,
  exchange json,
  CONSTRAINT probe_pkey PRIMARY KEY (id)
);

CREATE TABLE probe_day (
  agent_id text NOT NULL,
  day date NOT NULL,
  checks integer NOT NULL,
  good integer NOT NULL,
  p50_ms integer,
  p95_ms integer,
  CONSTRAINT probe_day_pkey PRIMARY KEY (agent_id, day)
);

CREATE TABLE probe_state (
  agent_id text NOT NULL,
  next_reach_at timestamptz(3) NOT NULL,
  next_run_at timestamptz(3) NOT NULL,
  health text DEFAULT 'unknown' NOT NULL,
  consecutive_failures integer DEFAULT 0 NOT NULL,
  failing_since timestamptz(3),
  run_failed boolean DEFAULT false NOT NULL,
  checked_at timestamptz(3),
  checked_by text,
  alerted_at timestamptz(3),
  stage text DEFAULT 'listed' NOT NULL,
  CONSTRAINT probe_state_pkey PRIMARY KEY (agent_id)
);

CREATE TABLE publisher (
  user_id text NOT NULL,
  handle text NOT NULL,
  name text,
  bio text DEFAULT '' NOT NULL,
  link text,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT publisher_pkey PRIMARY KEY (user_id)
);

CREATE TABLE push_config (
  task_id uuid NOT NULL,
  id character varying(255) NOT NULL,
  principal text NOT NULL,
  agent_id text NOT NULL,
  dialect text NOT NULL,
  url text NOT NULL,
  secrets text NOT NULL,
  sent_seq integer NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  failing_since timestamptz(3),
  due_at timestamptz(3) NOT NULL,
  lease text,
  leased_until timestamptz(3),
  ended boolean DEFAULT false NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_status integer,
  last_answer text DEFAULT '' NOT NULL,
  consecutive_dead_letters integer DEFAULT 0 NOT NULL,
  delegation text,
  credential_id text,
  CONSTRAINT push_config_pkey PRIMARY KEY (task_id, id)
);

CREATE TABLE push_dead_letter (
  id text NOT NULL,
  principal text NOT NULL,
  agent_id text NOT NULL,
  task_id uuid NOT NULL,
  config_id character varying(255) NOT NULL,
  seq integer NOT NULL,
  url text NOT NULL,
  reason text NOT NULL,
  http_status integer,
  attempts integer NOT NULL,
  at timestamptz(3) NOT NULL,
  answer text DEFAULT '' NOT NULL,
  CONSTRAINT push_dead_letter_pkey PRIMARY KEY (id)
);

CREATE TABLE readiness_write (
  slot integer NOT NULL,
  written_at timestamptz(3) NOT NULL,
  CONSTRAINT readiness_write_pkey PRIMARY KEY (slot)
);

CREATE TABLE retention_cursor (
  kind text NOT NULL,
  at timestamptz(3) NOT NULL,
  CONSTRAINT retention_cursor_pkey PRIMARY KEY (kind)
);

CREATE TABLE review (
  id text NOT NULL,
  agent_id text NOT NULL,
  user_id text NOT NULL,
  stars integer NOT NULL,
  text text NOT NULL,
  reply text,
  replied_at timestamptz(3),
  hidden_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT review_stars_check CHECK (((stars >= 1) AND (stars <= 5))),
  CONSTRAINT review_pkey PRIMARY KEY (id)
);

CREATE TABLE revoked_token (
  jti text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT revoked_token_pkey PRIMARY KEY (jti)
);

CREATE TABLE root_secret (
  id integer DEFAULT 1 NOT NULL,
  sealed text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT root_secret_is_one CHECK ((id = 1)),
  CONSTRAINT root_secret_pkey PRIMARY KEY (id)
);

CREATE TABLE saved_search (
  id text NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  query jsonb NOT NULL,
  wants_mail boolean NOT NULL,
  feed_token_hash text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  due_at timestamptz(3) NOT NULL,
  ran_at timestamptz(3),
  mailed_at timestamptz(3),
  CONSTRAINT saved_search_pkey PRIMARY KEY (id)
);

CREATE TABLE saved_search_match (
  search_id text NOT NULL,
  agent_id text NOT NULL,
  found_at timestamptz(3) NOT NULL,
  is_pending boolean NOT NULL,
  CONSTRAINT saved_search_match_pkey PRIMARY KEY (search_id, agent_id)
);

CREATE TABLE schema_change (
  migration text NOT NULL,
  release text NOT NULL,
  oldest_release text,
  applied_at timestamptz(3) NOT NULL,
  CONSTRAINT schema_change_pkey PRIMARY KEY (migration)
);

CREATE TABLE session (
  id text NOT NULL,
  session_token text NOT NULL,
  user_id text NOT NULL,
  expires timestamptz(3) NOT NULL,
  signed_in_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  last_seen_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  user_agent text DEFAULT '' NOT NULL,
  address text DEFAULT '' NOT NULL,
  CONSTRAINT session_pkey PRIMARY KEY (id)
);

CREATE TABLE signing_key (
  kid text NOT NULL,
  purpose text NOT NULL,
  alg text NOT NULL,
  public_jwk jsonb NOT NULL,
  private_sealed text NOT NULL,
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  signs_from timestamptz(3) NOT NULL,
  retires_at timestamptz(3),
  CONSTRAINT signing_key_pkey PRIMARY KEY (kid)
);

CREATE TABLE spending_alert (
  id text NOT NULL,
  user_id text NOT NULL,
  order_id text NOT NULL,
  kind text NOT NULL,
  details jsonb NOT NULL,
  at timestamptz(3) NOT NULL,
  due_at timestamptz(3),
  attempts integer DEFAULT 0 NOT NULL,
  emailed_at timestamptz(3),
  CONSTRAINT spending_alert_pkey PRIMARY KEY (id)
);

CREATE TABLE spending_limit (
  user_id text NOT NULL,
  scope text NOT NULL,
  subject text NOT NULL,
  currency text NOT NULL,
  period text NOT NULL,
  amount bigint,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT spending_limit_pkey PRIMARY KEY (user_id, scope, subject, currency, period)
);

CREATE TABLE standing_approval (
  id text NOT NULL,
  user_id text NOT NULL,
  agent_id text NOT NULL,
  issuer text NOT NULL,
  currency text NOT NULL,
  text text NOT NULL,
  checkout text,
  payment text,
  credential_id text NOT NULL,
  assertion jsonb,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  signed_at timestamptz(3),
  paused_at timestamptz(3),
  revoked_at timestamptz(3),
  CONSTRAINT standing_approval_pkey PRIMARY KEY (id)
);

CREATE TABLE status_check (
  component text NOT NULL,
  hour timestamptz(3) NOT NULL,
  checks integer NOT NULL,
  failures integer NOT NULL,
  last_at timestamptz(3) NOT NULL,
  last_ok boolean NOT NULL,
  CONSTRAINT status_check_pkey PRIMARY KEY (component, hour)
);

CREATE TABLE stripe_event (
  id text NOT NULL,
  type text NOT NULL,
  object_id text NOT NULL,
  received_at timestamptz(3) NOT NULL,
  processed_at timestamptz(3),
  CONSTRAINT stripe_event_pkey PRIMARY KEY (id)
);

CREATE TABLE task (
  id uuid NOT NULL,
  principal text NOT NULL,
  agent_id text NOT NULL,
  context_id character varying(255) NOT NULL,
  upstream_task_id text,
  state text NOT NULL,
  state_at timestamptz(3) NOT NULL,
  last_seq integer NOT NULL,
  run_node text,
  credential_id text NOT NULL,
  client_id text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  compacted boolean DEFAULT false NOT NULL,
  unlisted boolean DEFAULT false NOT NULL,
  polled_at timestamptz(3),
  upstream_context_id text,
  delegation text,
  CONSTRAINT task_pkey PRIMARY KEY (id)
) WITH (fillfactor='80');

CREATE TABLE task_event (
  task_id uuid NOT NULL,
  seq integer NOT NULL,
  payload json NOT NULL,
  at timestamptz(3) NOT NULL,
  CONSTRAINT task_event_pkey PRIMARY KEY (task_id, seq)
);

CREATE TABLE task_http_exchange (
  id text NOT NULL,
  task_id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  exchange json NOT NULL,
  CONSTRAINT task_http_exchange_pkey PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);

CREATE TABLE test_run (
  request_id text NOT NULL,
  agent_id text NOT NULL,
  caller text NOT NULL,
  replay_of text,
  at timestamptz(3) NOT NULL,
  CONSTRAINT test_run_pkey PRIMARY KEY (request_id)
);

CREATE TABLE "user" (
  id text NOT NULL,
  email text NOT NULL,
  email_verified timestamptz(3),
  name text NOT NULL,
  password_hash text,
  suspended_at timestamptz(3),
  created_at timestamptz(3) DEFAULT CURRENT_TIMESTAMP NOT NULL,
  is_demo boolean DEFAULT false NOT NULL,
  CONSTRAINT user_pkey PRIMARY KEY (id)
);

CREATE TABLE wallet_top_up (
  id text NOT NULL,
  user_id text NOT NULL,
  amount bigint NOT NULL,
  currency text NOT NULL,
  test boolean NOT NULL,
  state text NOT NULL,
  session_id text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT wallet_top_up_amount_check CHECK ((amount > 0)),
  CONSTRAINT wallet_top_up_pkey PRIMARY KEY (id)
);

ALTER TABLE agent_embedding ALTER COLUMN packed SET STORAGE PLAIN;
ALTER TABLE agent_embedding ALTER COLUMN vec SET STORAGE EXTERNAL;
ALTER TABLE agent_embedding_bits ALTER COLUMN bits SET STORAGE PLAIN;

CREATE TABLE agent_call_default PARTITION OF agent_call DEFAULT;

CREATE TABLE task_http_exchange_default PARTITION OF task_http_exchange DEFAULT;

-- One partition per day; a job creates those of later days (lib/platform/db/partitions.ts).
DO $$
DECLARE
  log text;
BEGIN
  FOREACH log IN ARRAY ARRAY['agent_call', 'task_http_exchange'] LOOP
    FOR day IN -1..3 LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
        log || '_p' || to_char((now() AT TIME ZONE 'UTC')::date + day, 'YYYYMMDD'), log,
        ((now() AT TIME ZONE 'UTC')::date + day)::text || ' 00:00:00+00',
        ((now() AT TIME ZONE 'UTC')::date + day + 1)::text || ' 00:00:00+00');
    END LOOP;
  END LOOP;
END $$;

CREATE INDEX access_token_connection_id_idx ON access_token (connection_id);
CREATE INDEX access_token_user_id_idx ON access_token (user_id);

CREATE UNIQUE INDEX account_provider_provider_account_id_key ON account (provider, provider_account_id);
CREATE INDEX account_user_id_idx ON account (user_id);

CREATE INDEX agent_owner_id_idx ON agent (owner_id);
CREATE UNIQUE INDEX agent_slug_key ON agent (slug);
CREATE UNIQUE INDEX agent_url_key ON agent (url);
CREATE INDEX agent_visibility_status_created_at_idx ON agent (visibility, status, created_at);

CREATE INDEX agent_call_agent_id_at_id_idx ON agent_call (agent_id, at DESC, id DESC);
CREATE INDEX agent_call_at_idx ON agent_call (at);

CREATE INDEX agent_call_hour_hour_idx ON agent_call_hour (hour);

CREATE INDEX agent_caller_hour_hour_idx ON agent_caller_hour (hour);

CREATE INDEX agent_embedding_agent_idx ON agent_embedding (agent_id);

CREATE INDEX agent_embedding_bits_list_idx ON agent_embedding_bits (model, list) INCLUDE (agent_id, part, bits);

CREATE INDEX agent_icon_next_check_at_idx ON agent_icon (next_check_at);

CREATE UNIQUE INDEX agent_invitation_agent_id_email_key ON agent_invitation (agent_id, email);
CREATE UNIQUE INDEX agent_invitation_token_hash_key ON agent_invitation (token_hash);

CREATE UNIQUE INDEX agent_member_agent_id_user_id_key ON agent_member (agent_id, user_id);
CREATE INDEX agent_member_user_id_idx ON agent_member (user_id);

CREATE INDEX agent_ownership_next_check_at_idx ON agent_ownership (next_check_at);

CREATE INDEX agent_ranking_due_at_idx ON agent_ranking (due_at);

CREATE INDEX agent_search_badges_idx ON agent_search USING gin (badges);
CREATE INDEX agent_search_health_idx ON agent_search (health);
CREATE INDEX agent_search_name_idx ON agent_search (name_key, agent_id);
CREATE INDEX agent_search_newest_idx ON agent_search (created_at DESC, agent_id DESC);
CREATE INDEX agent_search_owner_idx ON agent_search (owner_id);
CREATE INDEX agent_search_price_idx ON agent_search (price_kind) WHERE (price_kind <> 'unstated'::text);
CREATE INDEX agent_search_rank_idx ON agent_search (rank DESC, created_at DESC, agent_id DESC);
CREATE INDEX agent_search_rating_idx ON agent_search (rating_rank DESC, created_at DESC, agent_id DESC);
CREATE INDEX agent_search_unranked_idx ON agent_search (agent_id) WHERE (NOT is_ranked);
CREATE INDEX agent_search_users_idx ON agent_search (users DESC, created_at DESC, agent_id DESC);
CREATE INDEX agent_search_words_tags_idx ON agent_search USING gin (document, tags);

CREATE INDEX agent_search_word_trigrams_idx ON agent_search_word USING gin (word gin_trgm_ops);

CREATE INDEX agent_skeleton_name_trigrams_idx ON agent_skeleton USING gin (name gin_trgm_ops);
CREATE INDEX agent_skeleton_slug_trigrams_idx ON agent_skeleton USING gin (slug gin_trgm_ops);

CREATE INDEX agent_task_day_day_idx ON agent_task_day (day);

CREATE INDEX agent_version_agent_id_fetched_at_idx ON agent_version (agent_id, fetched_at);

CREATE INDEX answer_feedback_agent_id_given_at_idx ON answer_feedback (agent_id, given_at);
CREATE INDEX answer_feedback_conversation_id_idx ON answer_feedback (conversation_id);

CREATE UNIQUE INDEX app_client_id_key ON app (client_id);
CREATE INDEX app_owner_id_idx ON app (owner_id);

CREATE INDEX app_secret_app_id_idx ON app_secret (app_id);

CREATE INDEX audit_client_subject_idx ON audit_client (subject);

CREATE INDEX audit_entry_subject_seq_idx ON audit_entry (subject, seq DESC);

CREATE INDEX authorization_code_connection_id_idx ON authorization_code (connection_id);
CREATE INDEX authorization_code_expires_at_idx ON authorization_code (expires_at);

CREATE UNIQUE INDEX blocked_client_client_id_key ON blocked_client (client_id);
CREATE INDEX blocked_client_created_at_idx ON blocked_client (created_at);

CREATE INDEX card_refresh_state_next_check_at_idx ON card_refresh_state (next_check_at);

CREATE INDEX chain_principal_idx ON chain (principal);

CREATE UNIQUE INDEX chain_approval_request_key ON chain_approval (root_task_id, from_agent_id, agent_id, request_hash);

CREATE UNIQUE INDEX chain_task_request_key ON chain_task (root_task_id, agent_id, request_hash);

CREATE INDEX client_task_id_task_id_idx ON client_task_id (task_id);

CREATE INDEX collection_owner_id_updated_at_idx ON collection (owner_id, updated_at DESC);
CREATE INDEX collection_visibility_is_curated_updated_at_idx ON collection (visibility, is_curated, updated_at DESC);

CREATE INDEX collection_agent_agent_id_idx ON collection_agent (agent_id);

CREATE UNIQUE INDEX connection_active_key ON connection (user_id, client_hash, resource) WHERE (revoked_at IS NULL);
CREATE INDEX connection_client_hash_idx ON connection (client_hash);
CREATE INDEX connection_user_id_idx ON connection (user_id);

CREATE UNIQUE INDEX conversation_user_id_context_id_key ON conversation (user_id, context_id);
CREATE INDEX conversation_user_id_pinned_updated_at_idx ON conversation (user_id, pinned, updated_at);
CREATE INDEX conversation_user_id_updated_at_idx ON conversation (user_id, updated_at);

CREATE INDEX conversation_index_cursor_conversation_id_idx ON conversation_index_cursor (conversation_id);

CREATE INDEX conversation_share_conversation_id_idx ON conversation_share (conversation_id);
CREATE UNIQUE INDEX conversation_share_token_hash_key ON conversation_share (token_hash);

CREATE INDEX conversation_text_conversation_id_idx ON conversation_text (conversation_id);
CREATE INDEX conversation_text_user_id_idx ON conversation_text (user_id);

CREATE UNIQUE INDEX delegation_active_key ON delegation (parent_id, agent_id, secret_id, scopes) WHERE (ended_at IS NULL);
CREATE INDEX delegation_last_used_at_idx ON delegation (last_used_at);
CREATE INDEX delegation_principal_agent_id_idx ON delegation (principal, agent_id);

CREATE INDEX device_code_expires_at_idx ON device_code (expires_at);
CREATE UNIQUE INDEX device_code_user_code_hash_key ON device_code (user_code_hash);

CREATE INDEX dpop_proof_expires_at_idx ON dpop_proof (expires_at);

CREATE INDEX embedding_due_newest_idx ON embedding_due (model, changed_at);

CREATE UNIQUE INDEX embedding_model_active_key ON embedding_model (state) WHERE (state = 'active'::text);
CREATE UNIQUE INDEX embedding_model_name_key ON embedding_model (name);

CREATE INDEX ended_sign_in_connection_id_idx ON ended_sign_in (connection_id);

CREATE INDEX example_conversation_author_id_idx ON example_conversation (author_id);
CREATE UNIQUE INDEX example_conversation_id_key ON example_conversation (id);

CREATE INDEX guarded_change_created_at_idx ON guarded_change (created_at);
CREATE UNIQUE INDEX guarded_change_undo_hash_key ON guarded_change (undo_hash);
CREATE INDEX guarded_change_unsent_idx ON guarded_change (seq) WHERE (emailed_at IS NULL);
CREATE INDEX guarded_change_user_id_subject_idx ON guarded_change (user_id, subject);

CREATE INDEX hub_run_due_idx ON hub_run (due_at) WHERE (state = 'waiting'::text);
CREATE INDEX hub_run_waiting_idx ON hub_run (agent_id, created_at) WHERE (state = 'waiting'::text);

CREATE INDEX hub_worker_left_idx ON hub_worker (left_at) WHERE (left_at IS NOT NULL);

CREATE INDEX introspection_agent_id_at_idx ON introspection (agent_id, at);

CREATE UNIQUE INDEX ledger_account_key ON ledger_account (kind, owner, currency, test);

CREATE INDEX ledger_entry_account_id_idx ON ledger_entry (account_id);

CREATE UNIQUE INDEX ledger_transaction_key_key ON ledger_transaction (key);
CREATE INDEX ledger_transaction_order_id_idx ON ledger_transaction (order_id);

CREATE INDEX magic_link_expires_at_idx ON magic_link (expires_at);
CREATE INDEX magic_link_user_id_idx ON magic_link (user_id);

CREATE UNIQUE INDEX moderation_case_active_key ON moderation_case (kind, target_id) WHERE (state = ANY (ARRAY['open'::text, 'removed'::text, 'appealed'::text, 'upheld'::text]));
CREATE INDEX moderation_case_kind_target_id_idx ON moderation_case (kind, target_id);
CREATE INDEX moderation_case_state_opened_at_idx ON moderation_case (state, opened_at);

CREATE INDEX moderation_notification_due_at_idx ON moderation_notification (due_at);
CREATE INDEX moderation_notification_user_id_idx ON moderation_notification (user_id);

CREATE INDEX moderation_report_case_id_created_at_idx ON moderation_report (case_id, created_at);
CREATE INDEX moderation_report_reporter_id_idx ON moderation_report (reporter_id);

CREATE INDEX moderation_step_case_id_at_idx ON moderation_step (case_id, at);

CREATE INDEX openai_lost_answer_created_at_idx ON openai_lost_answer (created_at);

CREATE INDEX openai_transcript_created_at_idx ON openai_transcript (created_at);

CREATE INDEX openai_turn_created_at_idx ON openai_turn (created_at);
CREATE INDEX openai_turn_user_id_agent_id_chat_transcript_idx ON openai_turn (user_id, agent_id, chat, transcript);
CREATE INDEX openai_turn_user_id_agent_id_context_id_created_at_idx ON openai_turn (user_id, agent_id, context_id, created_at);

CREATE INDEX passkey_user_id_idx ON passkey (user_id);

CREATE INDEX passkey_challenge_expires_at_idx ON passkey_challenge (expires_at);

CREATE INDEX passkey_recovery_due_at_idx ON passkey_recovery (due_at);

CREATE INDEX payment_approval_order_id_idx ON payment_approval (order_id);
CREATE UNIQUE INDEX payment_approval_used_key ON payment_approval (order_id) WHERE (used_at IS NOT NULL);

CREATE INDEX payment_idempotency_key_created_at_idx ON payment_idempotency_key (created_at);

CREATE UNIQUE INDEX payment_mandate_leaf_reference_key ON payment_mandate (leaf_reference);
CREATE UNIQUE INDEX payment_mandate_order_id_kind_key ON payment_mandate (order_id, kind);
CREATE UNIQUE INDEX payment_mandate_reference_key ON payment_mandate (reference);

CREATE UNIQUE INDEX payment_order_active_key ON payment_order (user_id, agent_id, cart_hash) WHERE (state = ANY (ARRAY['verified'::text, 'awaiting_approval'::text, 'approved'::text, 'payment_pending'::text, 'action_required'::text, 'authorized'::text, 'mandate_delivered'::text, 'merchant_confirmed'::text]));
CREATE INDEX payment_order_agent_id_created_at_id_idx ON payment_order (agent_id, created_at DESC, id);
CREATE UNIQUE INDEX payment_order_jti_key ON payment_order (agent_id, jti) WHERE ((jti IS NOT NULL) AND (state <> 'rejected'::text));
CREATE UNIQUE INDEX payment_order_payment_id_key ON payment_order (payment_id);
CREATE UNIQUE INDEX payment_order_session_id_key ON payment_order (session_id);
CREATE UNIQUE INDEX payment_order_source_key ON payment_order (user_id, agent_id, task_id, source_kind, source_id, source_part, cart_hash);
CREATE INDEX payment_order_state_updated_at_idx ON payment_order (state, updated_at);
CREATE INDEX payment_order_task_id_idx ON payment_order (task_id);
CREATE INDEX payment_order_user_id_created_at_id_idx ON payment_order (user_id, created_at DESC, id);

CREATE INDEX payment_outbox_due_at_idx ON payment_outbox (due_at) WHERE (completed_at IS NULL);
CREATE INDEX payment_outbox_order_id_idx ON payment_outbox (order_id);

CREATE INDEX payment_receipt_order_id_idx ON payment_receipt (order_id);

CREATE UNIQUE INDEX payment_refund_open_key ON payment_refund (order_id) WHERE (state = ANY (ARRAY['requested'::text, 'approved'::text]));
CREATE INDEX payment_refund_order_id_idx ON payment_refund (order_id);

CREATE INDEX pending_cancel_due_at_idx ON pending_cancel (due_at) WHERE (upstream_task_id IS NOT NULL);

CREATE INDEX pending_sign_up_email_idx ON pending_sign_up (email);
CREATE INDEX pending_sign_up_expires_at_idx ON pending_sign_up (expires_at);

CREATE INDEX probe_agent_id_at_idx ON probe (agent_id, at DESC);
CREATE INDEX probe_at_idx ON probe (at);

CREATE INDEX probe_state_next_reach_at_idx ON probe_state (next_reach_at);
CREATE INDEX probe_state_next_run_at_idx ON probe_state (next_run_at);

CREATE UNIQUE INDEX publisher_handle_key ON publisher (handle);

CREATE INDEX push_config_credential_id_idx ON push_config (credential_id);
CREATE INDEX push_config_ended_due_at_idx ON push_config (ended, due_at);
CREATE INDEX push_config_principal_created_at_idx ON push_config (principal, created_at DESC);

CREATE INDEX push_dead_letter_principal_at_id_idx ON push_dead_letter (principal, at DESC, id);

CREATE INDEX review_agent_id_updated_at_id_idx ON review (agent_id, updated_at DESC, id);
CREATE UNIQUE INDEX review_agent_id_user_id_key ON review (agent_id, user_id);
CREATE INDEX review_user_id_idx ON review (user_id);

CREATE INDEX revoked_token_expires_at_idx ON revoked_token (expires_at);

CREATE INDEX saved_search_due_at_idx ON saved_search (due_at);
CREATE UNIQUE INDEX saved_search_feed_token_hash_key ON saved_search (feed_token_hash);
CREATE INDEX saved_search_user_id_created_at_idx ON saved_search (user_id, created_at DESC);

CREATE INDEX saved_search_match_agent_id_idx ON saved_search_match (agent_id);

CREATE INDEX session_expires_idx ON session (expires);
CREATE UNIQUE INDEX session_session_token_key ON session (session_token);
CREATE INDEX session_user_id_idx ON session (user_id);

CREATE INDEX spending_alert_at_idx ON spending_alert (at);
CREATE INDEX spending_alert_due_at_idx ON spending_alert (due_at) WHERE (emailed_at IS NULL);
CREATE INDEX spending_alert_order_id_idx ON spending_alert (order_id);
CREATE INDEX spending_alert_user_id_at_idx ON spending_alert (user_id, at DESC);

CREATE INDEX standing_approval_user_id_agent_id_idx ON standing_approval (user_id, agent_id);

CREATE INDEX status_check_hour_idx ON status_check (hour);

CREATE INDEX stripe_event_received_at_idx ON stripe_event (received_at) WHERE (processed_at IS NULL);

CREATE INDEX task_agent_idx ON task (agent_id, created_at) WHERE (run_node IS NULL);
CREATE INDEX task_context_idx ON task (context_id, principal, agent_id, created_at) WHERE (run_node IS NULL);
CREATE INDEX task_delegation_idx ON task (delegation) WHERE (delegation IS NOT NULL);
CREATE INDEX task_interrupted_idx ON task (state_at) WHERE ((state = ANY (ARRAY['input-required'::text, 'auth-required'::text])) AND (run_node IS NULL));
CREATE INDEX task_principal_state_at_idx ON task (principal, agent_id, state_at DESC, id DESC) WHERE (run_node IS NULL);
CREATE INDEX task_running_idx ON task (principal, agent_id, run_node) WHERE (run_node IS NOT NULL);
CREATE INDEX task_uncompacted_idx ON task (state_at) WHERE ((NOT compacted) AND (run_node IS NULL));

CREATE INDEX task_http_exchange_at_idx ON task_http_exchange (at);
CREATE INDEX task_http_exchange_task_id_at_idx ON task_http_exchange (task_id, at);

CREATE INDEX test_run_agent_id_at_idx ON test_run (agent_id, at);

CREATE INDEX user_demo_idx ON "user" (id) WHERE is_demo;
CREATE UNIQUE INDEX user_email_key ON "user" (email);

CREATE UNIQUE INDEX wallet_top_up_session_id_key ON wallet_top_up (session_id);
CREATE INDEX wallet_top_up_user_id_created_at_idx ON wallet_top_up (user_id, created_at DESC);

ALTER TABLE access_token ADD CONSTRAINT access_token_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connection(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE account ADD CONSTRAINT account_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE agent_credential ADD CONSTRAINT agent_credential_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE agent_embedding ADD CONSTRAINT agent_embedding_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE agent_embedding_bits ADD CONSTRAINT agent_embedding_bits_part_fkey FOREIGN KEY (model, agent_id, part) REFERENCES agent_embedding(model, agent_id, part) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE agent_embedding ADD CONSTRAINT agent_embedding_model_fkey FOREIGN KEY (model) REFERENCES embedding_model(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE agent_icon ADD CONSTRAINT agent_icon_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE agent_invitation ADD CONSTRAINT agent_invitation_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE agent_member ADD CONSTRAINT agent_member_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE agent_ownership ADD CONSTRAINT agent_ownership_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE agent_ranking ADD CONSTRAINT agent_ranking_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE agent_search ADD CONSTRAINT agent_search_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE agent_skeleton ADD CONSTRAINT agent_skeleton_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE agent_version ADD CONSTRAINT agent_version_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE answer_feedback ADD CONSTRAINT answer_feedback_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE answer_feedback ADD CONSTRAINT answer_feedback_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversation(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE app_secret ADD CONSTRAINT app_secret_app_id_fkey FOREIGN KEY (app_id) REFERENCES app(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE authorization_code ADD CONSTRAINT authorization_code_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connection(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE card_refresh_state ADD CONSTRAINT card_refresh_state_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE collection_agent ADD CONSTRAINT collection_agent_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE collection_agent ADD CONSTRAINT collection_agent_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collection(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE connection ADD CONSTRAINT connection_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE conversation_branch ADD CONSTRAINT conversation_branch_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversation(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE conversation_index_cursor ADD CONSTRAINT conversation_index_cursor_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversation(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE conversation_share ADD CONSTRAINT conversation_share_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversation(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE conversation_text ADD CONSTRAINT conversation_text_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversation(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE embedding_due ADD CONSTRAINT embedding_due_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE embedding_due ADD CONSTRAINT embedding_due_model_fkey FOREIGN KEY (model) REFERENCES embedding_model(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE embedding_list ADD CONSTRAINT embedding_list_model_fkey FOREIGN KEY (model) REFERENCES embedding_model(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ended_sign_in ADD CONSTRAINT ended_sign_in_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connection(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE example_conversation ADD CONSTRAINT example_conversation_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE example_conversation ADD CONSTRAINT example_conversation_author_id_fkey FOREIGN KEY (author_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE guarded_change ADD CONSTRAINT guarded_change_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE introspection ADD CONSTRAINT introspection_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE key_signature ADD CONSTRAINT key_signature_kid_fkey FOREIGN KEY (kid) REFERENCES signing_key(kid) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ledger_entry ADD CONSTRAINT ledger_entry_account_id_fkey FOREIGN KEY (account_id) REFERENCES ledger_account(id);
ALTER TABLE ledger_entry ADD CONSTRAINT ledger_entry_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES ledger_transaction(id);
ALTER TABLE magic_link ADD CONSTRAINT magic_link_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE merchant_key ADD CONSTRAINT merchant_key_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES merchant(agent_id) ON DELETE CASCADE;
ALTER TABLE moderation_notification ADD CONSTRAINT moderation_notification_case_id_fkey FOREIGN KEY (case_id) REFERENCES moderation_case(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE moderation_report ADD CONSTRAINT moderation_report_case_id_fkey FOREIGN KEY (case_id) REFERENCES moderation_case(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE moderation_step ADD CONSTRAINT moderation_step_case_id_fkey FOREIGN KEY (case_id) REFERENCES moderation_case(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE notification_preference ADD CONSTRAINT notification_preference_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE openai_lost_answer ADD CONSTRAINT openai_lost_answer_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE openai_transcript ADD CONSTRAINT openai_transcript_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE openai_turn ADD CONSTRAINT openai_turn_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE passkey_recovery ADD CONSTRAINT passkey_recovery_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE payment_approval ADD CONSTRAINT payment_approval_order_id_fkey FOREIGN KEY (order_id) REFERENCES payment_order(id);
ALTER TABLE payment_mandate ADD CONSTRAINT payment_mandate_order_id_fkey FOREIGN KEY (order_id) REFERENCES payment_order(id);
ALTER TABLE payment_order_step ADD CONSTRAINT payment_order_step_order_id_fkey FOREIGN KEY (order_id) REFERENCES payment_order(id);
ALTER TABLE payment_outbox ADD CONSTRAINT payment_outbox_order_id_fkey FOREIGN KEY (order_id) REFERENCES payment_order(id);
ALTER TABLE payment_receipt ADD CONSTRAINT payment_receipt_order_id_fkey FOREIGN KEY (order_id) REFERENCES payment_order(id);
ALTER TABLE payment_refund ADD CONSTRAINT payment_refund_order_id_fkey FOREIGN KEY (order_id) REFERENCES payment_order(id);
ALTER TABLE probe ADD CONSTRAINT probe_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE probe_day ADD CONSTRAINT probe_day_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE probe_state ADD CONSTRAINT probe_state_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE saved_search_match ADD CONSTRAINT saved_search_match_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE saved_search_match ADD CONSTRAINT saved_search_match_search_id_fkey FOREIGN KEY (search_id) REFERENCES saved_search(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE saved_search ADD CONSTRAINT saved_search_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE session ADD CONSTRAINT session_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE test_run ADD CONSTRAINT test_run_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;

CREATE FUNCTION audit_append(entry jsonb) RETURNS bigint
LANGUAGE plpgsql AS $$
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

CREATE FUNCTION audit_reject_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_entry is append-only: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE FUNCTION count_compacted_tasks() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO agent_task_day AS d (agent_id, day, principal, calls, completed, failed)
  SELECT t.agent_id, (t.created_at AT TIME ZONE 'UTC')::date, t.principal, count(*), count(*) FILTER (WHERE t.state = 'completed'),
    count(*) FILTER (WHERE t.state IN ('failed', 'rejected'))
  FROM added JOIN task t ON t.id = added.task_id
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (agent_id, day, principal) DO UPDATE SET calls = d.calls + excluded.calls,
    completed = d.completed + excluded.completed, failed = d.failed + excluded.failed;
  RETURN NULL;
END $$;

CREATE FUNCTION ledger_balanced() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
               WHERE e.transaction_id = NEW.transaction_id GROUP BY a.currency, a.test HAVING sum(e.amount) <> 0) THEN
        RAISE EXCEPTION 'ledger transaction % does not add up to zero', NEW.transaction_id;
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION ledger_reject_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER audit_entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION audit_reject_change();
CREATE TRIGGER compacted_task_counted AFTER INSERT ON compacted_task REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_compacted_tasks();
CREATE TRIGGER ledger_entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION ledger_reject_change();
CREATE CONSTRAINT TRIGGER ledger_entry_balanced AFTER INSERT ON ledger_entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_balanced();
CREATE TRIGGER ledger_transaction_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_transaction FOR EACH STATEMENT EXECUTE FUNCTION ledger_reject_change();

INSERT INTO retention_cursor VALUES ('tasks', '-infinity');
