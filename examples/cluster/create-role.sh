#!/bin/sh
# Creates the role and the database of a cluster: docs/many-machines.md#role-and-database.
set -e
psql -v ON_ERROR_STOP=1 -v password="$KEDGE_DATABASE_PASSWORD" --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
create role kedge login password :'password';
create database kedge owner kedge;
SQL
