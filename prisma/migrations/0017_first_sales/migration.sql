-- expand: no change of tables. The index of this migration is built while nodes serve.
SELECT 1;
