/** `kedge/cluster`: sessions in PostgreSQL. The user installs the packages it needs; they are loaded on first use. */
export {
  type Database,
  type DatabaseOptions,
  openDatabase,
  type Row,
  type Statements,
  type TenantDatabase,
  type Transaction,
} from './database/database.js'
export { checkSchema, type Migration, type MigrationResult, migrate, type SchemaState } from './database/migrations.js'
export { type EmbeddedOptions, type EmbeddedPostgres, startEmbedded } from './embedded/embedded-postgres.js'
export { PostgresSessionStore } from './store/postgres-session-store.js'
export { type App, type AppSession, defineApp } from './worker/app.js'
export type {
  ArchiveSpec,
  FolderSpec,
  GitSpec,
  NoneSpec,
  SecretName,
  WorkspaceSpec,
} from './workspace/session-workspace.js'
