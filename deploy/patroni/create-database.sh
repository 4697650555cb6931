#!/bin/sh
# Creates the role and the database of Parley in a new cluster. Patroni passes the connection string of the superuser.
set -eu
psql --quiet --set ON_ERROR_STOP=1 --set password="${PARLEY_PASSWORD:?set PARLEY_PASSWORD}" "$1" <<'SQL'
CREATE ROLE parley LOGIN PASSWORD :'password';
CREATE DATABASE parley OWNER parley;
SQL
