-- expand: the tables keep their names and columns; the statements of older releases run on the partitioned ones.
-- Partitions by day of the two logs whose rows leave by age alone, so that a day leaves with its partition. The change takes no
-- longer for large tables: existing rows stay in <table>_before, from where a job moves them (lib/platform/partitions.ts).
-- A row without a partition of its day is in <table>_default.
CREATE FUNCTION "partition_by_day"(log text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  found record;
BEGIN
  EXECUTE format('ALTER TABLE %I RENAME TO %I', log, log || '_before');
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS) PARTITION BY RANGE (at)', log, log || '_before');
  FOR found IN SELECT c.relname, pg_get_indexdef(i.indexrelid) AS sql, i.indisprimary FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = format('%I', log || '_before')::regclass
  LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', found.relname, replace(found.relname, log, log || '_before'));
    IF found.indisprimary THEN
      EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I PRIMARY KEY (id, at)', log, found.relname);
    ELSE
      EXECUTE replace(found.sql, format('ON public.%I ', log || '_before'), format('ON public.%I ', log));
    END IF;
  END LOOP;
  EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', log || '_default', log);
  FOR day IN -1..3 LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
      log || '_p' || to_char((now() AT TIME ZONE 'UTC')::date + day, 'YYYYMMDD'), log,
      ((now() AT TIME ZONE 'UTC')::date + day)::text || ' 00:00:00+00', ((now() AT TIME ZONE 'UTC')::date + day + 1)::text || ' 00:00:00+00');
  END LOOP;
  -- In a new database there is nothing to move.
  EXECUTE format('SELECT FROM %I LIMIT 1', log || '_before') INTO found;
  IF found IS NULL THEN EXECUTE format('DROP TABLE %I', log || '_before'); END IF;
END $$;

SELECT "partition_by_day"('agent_call'), "partition_by_day"('task_http_exchange');
DROP FUNCTION "partition_by_day"(text);
