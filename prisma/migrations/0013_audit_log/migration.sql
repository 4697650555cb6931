-- What people and Parley did to accounts, credentials, agents and keys: a chain that can only grow.
CREATE TABLE "audit_entry" (
    "seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "event" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "object" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "previous" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("seq"),
    -- The hashed text has one member per line.
    CONSTRAINT "audit_entry_plain" CHECK (
        concat("event", "subject", "actor", "object", "detail", "request_id") !~ '[\x01-\x1f\x7f]'
    )
);

CREATE INDEX "audit_entry_subject_seq_idx" ON "audit_entry"("subject", "seq" DESC);

-- Where an entry was made from. Personal, so it stands outside of what is hashed and goes with the account.
CREATE TABLE "audit_place" (
    "seq" BIGINT NOT NULL,
    "subject" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,

    CONSTRAINT "audit_place_pkey" PRIMARY KEY ("seq")
);

CREATE INDEX "audit_place_subject_idx" ON "audit_place"("subject");

CREATE FUNCTION "audit_refuse"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_entry is append-only: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "audit_refuse"();

-- Appends one entry within the statement and the transaction of the change that it tells of. Entries of all nodes wait for
-- each other here until the commit, so the chain has one order: append last. Each query of this function sees what was
-- committed before it began (it is VOLATILE), so the last entry is the last one also after waiting.
CREATE FUNCTION "audit_append"("entry" JSONB) RETURNS BIGINT LANGUAGE plpgsql VOLATILE AS $$
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
    IF entry -> 'place' IS NOT NULL THEN
        INSERT INTO audit_place VALUES
            (made.seq, made.subject, entry -> 'place' ->> 'address', entry -> 'place' ->> 'userAgent');
    END IF;
    RETURN made.seq;
END $$;
