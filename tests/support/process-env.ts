import { randomBytes } from 'node:crypto';
import { setRootSecret } from '@/lib/platform/secrets/crypto';

// Runs before each test file. Code under test that reads lib/platform/runtime/env finds a complete environment here, and
// every Parley the file starts gets the same secrets; DATABASE_URL comes from tests/support/database.ts.
const env = process.env;
env.NEXTAUTH_SECRET = randomBytes(32).toString('base64url');
env.KEY_ENCRYPTION_KEY = randomBytes(32).toString('base64url');
env.DATABASE_URL = 'postgresql://nobody@127.0.0.1:1/no-database-was-asked-for';
env.LOG_LEVEL = 'error';
// Like the first node of a database.
setRootSecret(env.KEY_ENCRYPTION_KEY);
