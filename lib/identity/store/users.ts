import { type Db, db, isUniqueViolation } from '../../platform/db/db';
import { publishAtCommit } from '../../platform/db/tx';
import { type OfferedLocale, offeredLocale } from '../../texts/languages';
import { deletePasskeys } from './passkey-rows';

export interface User {
  id: string;
  email: string;
  name: string;
  /** The language of emails and notifications; null for English, until a language is known. */
  locale: OfferedLocale | null;
  suspended: boolean;
}

/** The data for a password sign-in. Never leaves this domain. */
export interface LocalAccount {
  userId: string;
  passwordHash: string | null;
  /** True if one of our emails or a provider verified the address. */
  isEmailVerified: boolean;
  suspended: boolean;
}

export interface NewUser {
  id: string;
  email: string;
  emailVerified: Date | null;
  name: string;
  passwordHash?: string;
}

/** A user's account at a provider. */
export interface ProviderAccount {
  provider: string;
  providerAccountId: string;
}

interface UserRow {
  id: string;
  email: string;
  name: string;
  locale: string | null;
  suspendedAt: Date | null;
}

const userColumns = { id: true, email: true, name: true, locale: true, suspendedAt: true } as const;

/** Converts a row. A stored language that has since been removed counts as unknown. */
function toUser({ id, email, name, locale, suspendedAt }: UserRow): User {
  return { id, email, name, locale: offeredLocale(locale) ?? null, suspended: suspendedAt !== null };
}

export async function selectUser(id: string): Promise<User | null> {
  const row = await db().user.findUnique({ where: { id }, select: userColumns });
  return row && toUser(row);
}

export async function selectLocalAccount(email: string): Promise<LocalAccount | null> {
  const row = await db().user.findUnique({
    where: { email },
    select: { id: true, passwordHash: true, emailVerified: true, suspendedAt: true },
  });
  if (!row) return null;
  const { id, passwordHash, emailVerified, suspendedAt } = row;
  return { userId: id, passwordHash, isEmailVerified: emailVerified !== null, suspended: suspendedAt !== null };
}

export async function selectUserByAccount(account: ProviderAccount): Promise<User | null> {
  const row = await db().account.findUnique({
    where: { provider_providerAccountId: { ...account } },
    select: { user: { select: userColumns } },
  });
  return row && toUser(row.user);
}

/** Inserts a user. Returns false if the email address is taken. */
export async function insertUser(user: NewUser, on: Db = db()): Promise<boolean> {
  const { count } = await on.user.createMany({ data: [user], skipDuplicates: true });
  return count === 1;
}

/** Inserts a user with a provider account. Returns false if the email address is taken. */
export async function insertUserWithAccount(
  user: NewUser,
  account: ProviderAccount & { id: string },
): Promise<boolean> {
  try {
    await db().user.create({ data: { ...user, accounts: { create: account } } });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

export async function updateName(userId: string, name: string): Promise<void> {
  await db().user.update({ where: { id: userId }, data: { name } });
}

/**
 * Sets the language of a user's emails; with `onlyIfUnknown`, only if none is stored. Returns false if nothing changed.
 */
export async function updateLocale(
  userId: string,
  { locale, onlyIfUnknown }: { locale: OfferedLocale; onlyIfUnknown: boolean },
): Promise<boolean> {
  const isOther = onlyIfUnknown ? [{ locale: null }] : [{ locale: null }, { locale: { not: locale } }];
  const { count } = await db().user.updateMany({ where: { id: userId, OR: isOther }, data: { locale } });
  return count === 1;
}

/** Returns the language of the account with an email address; undefined if there is no account. */
export async function selectLocaleOf(email: string): Promise<OfferedLocale | null | undefined> {
  const row = await db().user.findUnique({ where: { email }, select: { locale: true } });
  return row ? (offeredLocale(row.locale) ?? null) : undefined;
}

export async function updatePasswordHash(userId: string, passwordHash: string): Promise<void> {
  await db().user.update({ where: { id: userId }, data: { passwordHash } });
}

/** The stored data of a user except sessions. Contains only the existence of a password. */
export interface ProfileRecord {
  id: string;
  email: string;
  emailVerified: Date | null;
  name: string;
  locale: string | null;
  createdAt: Date;
  hasPassword: boolean;
  accounts: ProviderAccount[];
}

export async function selectProfile(userId: string): Promise<ProfileRecord | null> {
  const row = await db().user.findUnique({
    where: { id: userId },
    include: { accounts: { select: { provider: true, providerAccountId: true } } },
  });
  if (!row) return null;
  const { id, email, emailVerified, name, locale, createdAt, passwordHash, accounts } = row;
  return { id, email, emailVerified, name, locale, createdAt, hasPassword: passwordHash !== null, accounts };
}

/**
 * Deletes a user with their sessions, provider accounts and sign-ups, and notifies every node. Returns false if there
 * is no such user. The notification invalidates all credentials, because every credential depends on the user.
 */
export async function deleteUser(tx: Db, { id, email }: { id: string; email: string }): Promise<boolean> {
  const { count } = await tx.user.deleteMany({ where: { id } });
  await tx.pendingSignUp.deleteMany({ where: { email } });
  await deletePasskeys(tx, id);
  await publishAtCommit(tx, 'user', id);
  return count === 1;
}
