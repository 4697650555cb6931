#!/bin/sh
# Creates the role and the database of Parley in a new cluster. Patroni passes the connection string of the superuser.
set -eu
: "${PARLEY_PASSWORD:?set PARLEY_PASSWORD}"
psql --quiet --set ON_ERROR_STOP=1 "$1" <<'SQL'
\getenv password PARLEY_PASSWORD
SET log_min_error_statement = panic;
CREATE ROLE parley LOGIN PASSWORD :'password';
CREATE DATABASE parley OWNER parley;
SQL
